"""Values of a straight-line program, and the arithmetic that derivative rules are written in.

A `Value` is one operation applied to other values; the whole of a program, and of everything the
rules add to it, is a graph of them. Operators and the functions below build new values with the
shape rules of `mgc.ops`, stretching operands as the language does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mgc import ops
from mgc.literals import Literal, full
from mgc.shapes import Shape, ShapeError, shape_text, static, stretched

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.ops import Attributes, Op


# Final and not frozen: there are many, and a frozen one takes seven times as long to make.
@dataclass(slots=True, eq=False)
class Value:
    """`op(operands)`; two values are the same only if they are the same object.

    `span` is the place in the program's source, for a value that comes from there.
    """

    op: Final[Op]
    operands: Final[tuple[Value, ...]]
    attributes: Final[Attributes]
    shape: Final[Shape]
    span: Final[Span | None] = None

    def __add__(self, other: Value) -> Value:
        """Return self + other, elementwise."""
        return _pairwise(ops.ADD, self, other)

    def __sub__(self, other: Value) -> Value:
        """Return self - other, elementwise."""
        return _pairwise(ops.SUB, self, other)

    def __mul__(self, other: Value | float) -> Value:
        """Return self * other, elementwise; a number scales every entry."""
        if isinstance(other, Value):
            return _pairwise(ops.MUL, self, other)
        return apply(ops.MUL_SCALAR, self, value=other)

    def __truediv__(self, other: Value | float) -> Value:
        """Return self / other, elementwise; a number divides every entry."""
        if isinstance(other, Value):
            return _pairwise(ops.DIV, self, other)
        return apply(ops.DIV_SCALAR, self, value=other)

    def __matmul__(self, other: Value) -> Value:
        """Return the matrix product."""
        return apply(ops.MATMUL, self, other)

    def __neg__(self) -> Value:
        """Return -self."""
        return apply(ops.NEG, self)


def apply(op: Op, *operands: Value, **attributes: object) -> Value:
    """Return `op` of the operands; ShapeError where their shapes do not fit it."""
    shape = op.shape(*[operand.shape for operand in operands], **attributes)
    return Value(op, operands, attributes, shape)


def _pairwise(op: Op, left: Value, right: Value) -> Value:
    shape = stretched(left.shape, right.shape)
    if shape is None:
        msg = f"{op}: {shape_text(left.shape)} and {shape_text(right.shape)} do not stretch"
        raise ShapeError(msg)
    return Value(op, (_grown(left, shape), _grown(right, shape)), {}, shape)


def _grown(value: Value, shape: Shape) -> Value:
    return value if value.shape == shape else apply(ops.BROADCAST, value, shape=shape)


def constant(literal: Literal) -> Value:
    """Return a matrix literal."""
    return apply(ops.CONSTANT, literal=literal)


def ones_like(value: Value) -> Value:
    """Return a matrix of ones in the shape of `value`."""
    return constant(full(static(value.shape), 1.0))


def zero() -> Value:
    """Return [[0.0]], which stretches to any shape."""
    return constant(full((1, 1), 0.0))


def ge(x: Value, y: Value) -> Value:
    """Return 1.0 where x >= y, else 0.0."""
    return _pairwise(ops.GE, x, y)


def transpose(x: Value) -> Value:
    """Return x with rows and columns swapped."""
    return apply(ops.TRANSPOSE, x)


def reshape_like(x: Value, other: Value) -> Value:
    """Return the elements of x in the shape of `other`."""
    return apply(ops.RESHAPE, x, shape=static(other.shape))


def stretch_like(x: Value, other: Value) -> Value:
    """Return x stretched to the shape of `other`."""
    return apply(ops.BROADCAST, x, shape=other.shape)


def row_sum(x: Value) -> Value:
    """Return the sum of each row, a column."""
    return apply(ops.ROW_SUM, x)


def col_sum(x: Value) -> Value:
    """Return the sum of each column, a row."""
    return apply(ops.COL_SUM, x)
