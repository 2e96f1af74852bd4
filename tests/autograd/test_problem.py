"""What a request picks out of a program; what is refused: every cause at once, on one line."""

import pytest

from autograd import problem
from autograd.rule_table import VJPS
from mgc import ops
from mgc.diagnostics import Diagnostic
from tests.autograd.numerical import evaluated, transformed

W = "let w = [[1, 2]]\n"

REFUSALS = {
    "nothing printed": (
        W,
        ["w"],
        "the program prints nothing, so there is no loss to differentiate",
    ),
    "loss of another shape": (
        W + "print w * w",
        ["w"],
        ("the loss, print 0 (line 2), is 1x2 and not 1x1; sum it, as in print col_sum(row_sum(x))"),
    ),
    "unknown and computed names": (
        W + "let weight = w * w\nprint row_sum(weight)",
        ["wieght", "weight"],
        (
            "there is no let 'wieght'; did you mean 'weight'? (the lets are: w, weight); "
            "'weight' (line 2) is not a matrix literal but computed"
        ),
    ),
    "everything at once": (
        W + "let u = [[3]]\nprint permute(w, 1, 0)",
        ["q", "w", "u"],
        (
            "the loss, print 0 (line 3), is 2x1 and not 1x1; sum it, as in "
            "print col_sum(row_sum(x)); there is no let 'q' (the lets are: w, u); "
            "permute (line 3) is not differentiated: permute reorders the axes of values of any "
            "rank; the loss does not depend on 'u'"
        ),
    ),
    "nothing to choose from": (
        "print [[1]]",
        ["all"],
        "the loss depends on no let that is a literal",
    ),
    "a name twice": (W + "print row_sum(w)", ["w", "w"], "'w' is asked for twice"),
    "independent": (
        W + "let u = [[1]]\nlet z = [[2]]\nprint row_sum(w)",
        ["u", "w", "z"],
        "the loss does not depend on 'u'; the loss does not depend on 'z'",
    ),
    "flat": (
        W + "print row_sum(ge(w, [[1]]))",
        ["w"],
        "the loss is flat in 'w': every path to it goes through a comparison (ge)",
    ),
    "every operation that is not differentiated": (
        W + "let r = permute(reshape(w, 1, 1, 2), 2, 0, 1)\nprint col_sum(reshape(r, 2, 1))",
        ["w"],
        (
            "reshape (line 2) gives 1x1x2, which is not a matrix; "
            "permute (line 2) gives 2x1x1, which is not a matrix; "
            "permute (line 2) is not differentiated: "
            "permute reorders the axes of values of any rank"
        ),
    ),
    "dynamic shape where no gradient passes": (
        "def f(a: tensor[1x?]) = a + a\n" + W + "print row_sum(w) * col_sum(row_sum(f([[2, 3]])))",
        ["w"],
        "add (line 1) gives 1x?, a shape known only when the program runs",
    ),
    "dynamic shape": (
        "def f(a: tensor[?x2]) = a * a\n" + W + "print col_sum(row_sum(f(w)))",
        ["w"],
        (
            "mul (line 1) gives ?x2, a shape known only when the program runs; "
            "row_sum (line 3) gives ?x1, a shape known only when the program runs"
        ),
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name: str) -> None:
    source, wrt, message = REFUSALS[name]
    with pytest.raises(Diagnostic) as caught:
        transformed(source, *wrt)
    text = str(caught.value)
    assert text.partition("error: ")[2] == message
    assert "\n" not in text


def test_an_operation_of_another_rank_is_no_obstacle_where_no_gradient_passes() -> None:
    source = (
        "let d = [[1, 2]]\nlet w = [[3]]\nprint w * reshape(reshape(d, 1, 1, 2), 1, 2) @ [[1], [2]]"
    )
    assert "reshape" in transformed(source, "w")


THREE_PRINTS = "let a = [[2]]\nlet b = [[3]]\nprint a * a\nprint a * b\nprint [[1, 2]]"


def gradients(program: str) -> list[list[list[float]]]:
    return [array.tolist() for array in evaluated(program)]


@pytest.mark.parametrize(
    ("number", "wrt", "expected"),
    [
        (0, ("a",), [[[4]], [[4]]]),
        (1, ("a",), [[[6]], [[3]]]),
        (1, ("b", "a"), [[[6]], [[2]], [[3]]]),
    ],
)
def test_any_print_can_be_the_loss(
    number: int, wrt: tuple[str, ...], expected: list[list[list[float]]]
) -> None:
    assert gradients(transformed(THREE_PRINTS, *wrt, loss=number)) == expected


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (THREE_PRINTS, "3 matrices, numbers 0 to 2"),
        ("let a = [[2]]\nprint a", "1 matrix, number 0"),
    ],
)
def test_the_loss_must_be_there(source: str, printed: str) -> None:
    message = f"there is no print 3 to be the loss; the program prints {printed}"
    with pytest.raises(Diagnostic, match=message):
        transformed(source, "a", loss=3)


@pytest.mark.parametrize(("number", "expected"), [(0, "loss, grad a"), (1, "loss, grad a, grad b")])
def test_all_means_every_literal_let_that_the_loss_depends_on(number: int, expected: str) -> None:
    assert f"in order: {expected}\n" in transformed(THREE_PRINTS, "all", loss=number)


def test_all_leaves_out_what_only_a_comparison_uses() -> None:
    source = "let a = [[2]]\nlet mask = [[3]]\nlet sum = a + a\nprint sum * ge(a, mask)"
    assert "in order: loss, grad a\n" in transformed(source, "all")


def test_an_unused_matrix_can_have_a_gradient_of_zeros() -> None:
    source = "let a = [[2]]\nlet u = [[1, 2, 3], [4, 5, 6]]\nlet zero7 = [[5]]\nprint a * zero7"
    program = transformed(source, "u", "zero7", "a", unused_is_zero=True)
    assert gradients(program) == [[[10]], [[0, 0, 0], [0, 0, 0]], [[2]], [[5]]]


def test_a_flat_loss_is_refused_even_so() -> None:
    with pytest.raises(Diagnostic, match="the loss is flat in 'a'"):
        transformed("let a = [[2]]\nprint ge(a, [[1]])", "a", unused_is_zero=True)


def test_an_operation_without_a_rule_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {op: entry for op, entry in VJPS.items() if op is not ops.EXP}
    monkeypatch.setattr(problem, "VJPS", without)
    with pytest.raises(Diagnostic, match=r"error: exp \(line 2\) has no derivative rule$"):
        transformed("let a = [[2]]\nprint exp(a)", "a")
