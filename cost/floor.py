"""The operations that a gradient cannot do without, beside those that a program executes.

A matrix product whose operands both lead to a requested matrix takes two more in the backward
pass, one whose operands do so singly takes one more; and no derivative of this language needs an
exp, log or sqrt that the program has not computed itself. This holds of the program as it is
written: what it computes twice is counted twice.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from autograd.flatten import flatten
from autograd.rule_table import Rule
from autograd.rules import VJPS
from mgc import ops
from mgc.compile import compile_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograd.expression import Value
    from autograd.problem import Problem
    from mgc.ops import Op

COUNTED = (ops.MATMUL, ops.EXP, ops.LOG, ops.SQRT)
"""The operations that are dear enough to count."""


def executed(source: str, file: str) -> Counter[Op]:
    """Return how often a program executes each operation; Diagnostic if it does not compile."""
    line = flatten(compile_source(source, file), {})
    return Counter(step.op for step in line.steps)


def floor(problem: Problem) -> Counter[Op]:
    """Return how often a gradient program executes the operations of `COUNTED` at the least."""
    least = Counter(step.op for step in problem.steps if step.op in COUNTED)
    wrt = [matrix for name, matrix in problem.matrices.items() if name not in problem.unused]
    moving = _moving(problem.steps, wrt)
    for step in _felt(problem.steps, problem.loss):
        if step.op is ops.MATMUL:
            least[ops.MATMUL] += sum(operand in moving for operand in step.operands)
    return least


def excess(problem: Problem, source: str, file: str) -> dict[str, int]:
    """Return how many more of the operations of `COUNTED` a program executes than the floor.

    A negative number is a program that executes fewer; where it has the floor there is no entry.
    """
    done, least = executed(source, file), floor(problem)
    return {op.name: done[op] - least[op] for op in COUNTED if done[op] != least[op]}


def _moving(steps: Sequence[Value], wrt: Sequence[Value]) -> set[Value]:
    """Return the values that move with a requested matrix, and that matrix."""
    moving = set(wrt)
    for step in steps:
        if _is_differentiable(step) and not moving.isdisjoint(step.operands):
            moving.add(step)
    return moving


def _felt(steps: Sequence[Value], loss: Value) -> set[Value]:
    """Return the values that the loss moves with, and the loss."""
    felt = {loss}
    for step in reversed(steps):
        if step in felt and _is_differentiable(step):
            felt.update(step.operands)
    return felt


def _is_differentiable(step: Value) -> bool:
    return isinstance(VJPS[step.op], Rule)
