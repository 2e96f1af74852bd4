"""Random expressions, with the values that they must have.

An operation takes part as soon as it has a row in `mgc.ops.OPS` and a spelling in source. What an
expression is worth is worked out while it is drawn, one operation at a time and without the
compiler.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from checks.random_domains import ANYTHING, LIMIT
from mgc import ops
from mgc.literals import Literal, source_matrix
from mgc.ops import OPS, Attributes, Kind, Op
from mgc.shapes import MATRIX_RANK, Shape, ShapeError, is_static

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from checks.random_domains import Domain
    from mgc.meanings import Array

MOST_ROWS = 3
MOST_TEXT = 200
"""Of an expression that is used again without a name: reuse doubles it."""

STRETCHING = (ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.GE)


@dataclass(frozen=True)
class Drawn:
    """A value: its source text, its shape as the compiler knows it, and its elements.

    `moved` tells whether a let that is a literal moves it, other than through a comparison.
    """

    text: str
    shape: Shape
    array: Array
    moved: bool = False


# ---- rows that source has and the table has not: a mean is two operations


def _mean(name: str, axis: int, total: Op) -> Op:
    def shape(x: Shape) -> Shape:
        result = total.shape(x)
        if x[axis] is None:
            raise ShapeError("a mean divides by a size")
        return result

    def evaluate(x: Array) -> Array:
        return total.evaluate(x) / x.shape[axis]

    return Op(name, ("x",), shape, evaluate, "", f"{name}({{x}})")


SPELLED = (
    *(op for op in OPS if op.source and op is not ops.CONSTANT),
    _mean("row_mean", 1, ops.ROW_SUM),
    _mean("col_mean", 0, ops.COL_SUM),
)
"""What an expression may be made of, beside literals and calls."""


# ---- one operation


def _stretched(left: Drawn, right: Drawn) -> list[tuple[Shape, Array]] | None:
    """Both operands, grown where a known 1 meets another known size; None if that is no fit."""
    if len(left.shape) != len(right.shape):
        return None
    grown: list[tuple[Shape, Array]] = []
    for one, other in ((left, right), (right, left)):
        grows = [
            mine == 1 and theirs is not None
            for mine, theirs in zip(one.shape, other.shape, strict=True)
        ]
        pairs = list(zip(grows, one.shape, other.shape, strict=True))
        shape = tuple(theirs if grow else mine for grow, mine, theirs in pairs)
        sizes = zip(grows, one.array.shape, other.array.shape, strict=True)
        actual = tuple(theirs if grow else mine for grow, mine, theirs in sizes)
        grown.append((shape, np.broadcast_to(one.array, actual)))
    return grown


def _attribute_text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else repr(value)


@dataclass(frozen=True)
class Step:
    """An operation with its attributes, as values and as source text, and a domain to stay in."""

    op: Op
    attributes: Attributes
    texts: dict[str, str]
    domain: Domain

    def result(self, operands: list[Drawn]) -> Drawn | None:
        """Return the value, or None where shapes, at either time, or the domain forbid it."""
        pairs: list[tuple[Shape, Array]] | None = [(each.shape, each.array) for each in operands]
        if self.op in STRETCHING:
            pairs = _stretched(operands[0], operands[1])
        if pairs is None:
            return None
        arrays = [array for _, array in pairs]
        try:
            shape = self.op.shape(*(shape for shape, _ in pairs), **self.attributes)
            self.op.shape(*(array.shape for array in arrays), **self.attributes)
        except ShapeError:
            return None
        with np.errstate(all="ignore"):
            array = self.op.evaluate(*arrays, **self.attributes)
        if not self.domain.allows(self.op, arrays, self.attributes, array):
            return None
        texts = dict(zip(self.op.operands, (each.text for each in operands), strict=True))
        moved = self.op is not ops.GE and any(each.moved for each in operands)
        return Drawn(self.op.source.format(**texts, **self.texts), shape, array, moved)


@dataclass
class Scope:
    """What an expression may use: matrices and scalars by their text."""

    draw: DrawFn
    domain: Domain
    values: list[Drawn] = field(default_factory=list)
    literals: list[Drawn] = field(default_factory=list)
    scalars: dict[str, float] = field(default_factory=dict)

    def literal(self, shape: tuple[int, int], *, positive: bool = False) -> Drawn:
        """Draw a matrix literal, or write down one of this shape again."""
        again = [each for each in self.literals if each.shape == shape]
        if again and self.draw(st.booleans()):
            return self.draw(st.sampled_from(again))
        elements = self.domain.positive if positive else self.domain.elements
        drawn = self.draw(st.lists(elements, min_size=prod(shape), max_size=prod(shape)))
        text = source_matrix(Literal(shape, tuple(drawn)))
        literal = Drawn(text, shape, np.array(drawn, dtype=np.float64).reshape(shape))
        self.literals.append(literal)
        return literal

    def operation(self, op: Op) -> Drawn | None:
        """Draw a use of `op`; None where what was drawn does not lead to one."""
        unary = len(op.operands) == 1
        usable = [each for each in self.values if not unary or self._fits(op, each)]
        first = self._one_of(usable) or self.literal(self.draw(matrix_shapes), positive=True)
        step = self._step(op, first)
        if step is None:
            return None
        operands = [first]
        for _ in op.operands[1:]:
            fitting = [each for each in self.values if step.result([*operands, each])]
            second = self._one_of(fitting) or self._fitting_literal(step, operands)
            if second is None:
                return None
            operands.append(second)
        return step.result(operands)

    def _fits(self, op: Op, operand: Drawn) -> bool:
        if op.attributes:
            return len(operand.shape) == MATRIX_RANK or is_static(operand.shape)
        return Step(op, {}, {}, self.domain).result([operand]) is not None

    def _one_of(self, values: list[Drawn]) -> Drawn | None:
        """Draw one of the values, or now and then none."""
        if not values or self.draw(st.integers(0, 5)) == 0:
            return None
        return self.draw(st.sampled_from(values))

    def _fitting_literal(self, step: Step, operands: list[Drawn]) -> Drawn | None:
        near = {size for each in operands for size in each.array.shape} | {1, 2}
        shapes = [
            (rows, columns)
            for rows in sorted(near)
            for columns in sorted(near)
            if Step(step.op, step.attributes, step.texts, ANYTHING).result(
                [*operands, Drawn("", (rows, columns), np.ones((rows, columns)))]
            )
        ]
        if not shapes:
            return None
        return self.literal(self.draw(st.sampled_from(shapes)), positive=True)

    def _step(self, op: Op, first: Drawn) -> Step | None:
        attributes: dict[str, object] = {}
        texts: dict[str, str] = {}
        for name, kind in op.attributes.items():
            if kind is Kind.F64:
                texts[name], attributes[name] = self.scalar()
                continue
            if not is_static(first.shape):
                return None
            attributes[name] = self.draw(_integers(kind, first.shape))
            texts[name] = _attribute_text(attributes[name])
        return Step(op, attributes, texts, self.domain)

    def scalar(self) -> tuple[str, float]:
        """Draw a scalar: a number, the name of one, or two numbers that fold."""
        value = self.draw(self.domain.positive)
        known = [*self.scalars.items(), (repr(value), value), (repr(-value), -value)]
        text, value = self.draw(st.sampled_from(known))
        if abs(value) < LIMIT and self.draw(st.booleans()):
            return f"({text} * 0.5 - 0.25)", value * 0.5 - 0.25
        return text, value

    def grow(self, steps: int) -> None:
        """Add the results of some operations to the values, written out in full."""
        for op in self.draw(st.lists(st.sampled_from(SPELLED), min_size=1, max_size=steps)):
            value = self.operation(op)
            if value is not None and len(value.text) <= MOST_TEXT:
                self.values.append(value)


matrix_shapes = st.tuples(st.integers(1, MOST_ROWS), st.integers(1, MOST_ROWS))


def _integers(kind: Kind, shape: tuple[int, ...]) -> st.SearchStrategy[tuple[int, ...]]:
    if kind is Kind.INTEGERS:
        return st.permutations(range(len(shape))).map(tuple)
    count = prod(shape)
    sizes = [size for size in range(1, count + 1) if count % size == 0]
    shapes: list[tuple[int, ...]] = [(count,)]
    shapes += [(size, count // size) for size in sizes]
    shapes += [(size, 1, count // size) for size in sizes]
    return st.sampled_from(shapes)
