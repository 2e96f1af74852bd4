"""Gradient descent, beside a loop that takes the same steps by numerical gradients or by hand."""

import re

import numpy as np
import pytest

import mgc
from mgc.literals import Literal, source_matrix
from tests.autograd.numerical import descended, evaluated, numerical_gradient
from tests.conftest import ROOT

SOURCE = (
    "let x = [[0.5, -1.0, 2.0], [2.0, 1.0, 0.3]]\n"
    "let w = [[0.2, 0.7], [-0.3, 0.4], [0.6, -0.1]]\n"
    "let b = [[0.1, -0.2]]\n"
    "let target = exp([[0.1, 0.2], [0.3, 0.4]]) * 0.5\n"
    "print col_sum(row_sum((x @ w + b - target) * (x @ w + b - target)))\n"
)
H33 = ROOT / "examples" / "h33_attention.mg"


def moved(source: str, name: str, rate: float) -> str:
    """Return the source after one step on one of its lets, by its numerical gradient."""
    (matrix,) = evaluated(re.sub("print .*", f"print {name}", source))
    after = matrix - rate * numerical_gradient(source, name)
    literal = Literal(matrix.shape, tuple(after.flatten().tolist()))
    return re.sub(f"let {name} = .*", f"let {name} = {source_matrix(literal)}", source)


def test_every_step_is_the_numerical_one() -> None:
    rate, steps = 0.05, 3
    *losses, w, b = evaluated(descended(SOURCE, "w", "b", steps=steps, rate=rate, prints=True))
    source = SOURCE
    for loss in losses[:-1]:
        np.testing.assert_allclose(loss, evaluated(source)[0], rtol=1e-9)
        after_w = moved(source, "w", rate)
        source = re.sub("let b = .*", moved(source, "b", rate).splitlines()[2], after_w)
    np.testing.assert_allclose(losses[-1], evaluated(source)[0], rtol=1e-9)
    for name, parameter in (("w", w), ("b", b)):
        (expected,) = evaluated(re.sub("print .*", f"print {name}", source))
        np.testing.assert_allclose(parameter, expected, rtol=1e-9)
    assert len(losses) == steps + 1


def test_ten_steps_of_the_attention_classifier() -> None:
    program = descended(H33.read_text(), "q0", "wk0", "wv0", "wo0", steps=10, rate=3.0)
    expected = (
        "1.60134 1.51356 1.36719 1.09744 0.812335 0.625597 0.495025 0.403562 0.342366 "
        "0.302609 0.273815"
    )
    assert " ".join(f"{loss.item():.6g}" for loss in mgc.run(program)) == expected


def test_what_is_not_trained_is_written_once() -> None:
    program = descended(SOURCE, "w", "b", steps=5, rate=0.1)
    assert program.count("exp(") == 1
    assert program.count("[[0.5, -1.0, 2.0], [2.0, 1.0, 0.3]]") == 1


def test_no_step_prints_the_loss_alone() -> None:
    program = descended(SOURCE, "w", "b", steps=0, rate=0.1)
    assert "backward" not in program
    assert [array.tolist() for array in evaluated(program)] == [evaluated(SOURCE)[0].tolist()]


@pytest.mark.parametrize("steps", [1, 4])
def test_the_program_grows_by_the_same_lines_for_each_step(steps: int) -> None:
    lines = [
        len(descended(SOURCE, "w", "b", steps=count, rate=0.1).splitlines())
        for count in (steps, steps + 1, steps + 2)
    ]
    assert lines[2] - lines[1] == lines[1] - lines[0]


def test_a_loss_that_is_its_only_parameter_descends() -> None:
    program = descended("let w = [[4]]\nprint w", "w", steps=2, rate=0.5, prints=True)
    assert [array.item() for array in evaluated(program)] == [4, 3.5, 3, 3]


def test_a_name_like_that_of_a_later_parameter_never_collides() -> None:
    source = "let p4 = [[4]]\nlet g2 = [[3]]\nprint p4 * p4 * g2"
    program = descended(source, "p4", "g2", steps=2, rate=0.01)
    names = re.findall(r"^let (\w+) =", program, re.MULTILINE)
    assert len(names) == len(set(names))
    losses = [array.item() for array in evaluated(program)]
    p, g = 4.0, 3.0
    for loss in losses:
        assert loss == pytest.approx(p * p * g, rel=1e-14)
        p, g = p - 0.01 * 2 * p * g, g - 0.01 * p * p
