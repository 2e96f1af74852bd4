"""Reverse mode: which values need an adjoint, and how each one's is put together.

The driver walks the program backwards. It alone adds up what a value used several times
receives, before any of it is passed further back, so that the work stays linear in the program;
it asks a rule only for operands that lead to a requested matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from autograd.expression import Value, constant
from autograd.rule_table import Rule
from autograd.rules import VJPS
from mgc.literals import full

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Backward:
    """The backward pass.

    `groups` are the adjoints in the order they are computed, each group what one operation
    passes back; `origins` says which operation that is. `adjoints` has the adjoint of each value
    that received one.
    """

    groups: list[list[Value]]
    origins: list[Value]
    adjoints: dict[Value, Value]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A value whose adjoint goes to `operand` in one step, past what lies between them."""

    operand: Value
    pass_back: Callable[[Value], Value]
    name: str


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
        if not active.isdisjoint(value.operands) and isinstance(VJPS[value.op], Rule):
            active.add(value)
    return active


def backward(
    steps: Sequence[Value],
    loss: Value,
    wrt: Sequence[Value],
    shortcuts: Mapping[Value, Shortcut] = MappingProxyType({}),
) -> Backward:
    """Return the backward pass of a 1x1 loss over the steps it is computed by."""
    wanted = set(wrt)
    active = active_values(steps, wrt)
    seed = constant(full((1, 1), 1.0))
    groups: list[list[Value]] = [[seed]]
    origins = [loss]
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
            origins.append(value)
        adjoints[value] = adjoint
        if value in wanted:
            continue
        group: list[Value] = []
        for operand, cotangent in _passed_back(value, adjoint, shortcuts.get(value)):
            if operand in active:
                received.setdefault(operand, []).append(cotangent)
                if cotangent is not adjoint:
                    group.append(cotangent)
        if group:
            groups.append(group)
            origins.append(value)
    return Backward(groups, origins, adjoints)


def _passed_back(
    value: Value, adjoint: Value, shortcut: Shortcut | None
) -> Iterable[tuple[Value, Value]]:
    """Return what each operand receives from this value."""
    if shortcut is not None:
        return [(shortcut.operand, shortcut.pass_back(adjoint))]
    rule = VJPS[value.op]
    assert isinstance(rule, Rule)
    named = zip(value.op.operands, value.operands, strict=True)
    available: dict[str, object] = dict(named, ct=adjoint, out=value, **value.attributes)
    return zip(value.operands, rule(available), strict=True)
