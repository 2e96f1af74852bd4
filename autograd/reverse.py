"""Reverse mode: which values need an adjoint, and how each one's is put together.

The driver walks the program backwards. It alone adds up what a value used several times
receives, before any of it is passed further back, so that the work stays linear in the program;
it asks a rule only for operands that lead to a requested matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograd.expression import Value, constant
from autograd.rule_table import Rule
from autograd.rules import VJPS
from mgc.literals import full

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Backward:
    """The backward pass.

    `groups` are the adjoints in the order they are computed, each group what one operation
    passes back; `adjoints` has that of each requested matrix that received one.
    """

    groups: list[list[Value]]
    adjoints: dict[Value, Value]


def needed_for(targets: Iterable[Value]) -> set[Value]:
    """Return every value that the targets are computed from, themselves included."""
    needed: set[Value] = set()
    waiting = list(targets)
    while waiting:
        value = waiting.pop()
        if value not in needed:
            needed.add(value)
            waiting.extend(value.operands)
    return needed


def active_values(steps: Sequence[Value], wrt: Iterable[Value]) -> set[Value]:
    """Return the values through which a change of a requested matrix can move the loss.

    Nothing passes through an operation whose derivative is zero.
    """
    active = set(wrt)
    for value in steps:
        if isinstance(VJPS[value.op], Rule) and not active.isdisjoint(value.operands):
            active.add(value)
    return active


def backward(steps: Sequence[Value], loss: Value, wrt: Sequence[Value]) -> Backward:
    """Return the backward pass of a 1x1 loss over the steps it is computed by."""
    wanted = set(wrt)
    active = active_values(steps, wrt)
    seed = constant(full((1, 1), 1.0))
    groups: list[list[Value]] = [[seed]]
    received: dict[Value, list[Value]] = {loss: [seed]}
    adjoints: dict[Value, Value] = {}
    for value in reversed(steps):
        contributions = received.pop(value, [])
        if not contributions or value not in active:
            continue
        adjoint = contributions[0]
        for contribution in contributions[1:]:
            adjoint = adjoint + contribution
            groups.append([adjoint])
        if value in wanted:
            adjoints[value] = adjoint
            continue
        passed = _passed_back(value, adjoint)
        group: list[Value] = []
        for operand, cotangent in zip(value.operands, passed, strict=True):
            if operand in active:
                received.setdefault(operand, []).append(cotangent)
                if cotangent is not adjoint:
                    group.append(cotangent)
        if group:
            groups.append(group)
    return Backward(groups, adjoints)


def _passed_back(value: Value, adjoint: Value) -> tuple[Value, ...]:
    """Return what each operand receives from this value."""
    rule = VJPS[value.op]
    assert isinstance(rule, Rule)
    return rule(
        {
            "ct": adjoint,
            "out": value,
            **dict(zip(value.op.operands, value.operands, strict=True)),
            **value.attributes,
        }
    )
