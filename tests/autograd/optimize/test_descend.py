"""Optimised gradient descent against the plain one."""

import numpy as np
import pytest

import mgc
from autograd.descend import Descent, descent_program
from autograd.optimize.descend import optimized_descent
from autograd.optimize.passes import optimized
from autograd.problem import Problem, Request
from autograd.transform import posed_problem
from tests.autograd.numerical import program
from tests.autograd.test_descend import H33, SOURCE

PROBLEMS = {
    "regression": (SOURCE, ("w", "b")),
    "attention": (H33.read_text(), ("q0", "wk0", "wv0", "wo0")),
    "a loss that is its parameter": ("let w = [[4]]\nprint w", ("w",)),
}
STEPS = 5


def posed(name: str) -> Problem:
    source, wrt = PROBLEMS[name]
    return posed_problem(program(source), Request(wrt))


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_loss_and_parameter_agrees_with_the_plain_descent(name: str) -> None:
    problem = posed(name)
    descent = Descent(STEPS, 0.1, prints_parameters=True)
    better = mgc.run(optimized_descent(problem, optimized(problem), name, descent))
    plain = mgc.run(descent_program(problem, name, descent))
    for one, other in zip(better, plain, strict=True):
        # Five steps carry the rounding of one gradient, 1e-15, no further than this.
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * np.abs(other).max())


@pytest.mark.parametrize("name", PROBLEMS)
def test_no_step_repeats_what_cannot_have_changed(name: str) -> None:
    problem = posed(name)
    descent = Descent(STEPS, 0.1, prints_parameters=False)
    text = optimized_descent(problem, optimized(problem), name, descent)
    expressions = [line.split(" = ", 1)[1] for line in text.splitlines() if " = " in line]
    assert len(set(expressions)) == len(expressions)


def test_what_no_step_changes_stands_before_the_first() -> None:
    problem = posed("regression")
    descent = Descent(STEPS, 0.1, prints_parameters=False)
    text = optimized_descent(problem, optimized(problem), "test.mg", descent)
    before, *steps = text.split("# ---- step")
    assert before.count("exp(") == 1
    assert "exp(" not in "".join(steps)
    assert before.count("transpose(x)") == 1
    assert "transpose" not in "".join(steps)
