"""The incremental bookkeeping of a schedule, against what it says, computed from scratch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograd.optimize.graph import operands_first
from autograd.optimize.passes import Optimized, optimized
from autograd.optimize.schedule import BYTES, Frontier, Liveness, peak_bytes
from mgc import ops
from mgc.shapes import element_count
from tests.autograd.optimize.problems import problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograd.expression import Value

EXAMPLES = 40


@pytest.fixture(scope="module")
def graphs() -> list[Optimized]:
    return [optimized(problem) for problem in problems(EXAMPLES)]


def roots_of(graph: Optimized) -> list[Value]:
    return [graph.loss, *graph.gradients.values()]


def bytes_of(values: set[Value]) -> int:
    small = (ops.CONSTANT, ops.BROADCAST)
    return sum(element_count(value.shape) * BYTES for value in values if value.op not in small)


def live_after(order: Sequence[Value], count: int, roots: Sequence[Value]) -> set[Value]:
    """Return what is computed by the first values of an order and still needed after them."""
    needed = {*roots, *(operand for value in order[count:] for operand in value.operands)}
    return needed & set(order[:count])


def greedy_by_definition(needed: Sequence[Value], roots: Sequence[Value]) -> list[Value]:
    order: list[Value] = []
    while len(order) < len(needed):
        ready = [
            value
            for value in needed
            if value not in order and all(each in order for each in value.operands)
        ]

        def growth(value: Value) -> int:
            others = [each for each in needed if each not in order and each is not value]
            kept = {*roots, *(operand for other in others for operand in other.operands)}
            return bytes_of({value}) - bytes_of(set(value.operands) - kept)

        order.append(min(ready, key=lambda value: (growth(value), needed.index(value))))
    return order


def test_the_peak_is_that_of_the_live_values(graphs: list[Optimized]) -> None:
    for graph in graphs:
        roots = roots_of(graph)
        for order in (graph.order, operands_first(roots), operands_first(reversed(roots))):
            at_once = [
                bytes_of(live_after(order, number, roots) | {value})
                for number, value in enumerate(order)
            ]
            assert peak_bytes(order, roots) == max(at_once)


def test_the_frontier_takes_what_the_definition_takes(graphs: list[Optimized]) -> None:
    for graph in graphs:
        roots = roots_of(graph)
        needed = operands_first(roots)
        taken = [needed[number] for number in Frontier(Liveness(needed, roots)).taken()]
        assert taken == greedy_by_definition(needed, roots)
