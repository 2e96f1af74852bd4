"""Wrong derivations of the book's gradients, and what `compare` says of each."""

import json

import pytest

from autograd.compare import Comparison, compare
from autograd.compare_report import json_text, print_tables
from autograd.compiler import Program, read_program
from autograd.problem import Request
from mgc.diagnostics import Diagnostic
from tests.autograd.numerical import program
from tests.conftest import ROOT

EXAMPLES = {
    "h33_attention": ("q0", "wk0", "wv0", "wo0"),
    "h34_layer_norm": ("h",),
    "h35_transformer_step1": (
        *("e0", "g10", "n10", "wq0", "wk0", "wv0", "wo0", "g20", "n20"),
        *("w10", "c10", "w20", "c20", "gf0", "nf0", "wu0"),
    ),
}


def example(name: str) -> Program:
    return read_program(ROOT / "examples" / f"{name}.mg", None)


def compared(source: str, *wrt: str) -> dict[str, Comparison]:
    return {each.name: each for each in compare(program(source), Request(wrt))}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_hand_derived_gradients_of_the_book_agree(name: str) -> None:
    comparisons = compare(example(name), Request(EXAMPLES[name]))
    assert [each.name for each in comparisons] == list(EXAMPLES[name])
    assert [each.differing for each in comparisons] == [0] * len(comparisons)


MISTAKES = {
    "layer norm without its third term": (
        "h34_layer_norm",
        " - hat * row_mean(d * hat)",
        "",
        {"h": "every element is wrong"},
    ),
    "layer norm twice too large": (
        "h34_layer_norm",
        "let d_h = (",
        "let d_h = 2 * (",
        {"h": "a factor of 2 too much, in every element"},
    ),
    "attention with a sign wrong in one gradient": (
        "h33_attention",
        "wo: tensor[3x5]) = transpose(x) @ (d_weighted(",
        "wo: tensor[3x5]) = -transpose(x) @ (d_weighted(",
        {"wv0": "the sign is wrong, in every element"},
    ),
    "transformer without the mask of relu": (
        "h35_transformer_step1",
        " * ge(pre, [[0]])",
        "",
        dict.fromkeys(EXAMPLES["h35_transformer_step1"][:11], "every element is wrong"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_seen_in_the_gradients_that_it_reaches(mistake: str) -> None:
    name, right, wrong, hints = MISTAKES[mistake]
    source = example(name).source
    assert source.count(right) == 1
    comparisons = compared(source.replace(right, wrong), *EXAMPLES[name])
    assert {each.name: each.hint for each in comparisons.values() if each.differing} == hints
    for each in comparisons.values():
        for difference in each.differences:
            if (
                difference.numerical is not None
                and mistake != "transformer without the mask of relu"
            ):
                # Fourth-order differences of these losses are good to about ten digits.
                scale = max(abs(one.generated) for one in each.differences)
                assert abs(difference.numerical - difference.generated) < 1e-8 * scale


SQUARE = (
    "let w = [[0.7, -1.3], [2.1, 1.9]]\nlet c = [[1, 2], [3, 5]]\nprint col_sum(row_sum(w * c))\n"
)


@pytest.mark.parametrize(
    ("derived", "hint"),
    [
        ("transpose(c)", "it is the transpose of the right one"),
        ("-c", "the sign is wrong, in every element"),
        ("c / 2", "a factor of 0.5 too much, in every element"),
        ("c * 0", "the hand-derived gradient is all zeros"),
        ("c / [[0, 1], [1, 1]]", "the hand-derived gradient has entries that are not finite"),
        ("c + [[1, 0], [1, 0]]", "only column 0 is wrong"),
        ("c + [[0, 0], [1, 2]]", "only row 1 is wrong"),
        ("c + [[0, 1], [1, 0]]", ""),
    ],
)
def test_what_a_difference_looks_like(derived: str, hint: str) -> None:
    comparison = compared(f"{SQUARE}print {derived}", "w")["w"]
    assert comparison.hint == hint
    assert comparison.differing


def test_differing_elements_come_worst_first_with_their_numerical_values() -> None:
    comparison = compared(f"{SQUARE}print c + [[0, 1], [-4, 0]]", "w")["w"]
    first, second = comparison.differences
    assert (first.row, first.column, first.hand, first.generated) == (1, 0, -1.0, 3.0)
    assert (second.row, second.column, second.hand, second.generated) == (0, 1, 3.0, 2.0)
    assert first.numerical == pytest.approx(3, rel=1e-9)
    assert second.numerical == pytest.approx(2, rel=1e-9)
    assert comparison.worst == 4.0


def test_nan_is_a_difference() -> None:
    comparison = compared(f"{SQUARE}print c * ([[0, 1], [1, 1]] / [[0, 1], [1, 1]])", "w")["w"]
    assert (comparison.differing, comparison.differences[0].row) == (1, 0)


@pytest.mark.parametrize(
    ("prints", "message"),
    [
        ("", "0 matrices follow the loss, but 1 gradients are asked for; print the hand-derived"),
        ("print row_sum(c)", "'w' is 2x2 but its gradient is printed as 2x1; print the hand"),
    ],
)
def test_the_gradients_follow_the_loss(prints: str, message: str) -> None:
    with pytest.raises(Diagnostic, match=message):
        compared(f"{SQUARE}{prints}", "w")


def test_an_infinity_widens_no_tolerance() -> None:
    comparison = compared(f"{SQUARE}print c / [[0, 1], [1, 2]]", "w")["w"]
    assert comparison.differing == 2
    report = json.loads(json_text("square.mg", [comparison]), parse_constant=pytest.fail)
    assert report["matrices"][0]["worst"] == "inf"


def test_json_holds_everything() -> None:
    comparisons = list(compared(f"{SQUARE}print c + [[0, 1], [0, 0]]", "w").values())
    report = json.loads(json_text("square.mg", comparisons))
    assert (report["program"], report["passed"]) == ("square.mg", False)
    (matrix,) = report["matrices"]
    assert (matrix["name"], matrix["shape"], matrix["differing"]) == ("w", [2, 2], 1)
    assert matrix["differences"][0]["hand"] == 3.0


def test_the_tables_say_where_to_start(capsys: pytest.CaptureFixture[str]) -> None:
    source = (
        "let a = [[2, 3]]\nlet b = [[5, 7]]\nlet c = [[1, 1]]\n"
        "print row_sum((a * b + c) * c)\nprint b * c\nprint a + 1\nprint a * 0\n"
    )
    print_tables("test.mg", list(compared(source, "a", "b", "c").values()))
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "4 of 6 elements differ, in: b, c",
        "central differences side with the generated gradient in all 4 elements tried",
        (
            "start with c: of those that differ it is used nearest to the loss, so a mistake found "
            "there may explain the others"
        ),
    ]


def test_agreement_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables("test.mg", list(compared(f"{SQUARE}print c", "w").values()))
    assert capsys.readouterr().out.splitlines()[-1] == "all 4 elements agree"
