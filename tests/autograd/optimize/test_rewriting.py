"""What -O makes of small programs, line by line."""

import re

import pytest

import mgc
from autograd.optimize.passes import optimized
from autograd.optimize.write import optimized_program
from autograd.problem import Request
from autograd.transform import gradient_program, posed_problem
from tests.autograd.numerical import assert_gradients, program


def written(source: str, *wrt: str) -> str:
    problem = posed_problem(program(source), Request(wrt))
    return optimized_program(problem, optimized(problem), "test.mg")


def backward(source: str, *wrt: str) -> list[str]:
    text = written(source, *wrt).split("# ---- backward pass")[1].split("# ---- results")[0]
    return [line.split("  #")[0] for line in text.splitlines()[1:]]


W = "let w = [[0.7, -1.3, 2.1], [1.9, 0.4, -0.6]]\n"
B = "let b = [[1.7, 2.3, -0.9]]\n"

EXPECTED = {
    "no ones": ("print col_sum(row_sum(w * w))", ["let Gw = (w * 2)"]),
    "numbers are merged": ("print col_sum(row_sum(w * w)) * 0.25", ["let Gw = (w * 0.5)"]),
    "a mean": ("print row_mean(col_mean(w * w))", ["let Gw = (w * 0.3333333333333333)"]),
    "double negation": ("print col_sum(row_sum(-(-w) * w))", ["let Gw = (w * 2)"]),
    "double transpose": (
        "print col_sum(row_sum(transpose(transpose(w)) * w * w))",
        ["let Gw = (v1 * 3)"],
    ),
    "a denominator": (
        "let s = row_sum(w * w)\nlet h = w / s\nprint col_sum(row_sum(h * h * h))",
        None,
    ),
    "subtraction": ("print col_sum(row_sum(w * w - w))", ["let Gw = ((w * 2) + -1)"]),
}


@pytest.mark.parametrize("name", [name for name, (_, lines) in EXPECTED.items() if lines])
def test_what_is_written(name: str) -> None:
    last, lines = EXPECTED[name]
    assert backward(f"{W}{last}", "w") == lines


@pytest.mark.parametrize("name", EXPECTED)
def test_it_agrees_with_the_plain_program(name: str) -> None:
    source = f"{W}{EXPECTED[name][0]}"
    plain = gradient_program(posed_problem(program(source), Request(("w",))), "test.mg")
    for one, other in zip(mgc.run(written(source, "w")), mgc.run(plain), strict=True):
        assert one.flatten().tolist() == pytest.approx(other.flatten().tolist(), rel=1e-13)
    assert_gradients(source, "w")


SOFTMAX = """\
def softmax(m: tensor[2x3]) = exp(m - row_max(m)) / row_sum(exp(m - row_max(m)))
let z = w * [[1, 2, 3]]
let a = softmax(z)
print col_sum(row_sum(a * a * [[0.3, -0.7, 0.9], [1.1, 0.2, -0.4]]))
"""
CROSS_ENTROPY = """\
let y = [[0, 1, 0], [0.5, 0.25, 0.25]]
let z = w * [[1, 2, 3]] - row_max(w * [[1, 2, 3]])
let p = z - log(row_sum(exp(z)))
print col_sum(row_sum(y * p)) * -0.5
"""
LOG_OF_SOFTMAX = """\
let y = [[0, 1, 0], [0.5, 0.25, 0.25]]
let e = exp(w - row_max(w))
print col_sum(row_sum(y * log(e / row_sum(e)))) * -0.5
"""
COLUMNS = """\
let e = exp(w - col_max(w))
print col_sum(row_sum(e / col_sum(e) * [[0.3, -0.7, 0.9], [1.1, 0.2, -0.4]]))
"""


def test_the_adjoint_of_a_softmax_is_the_closed_form() -> None:
    lines = backward(f"{W}{SOFTMAX}", "w")
    assert "let d_z = (a * (d_a - row_sum((d_a * a))))" in lines


def test_the_adjoint_of_a_log_softmax_is_the_closed_form() -> None:
    last = backward(f"{W}{CROSS_ENTROPY}", "w")[-1]
    softmax = r"\(v\d \* \(\(row_sum\(y\) / v\d\) \* -0\.5\)\)"
    assert re.fullmatch(rf"let Gw = \(\(d_p - {softmax}\) \* \[\[1, 2, 3\]\]\)", last)


@pytest.mark.parametrize("source", [SOFTMAX, CROSS_ENTROPY, LOG_OF_SOFTMAX, COLUMNS])
def test_the_shift_of_a_softmax_has_no_adjoint(source: str) -> None:
    text = "\n".join(backward(f"{W}{source}", "w"))
    assert "ge(" not in text
    assert "max" not in text
    assert_gradients(f"{W}{source}", "w")
    plain = gradient_program(posed_problem(program(f"{W}{source}"), Request(("w",))), "test.mg")
    for one, other in zip(mgc.run(written(f"{W}{source}", "w")), mgc.run(plain), strict=True):
        assert one.flatten().tolist() == pytest.approx(other.flatten().tolist(), rel=0, abs=1e-14)


def test_a_maximum_that_is_no_shift_keeps_its_adjoint() -> None:
    source = f"{W}let e = exp(w - row_max(w))\nprint col_sum(row_sum(e * [[1, 2, 3]]))"
    assert "ge(" in "\n".join(backward(source, "w"))


def test_parameters_with_equal_entries_stay_apart() -> None:
    source = "let a = [[1, 1]]\nlet b = [[1, 1]]\nprint row_sum(a * [[2, 3]] + b * b * [[5, 7]])"
    _, a, b = mgc.run(written(source, "a", "b"))
    assert (a.tolist(), b.tolist()) == ([[2, 3]], [[10, 14]])


def test_a_parameter_of_ones_is_no_one() -> None:
    source = "let a = [[1]]\nlet w = [[2, 3]]\nprint row_sum(w * a)"
    assert "let w = [[2, 3]]" in written(source, "a")
    assert mgc.run(written(source, "a"))[1].tolist() == [[5]]


def test_zeros_of_either_sign_stay_apart() -> None:
    source = "let w = [[2]]\nprint w * ([[1]] / (w * [[0.0]]) + [[1]] / (w * [[-0.0]]) + [[1]])"
    plain = gradient_program(posed_problem(program(source), Request(("w",))), "test.mg")
    assert [str(each) for each in mgc.run(written(source, "w"))] == [
        str(each) for each in mgc.run(plain)
    ]


def test_a_product_of_three_takes_the_cheaper_order() -> None:
    source = (
        (
            "let w = [[1, 2, 3, 4]]\nlet x = [[1], [2], [3], [4]]\nlet c = [[5, 6, 7, 8]]\n"
            "print x @ w @ transpose(c) * [[1], [2], [3], [4]] @ [[0.5]]"
        )
        .replace("print x", "let p = x")
        .replace("@ [[0.5]]", "@ [[0.5]]\nprint col_sum(p)")
    )
    assert "(x @ (w @ transpose(c)))" in written(source, "w")


def test_names_follow_the_program() -> None:
    source = f"{W}{B}let u = exp(w + b)\nlet loss = col_sum(row_sum(u * u * u))\nprint loss"
    text = written(source, "w", "b")
    assert "let u = exp((w + b))" in text
    assert "let Gw = " in text
    assert "let Gb = (col_sum(v1) * 3)  # 3" in text
    assert re.search(r"^let Gw = .*  # 3$", text, re.MULTILINE)
    assert text.rstrip().splitlines()[-3:] == ["print loss", "print Gw", "print Gb"]


def test_a_name_of_the_program_is_never_taken() -> None:
    source = "let w = [[2, 3]]\nlet Gw = w * w\nlet d_Gw = exp(Gw * 0.1)\nprint row_sum(d_Gw * Gw)"
    text = written(source, "w")
    names = re.findall(r"^let (\w+) =", text, re.MULTILINE)
    assert len(names) == len(set(names))
    assert_gradients(source, "w")


def test_an_unused_matrix_has_a_gradient_of_zeros() -> None:
    source = "let a = [[2]]\nlet u = [[1, 2, 3], [4, 5, 6]]\nprint a * a"
    problem = posed_problem(program(source), Request(("u", "a"), unused_is_zero=True))
    text = optimized_program(problem, optimized(problem), "test.mg")
    expected = [[[4]], [[0, 0, 0], [0, 0, 0]], [[4]]]
    assert [array.tolist() for array in mgc.run(text)] == expected
