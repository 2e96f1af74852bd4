"""The shape rules of the operations: operand shapes and attributes in, result shape out.

Each raises ShapeError, with the shapes, where the operands do not fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mgc.shapes import (
    MATRIX_RANK,
    Shape,
    ShapeError,
    StaticShape,
    element_count,
    same,
    shape_text,
    static,
)

if TYPE_CHECKING:
    from mgc.literals import Literal


def _matrix(shape: Shape) -> Shape:
    if len(shape) != MATRIX_RANK:
        msg = f"a matrix (rank {MATRIX_RANK}) is wanted, not {shape_text(shape)}"
        raise ShapeError(msg)
    return shape


def elementwise(x: Shape, **_attributes: object) -> Shape:
    """The result has the operand's shape."""
    return _matrix(x)


def pairwise(x: Shape, y: Shape) -> Shape:
    """Both operands and the result have one shape; stretching was made explicit before."""
    if x == y:
        return _matrix(x)
    common = same(_matrix(x), _matrix(y))
    if common is None:
        msg = f"the shapes {shape_text(x)} and {shape_text(y)} differ"
        raise ShapeError(msg)
    return common


def matmul(x: Shape, y: Shape) -> Shape:
    """RxK @ KxC gives RxC."""
    rows, inner = _matrix(x)
    other_inner, columns = _matrix(y)
    if inner is not None and other_inner is not None and inner != other_inner:
        msg = (
            f"{shape_text(x)} @ {shape_text(y)} does not fit: {inner} columns on the left, "
            f"{other_inner} rows on the right"
        )
        raise ShapeError(msg)
    return rows, columns


def transposed(x: Shape) -> Shape:
    """RxC gives CxR."""
    rows, columns = _matrix(x)
    return columns, rows


def broadcast(x: Shape, shape: Shape) -> Shape:
    """Sizes of 1 grow to those of `shape`; the others are equal to its."""
    fits = len(x) == len(shape) and all(
        old == new or old is None or new is None or old == 1
        for old, new in zip(x, shape, strict=True)
    )
    if not fits:
        msg = f"{shape_text(x)} does not stretch to {shape_text(shape)}"
        raise ShapeError(msg)
    return shape


def reshaped(x: Shape, shape: StaticShape) -> Shape:
    """The result has `shape`, which holds as many elements."""
    if element_count(x) != element_count(shape):
        msg = (
            f"{shape_text(x)} has {element_count(x)} elements and cannot become "
            f"{shape_text(shape)}, which has {element_count(shape)}"
        )
        raise ShapeError(msg)
    return shape


def permuted(x: Shape, permutation: tuple[int, ...]) -> Shape:
    """Result axis i has the size of operand axis permutation[i]."""
    sizes = static(x)
    if sorted(permutation) != list(range(len(sizes))):
        msg = (
            f"({', '.join(map(str, permutation))}) does not name each of the {len(sizes)} axes "
            f"of {shape_text(x)} once"
        )
        raise ShapeError(msg)
    return tuple(sizes[axis] for axis in permutation)


def per_row(x: Shape) -> Shape:
    """RxC gives Rx1."""
    return _matrix(x)[0], 1


def per_column(x: Shape) -> Shape:
    """RxC gives 1xC."""
    return 1, _matrix(x)[1]


def of_literal(literal: Literal) -> Shape:
    """A literal knows its shape."""
    return literal.shape
