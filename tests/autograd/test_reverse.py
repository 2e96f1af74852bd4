"""What the driver does beside the rules: accumulation, activity, size."""

import re

import pytest

from mgc import run as native
from tests.autograd.numerical import assert_gradients, evaluated, transformed


def lets(program: str, pattern: str) -> list[str]:
    return re.findall(rf"^let ({pattern}) =", program, re.MULTILINE)


@pytest.mark.parametrize(
    "expression",
    [
        "col_sum(row_sum(w * w))",
        "col_sum(row_sum(w * exp(w) + w))",
        "col_sum(row_sum(w / (w * w + 2)))",
        "col_sum(row_sum(w @ transpose(w)))",
        "row_max(col_sum(w)) * col_max(row_sum(w)) + [[0.5]]",
    ],
)
def test_a_value_used_more_than_once_receives_the_sum(expression: str) -> None:
    assert_gradients(f"let w = [[0.7, -1.3, 2.1], [1.9, 0.4, -0.6]]\nprint {expression}", "w")


def test_contributions_are_added_before_they_are_passed_back() -> None:
    """A chain of n values, each used twice, has 2**n paths; the program stays linear in n."""
    sizes: list[int] = []
    for length in (10, 20, 40):
        chain = "".join(f"let x = x {'+*'[i % 2]} x * 0.7\n" for i in range(length))
        source = f"let p = [[0.5]]\nlet x = p\n{chain}print x"
        sizes.append(len(transformed(source, "p").splitlines()))
    assert sizes[2] - sizes[1] == 2 * (sizes[1] - sizes[0])


def test_nothing_is_computed_for_what_no_requested_matrix_depends_on() -> None:
    source = (
        "let x = [[0.5, -1.0], [2.0, 1.0]]\n"
        "let w = [[1.0, 2.0], [3.0, 4.0]]\n"
        "print col_sum(row_sum(relu(exp(x) @ w) * log(x * x)))"
    )
    program = transformed(source, "w")
    backward = program.split("# ---- backward pass")[1]
    assert lets(backward, r"g\d+") == ["g10", "g12", "g14", "g15", "g17", "g18"]
    assert " / " not in backward
    assert len(re.findall("exp|log", program)) == 2


def test_what_the_loss_does_not_need_is_dropped() -> None:
    source = (
        "let w = [[1.0, 2.0]]\nlet unused = [[3.0]]\nlet more = exp(w) * 2\n"
        "print row_sum(w * w)\nprint more"
    )
    program = transformed(source, "w")
    assert "3.0" not in program
    assert "exp" not in program
    assert len(re.findall("^print ", program, re.MULTILINE)) == 2


def test_the_loss_can_be_a_parameter() -> None:
    program = transformed("let w = [[4]]\nprint w", "w")
    assert [array.tolist() for array in evaluated(program)] == [[[4]], [[1]]]


def test_defs_are_inlined() -> None:
    source = (
        "def square(a: tensor[2x3]) = a * a\n"
        "def shifted(a: tensor[2x3], b: tensor[1x3]) = square(a - b) * [[1, 2, 3], [4, 5, 7]]\n"
        "let w = [[0.7, -1.3, 2.1], [1.9, 0.4, -0.6]]\n"
        "let b = [[0.1, 0.2, -0.3]]\n"
        "print col_sum(row_sum(shifted(w, b) + square(shifted(square(w), b))))"
    )
    assert "def" not in transformed(source, "w", "b")
    assert_gradients(source, "w", "b")


def test_a_gradient_program_differentiates_again() -> None:
    source = "let w = [[0.7, -1.3, 2.1]]\nprint row_sum(exp(w) * w * w / (w + 3))"
    first = transformed(source, "w")
    _, *prints = (line for line in first.splitlines() if line.startswith("print"))
    gradient = prints[0].removeprefix("print ")
    directional = first.split("# ---- results")[0] + f"print row_sum({gradient} * [[2, -3, 5]])\n"
    assert_gradients(directional, "w")


def test_one_value_can_be_several_arguments() -> None:
    source = (
        "def f(a: tensor[1x3], b: tensor[1x3]) = a * b + exp(a) - b\n"
        "let x = [[0.7, -1.3, 2.1]]\n"
        "print row_sum(f(x, x) * f(f(x, x) * 0.1, x) * [[1, 2, 3]])"
    )
    assert_gradients(source, "x")


def test_a_diamond() -> None:
    source = (
        "let x = [[0.7, -1.3, 2.1]]\nlet top = x * x\nlet left = exp(top * 0.1)\n"
        "let right = top / (left + 2)\nlet bottom = left * right - top\n"
        "print row_sum(bottom * [[1, 2, 3]])"
    )
    assert_gradients(source, "x")


def test_a_def_called_many_times_is_written_out_each_time() -> None:
    sizes = [
        len(
            transformed(
                "def f(a: tensor[1x1]) = a * a * 0.5 + [[0.25]]\nlet x = [[0.5]]\n"
                "let x_0 = x\n"
                + "".join(f"let x_{i + 1} = f(x_{i})\n" for i in range(count))
                + f"print x_{count}",
                "x",
            ).splitlines()
        )
        for count in (50, 100, 200)
    ]
    assert sizes[2] - sizes[1] == 2 * (sizes[1] - sizes[0])


def test_hundreds_of_defs_that_call_each_other() -> None:
    defs = ["def f0(a: tensor[1x2]) = a * 1.001 + [[0.001, 0.002]]"]
    defs += [f"def f{i}(a: tensor[1x2]) = f{i - 1}(a) * 1.001 - a * 0.001" for i in range(1, 600)]
    source = "\n".join([*defs, "let x = [[0.5, 0.25]]", "print row_sum(f599(x) * [[2, 3]])"])
    loss, gradient = evaluated(transformed(source, "x"))
    # The program is linear in x, so its slope is its value at x without the constant part.
    shifted = source.replace("[[0.5, 0.25]]", "[[0, 0]]")
    (constant,) = native(shifted)
    expected = (loss - constant).item()
    assert (gradient @ [[0.5], [0.25]]).item() == pytest.approx(expected, rel=1e-12)
