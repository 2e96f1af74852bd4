"""Gradients without derivative rules: fourth-order central differences of the interpreted loss."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from autograd.compiler import Program
from autograd.descend import Descent, descent_program
from autograd.names import let_bindings
from autograd.problem import Request
from autograd.transform import gradient_program, posed_problem
from mgc import ops
from mgc.compile import compile_source
from mgc.interpret import interpret
from mgc.ir import Apply, Module
from mgc.ir_text import ir_text
from mgc.literals import Literal
from mgc.parse import parse

if TYPE_CHECKING:
    from mgc.meanings import Array

STEP = 1e-3
# The truncation error is of the order of STEP**4 times a fifth derivative, the rounding error of
# the order of 1e-16 / STEP; the programs compared here keep both below 1e-10 of the largest entry.
TOLERANCE = 1e-9


def program(source: str) -> Program:
    """Return a source text as the bundled compiler sees it."""
    text = ir_text(compile_source(source, "test.mg"))
    return Program(source, text, "test.mg", "test.mg", "mgc mlir test.mg")


def transformed(source: str, *wrt: str, loss: int = 0, unused_is_zero: bool = False) -> str:
    """Return the gradient program of a source text."""
    request = Request(wrt, loss, unused_is_zero)
    return gradient_program(posed_problem(program(source), request), "test.mg")


def descended(source: str, *wrt: str, steps: int, rate: float, prints: bool = False) -> str:
    """Return the gradient-descent program of a source text."""
    problem = posed_problem(program(source), Request(wrt))
    return descent_program(problem, "test.mg", Descent(steps, rate, prints))


def evaluated(source: str) -> list[Array]:
    """Return what a program prints, by the interpreter."""
    return interpret(compile_source(source, "test.mg"))


def numerical_gradient(source: str, name: str) -> Array:
    """Return the gradient of the first print of a program in the literal let `name`."""
    module = compile_source(source, "test.mg")
    constant = let_bindings(parse(source))[name].constant
    assert constant is not None
    literals = [
        statement
        for statement in module.main.body
        if isinstance(statement, Apply) and statement.op is ops.CONSTANT
    ]
    literal: Literal = literals[constant].attributes["literal"]
    gradient = np.empty(len(literal.elements))
    for index in range(len(literal.elements)):
        gradient[index] = _slope(module, literals[constant], literal, index)
    return gradient.reshape(literal.shape)


def _slope(module: Module, statement: Apply, literal: Literal, index: int) -> float:
    losses: dict[int, float] = {}
    for steps in (-2, -1, 1, 2):
        elements = list(literal.elements)
        elements[index] += steps * STEP
        moved = Literal(literal.shape, tuple(elements))
        changed = replace(statement, attributes={"literal": moved})
        body = tuple(changed if each is statement else each for each in module.main.body)
        printed = interpret(Module(module.functions, replace(module.main, body=body)))
        losses[steps] = printed[0].item()
    near, far = losses[1] - losses[-1], losses[2] - losses[-2]
    return (8 * near - far) / (12 * STEP)


def assert_gradients(source: str, *wrt: str) -> None:
    """Compare the loss and every gradient that the transformation writes with the numerical one."""
    loss, *gradients = evaluated(transformed(source, *wrt))
    assert loss == evaluated(source)[0]
    for name, gradient in zip(wrt, gradients, strict=True):
        expected = numerical_gradient(source, name)
        assert gradient.shape == expected.shape
        assert np.isfinite(gradient).all()
        scale = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(gradient, expected, rtol=0, atol=TOLERANCE * scale, err_msg=name)
