"""Somebody's hand-derived gradients beside the generated ones, element by element.

The program prints its loss and then the gradients that its author derived, in the order of the
request. Where an element differs, a central difference of the loss says which of the two is right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from autograd.names import let_bindings
from autograd.transform import gradient_program, posed_problem
from mgc import ops
from mgc.compile import run_arrays, static_program
from mgc.diagnostics import Diagnostic
from mgc.interpret import interpret
from mgc.ir import Apply, Module
from mgc.ir_parse import parse_ir
from mgc.literals import Literal
from mgc.parse import parse
from mgc.shapes import shape_text
from mgc.specialize import specialize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograd.compiler import Program
    from autograd.expression import Value
    from autograd.problem import Problem, Request
    from mgc.meanings import Array

    Mask = np.ndarray[tuple[int, ...], np.dtype[np.bool]]

TOLERANCE = 1e-10
"""Of the largest entry of a gradient. Two correct derivations differ by rounding alone, which
for the book's programs is below 1e-13 of it; a wrong one is off by far more."""

STEP = 1e-4
"""Of the fourth-order central difference, relative to 1 or to the entry if that is larger."""

MOST_NUMERICAL = 12
"""So many differing elements of a matrix, the worst ones, get a numerical value beside them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An element (row and column counted from 0) in which the two gradients differ."""

    row: int
    column: int
    hand: float
    generated: float
    numerical: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One matrix: how many elements differ by more than `tolerance`, the worst first.

    `last_use` numbers the operations of the forward pass: the larger, the nearer to the loss.
    """

    name: str
    shape: tuple[int, ...]
    last_use: int
    differing: int
    tolerance: float
    worst: float
    hint: str
    differences: tuple[Difference, ...]


def compare(program: Program, request: Request) -> list[Comparison]:
    """Return a comparison for each requested matrix; Diagnostic where there is none to make."""
    problem = posed_problem(program, request)
    text = gradient_program(problem, program.title)
    _, *generated = run_arrays(static_program(text, f"the gradient of {program.title}"), 0)
    module = parse_ir(program.ir_text)
    printed = run_arrays(specialize(module, program.file), 0)
    names = list(problem.matrices)
    hand = _hand_derived(printed[request.loss + 1 :], names, generated)
    bindings = let_bindings(parse(program.source))
    comparisons: list[Comparison] = []
    for name, derived, right in zip(names, hand, generated, strict=True):
        constant = bindings[name].constant
        assert constant is not None
        numerical = _Numerical(module, constant, request.loss)
        last_use = _last_use(problem, problem.matrices[name])
        comparisons.append(_compared(name, last_use, (derived, right), numerical))
    return comparisons


def _last_use(problem: Problem, matrix: Value) -> int:
    uses = [number for number, step in enumerate(problem.steps) if matrix in step.operands]
    return uses[-1] if uses else 0


def _hand_derived(
    printed: Sequence[Array], names: Sequence[str], generated: Sequence[Array]
) -> Sequence[Array]:
    order = "print the hand-derived gradients right after the loss, in the order of --wrt"
    if len(printed) < len(names):
        msg = f"{len(printed)} matrices follow the loss, but {len(names)} gradients are asked for"
        raise Diagnostic(f"{msg}; {order}")
    causes = [
        f"'{name}' is {shape_text(right.shape)} but its gradient is printed as "
        f"{shape_text(derived.shape)}"
        for name, derived, right in zip(names, printed, generated, strict=False)
        if derived.shape != right.shape
    ]
    if causes:
        raise Diagnostic(f"{'; '.join(causes)}; {order}")
    return printed[: len(names)]


def _compared(
    name: str, last_use: int, pair: tuple[Array, Array], numerical: _Numerical
) -> Comparison:
    hand, generated = pair
    both = np.concatenate([hand, generated])
    tolerance = TOLERANCE * float(np.abs(both[np.isfinite(both)]).max(initial=0.0))
    with np.errstate(invalid="ignore"):
        error = np.abs(hand - generated)
    differs = ~(error <= tolerance)
    order = np.argsort(-np.where(np.isnan(error), np.inf, error), axis=None, kind="stable")
    differences: list[Difference] = []
    for position in order[: int(differs.sum())]:
        row, column = divmod(int(position), error.shape[1])
        known = len(differences) < MOST_NUMERICAL
        slope = numerical.slope(row, column) if known else None
        values = float(hand[row, column]), float(generated[row, column])
        differences.append(Difference(row, column, *values, slope))
    worst = float(error.flat[order[0]])
    hint = _hint(hand, generated, differs, tolerance) if differences else ""
    return Comparison(
        name, hand.shape, last_use, len(differences), tolerance, worst, hint, tuple(differences)
    )


def _hint(hand: Array, generated: Array, differs: Mask, tolerance: float) -> str:
    """Return what the difference looks like, if it looks like a common mistake."""
    slack = 1e-9
    large = np.abs(generated) > tolerance
    if not np.isfinite(hand).all():
        return "the hand-derived gradient has entries that are not finite"
    if not np.any(hand):
        return "the hand-derived gradient is all zeros"
    if large.any():
        ratios = hand[large] / generated[large]
        factor = float(np.median(ratios))
        if np.allclose(hand, factor * generated, rtol=slack, atol=tolerance):
            sign = "the sign is wrong" if factor == -1.0 else f"a factor of {factor:.6g} too much"
            return f"{sign}, in every element"
    rows, columns = hand.shape
    if rows == columns and np.allclose(hand, generated.T, rtol=slack, atol=tolerance):
        return "it is the transpose of the right one"
    return _where(differs)


def _where(differs: Mask) -> str:
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if differs.all():
        return "every element is wrong"
    if len(rows) == 1 and differs.shape[0] > 1:
        return f"only row {rows[0]} is wrong"
    if len(columns) == 1 and differs.shape[1] > 1:
        return f"only column {columns[0]} is wrong"
    return ""


class _Numerical:
    """Slopes of the interpreted loss in one literal of a program."""

    def __init__(self, module: Module, constant: int, loss: int) -> None:
        literals = [
            statement
            for statement in module.main.body
            if isinstance(statement, Apply) and statement.op is ops.CONSTANT
        ]
        self.module = module
        self.statement = literals[constant]
        self.loss = loss

    def slope(self, row: int, column: int) -> float:
        """Return the fourth-order central difference of the loss in one entry."""
        literal: Literal = self.statement.attributes["literal"]
        index = row * literal.shape[1] + column
        step = STEP * max(1.0, abs(literal.elements[index]))
        near = self._moved(literal, index, step) - self._moved(literal, index, -step)
        far = self._moved(literal, index, 2 * step) - self._moved(literal, index, -2 * step)
        return (8 * near - far) / (12 * step)

    def _moved(self, literal: Literal, index: int, by: float) -> float:
        elements = list(literal.elements)
        elements[index] += by
        attributes = {"literal": Literal(literal.shape, tuple(elements))}
        changed = replace(self.statement, attributes=attributes)
        main = self.module.main
        body = tuple(changed if each is self.statement else each for each in main.body)
        moved = Module(self.module.functions, replace(main, body=body))
        return interpret(moved)[self.loss].item()
