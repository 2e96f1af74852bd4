"""The order of the statements: values as short-lived as their dependences allow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from autograd.optimize.graph import operands_first
from mgc import ops
from mgc.shapes import element_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from autograd.expression import Value

BYTES = 8


def peak_bytes(order: Sequence[Value], roots: Iterable[Value]) -> int:
    """Return the most bytes that are live at once; literals and stretching take none."""
    uses = _uses(order, roots)
    live = most = 0
    for value in order:
        live += _bytes(value)
        most = max(most, live)
        for operand in value.operands:
            uses[operand] -= 1
            if not uses[operand]:
                live -= _bytes(operand)
    return most


def scheduled(order: Sequence[Value], roots: Sequence[Value]) -> list[Value]:
    """Return the order with the least peak of: the given one, depth first, and greedy."""
    needed = operands_first(roots)
    present = set(needed)
    candidates = [
        operands_first([*(value for value in order if value in present), *roots]),
        needed,
        operands_first(reversed(roots)),
        _greedy(needed, roots),
    ]
    return min(candidates, key=lambda each: peak_bytes(each, roots))


def _greedy(needed: Sequence[Value], roots: Sequence[Value]) -> list[Value]:
    """At each point take the ready value that frees most, or else costs least."""
    uses = _uses(needed, roots)
    sizes = {value: _bytes(value) for value in needed}
    missing = {value: len(set(value.operands)) for value in needed}
    users: dict[Value, list[Value]] = {}
    for value in needed:
        for operand in dict.fromkeys(value.operands):
            users.setdefault(operand, []).append(value)
    position = {value: number for number, value in enumerate(needed)}
    ready = [value for value in needed if not missing[value]]
    order: list[Value] = []

    def growth(value: Value) -> tuple[int, int]:
        operands = value.operands
        freed = sum(sizes[each] for each in set(operands) if uses[each] == operands.count(each))
        return sizes[value] - freed, position[value]

    while ready:
        value = min(ready, key=growth)
        ready.remove(value)
        order.append(value)
        uses.subtract(value.operands)
        for user in users.get(value, ()):
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    return order


def _uses(order: Iterable[Value], roots: Iterable[Value]) -> Counter[Value]:
    uses: Counter[Value] = Counter(roots)
    for value in order:
        uses.update(value.operands)
    return uses


def _bytes(value: Value) -> int:
    if value.op in (ops.CONSTANT, ops.BROADCAST) or not value.op.operands:
        return 0
    return element_count(value.shape) * BYTES
