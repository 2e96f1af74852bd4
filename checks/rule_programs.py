"""Small programs for every operation, made from its row: all ways to stretch, and squares.

An element of a result counts with a weight of its own, so that the adjoint which reaches the
rule is nowhere uniform and the loss nowhere its own derivative. Sizes differ from each other in
one program; in another all are equal, so that a missing transpose is a wrong value and no wrong
shape. An operation takes part as soon as it has a row.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from mgc import ops
from mgc.literals import Literal, source_matrix
from mgc.ops import OPS, Kind
from mgc.shapes import ShapeError, shape_text, static, stretched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mgc.ops import Op
    from mgc.shapes import StaticShape

POSITIVE_ONLY = frozenset({ops.LOG, ops.SQRT})
"""Operations that take no numbers below 0."""

LEFT_OUT = frozenset({ops.CONSTANT, ops.BROADCAST, ops.PERMUTE})
"""A literal has no operands, stretching is what every pair of sizes here does, and permute is
refused (see `properties.refused_operations`)."""

FLAT = frozenset({ops.GE})
"""Operations that pass nothing back: beside them an operand also reaches the loss directly."""

SCALAR = 1.7
STRETCHING = frozenset({ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.GE})
STRETCHED: tuple[StaticShape, ...] = ((2, 3), (1, 3), (2, 1), (1, 1))
OBLONG: tuple[StaticShape, ...] = ((2, 3), (3, 4), (1, 3), (3, 1))
SQUARE: StaticShape = (3, 3)


def rule_operations() -> list[Op]:
    """Return the operations that have a program, in the order of the table."""
    return [op for op in OPS if op not in LEFT_OUT]


@cache
def rule_program(op: Op, *, square: bool) -> tuple[str, tuple[str, ...]]:
    """Return a program that applies `op` in every way, and the names of its matrices."""
    numbers = np.random.default_rng(OPS.index(op))
    lines: list[str] = []
    names: list[str] = []
    terms: list[str] = []
    for case, shapes in enumerate(_squares(op) if square else _oblongs(op)):
        operands = [f"{operand}{case}" for operand in op.operands]
        for name, shape in zip(operands, shapes, strict=True):
            lines.append(f"let {name} = {_literal(numbers, shape, positive=op in POSITIVE_ONLY)}")
            if op in FLAT:
                terms.append(_weighted(numbers, name, shape))
        terms.append(_weighted(numbers, *_applied(op, operands, shapes)))
        names += operands
    return "\n".join([*lines, f"print {' + '.join(terms)}", ""]), tuple(names)


def _squares(op: Op) -> Iterator[tuple[StaticShape, ...]]:
    yield (SQUARE,) * len(op.operands)


def _oblongs(op: Op) -> Iterator[tuple[StaticShape, ...]]:
    """Yield the shapes of the operands, as far as they fit the operation."""
    if op in STRETCHING:
        for pair in product(STRETCHED, repeat=2):
            if (2, 3) in pair or pair in (((1, 3), (2, 1)), ((2, 1), (1, 3))):
                yield pair
        return
    for shapes in product(OBLONG, repeat=len(op.operands)):
        with suppress(ShapeError):
            op.shape(*shapes, **_attributes(op, shapes[0])[0])
            yield shapes


def _attributes(op: Op, shape: StaticShape) -> tuple[dict[str, object], dict[str, str]]:
    """Return attributes for an operand of this shape, as values and as source text."""
    attributes: dict[str, object] = {}
    texts: dict[str, str] = {}
    for name, kind in op.attributes.items():
        if kind is Kind.F64:
            attributes[name], texts[name] = SCALAR, repr(SCALAR)
        else:
            other = (prod(shape), 1) if shape[1] > 1 else (1, prod(shape))
            attributes[name], texts[name] = other, ", ".join(map(str, other))
    return attributes, texts


def _applied(
    op: Op, operands: list[str], shapes: tuple[StaticShape, ...]
) -> tuple[str, StaticShape]:
    """Return the application as source text, and the shape of what it gives."""
    attributes, texts = _attributes(op, shapes[0])
    given = list(shapes)
    if op in STRETCHING:
        common = stretched(*shapes)
        assert common is not None, [shape_text(shape) for shape in shapes]
        given = [static(common)] * 2
    text = op.source.format(**dict(zip(op.operands, operands, strict=True)), **texts)
    return text, static(op.shape(*given, **attributes))


def _weighted(numbers: np.random.Generator, text: str, shape: StaticShape) -> str:
    return f"col_sum(row_sum({text} * {_literal(numbers, shape, positive=False)}))"


def _literal(numbers: np.random.Generator, shape: StaticShape, *, positive: bool) -> str:
    """Draw entries of three digits between 0.3 and 2.3, apart from each other, of either sign."""
    rows, columns = shape
    count = rows * columns
    entries = 0.3 + 2.0 * (numbers.permutation(count) + numbers.uniform(0.2, 0.8, count)) / count
    if not positive:
        entries *= numbers.choice([-1.0, 1.0], count)
    return source_matrix(Literal((rows, columns), tuple(entries.round(3).tolist())))
