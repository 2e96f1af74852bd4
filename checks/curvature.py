"""Which matrices the gradient of a loss depends on, told from the operations of its program.

A product has a second derivative in any two matrices that move one factor each; a quotient has
one in what moves its denominator, beside what moves either part; and a curved function of one
value has one in any two that move the value. Every other operation is linear, or is so between
kinks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mgc import ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.reference import Reference, Step

_PRODUCTS = frozenset({ops.MUL, ops.MATMUL})
_CURVED = frozenset({ops.EXP, ops.LOG, ops.SQRT, ops.SCALAR_DIV})


def curved_in(reference: Reference, names: Sequence[str], number: int) -> list[str]:
    """Return those of the literal lets that the gradient in all of them depends on.

    The loss is print `number`. What passes through a comparison does not count.
    """
    moves: list[frozenset[str]] = [frozenset()] * len(reference.steps)
    for name in names:
        literal = reference.literals[name]
        moved = reference.reached(frozenset([literal]), past_comparisons=False)
        for place in (literal, *moved):
            moves[place] |= {name}
    curved: set[str] = set()
    felt = {reference.prints[number]}
    for place in reversed(range(len(reference.steps))):
        step = reference.steps[place]
        if place in felt and step.op is not ops.GE:
            felt.update(step.operands)
            curved |= _bent(step, [moves[each] for each in step.operands])
    return [name for name in names if name in curved]


def _bent(step: Step, moves: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the matrices that the derivative of one operation depends on."""
    if step.op in _CURVED:
        return moves[0]
    if step.op in _PRODUCTS and all(moves):
        return moves[0] | moves[1]
    if step.op is ops.DIV and moves[1]:
        return moves[0] | moves[1]
    return frozenset()
