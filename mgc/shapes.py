"""Shapes: tuples of sizes of any rank, in which None is a size unknown until the program runs."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TypeGuard

Size = int | None
Shape = tuple[Size, ...]
StaticShape = tuple[int, ...]

MATRIX_RANK = 2


class ShapeError(ValueError):
    """Shapes that an operation does not take; the message holds the shapes."""


def shape_text(shape: Shape) -> str:
    """Return the sizes as users write them, e.g. `2x3` or `?x4`."""
    return "x".join("?" if size is None else str(size) for size in shape)


def type_text(shape: Shape) -> str:
    """Return the IR type of a value of this shape, e.g. `tensor<2x?xf64>`."""
    return f"tensor<{shape_text(shape)}xf64>"


def is_static(shape: Shape) -> TypeGuard[StaticShape]:
    """Tell whether every size is known."""
    return None not in shape


def static(shape: Shape) -> StaticShape:
    """Return a shape whose sizes must all be known here; ShapeError when one is not."""
    if not is_static(shape):
        msg = f"a size is not known while compiling: {shape_text(shape)}"
        raise ShapeError(msg)
    return shape


@lru_cache(maxsize=4096)
def element_count(shape: Shape) -> int:
    """Return how many elements a value of a static shape has."""
    return prod(static(shape))


def same(left: Shape, right: Shape) -> Shape | None:
    """Return the shape that both can be, or None; an unknown size can be any size."""
    if left == right:
        return left
    if len(left) != len(right):
        return None
    sizes: list[Size] = []
    for one, other in zip(left, right, strict=True):
        if one is not None and other is not None and one != other:
            return None
        sizes.append(other if one is None else one)
    return tuple(sizes)


def stretched(left: Shape, right: Shape) -> Shape | None:
    """Return the shape of an elementwise result, or None where the shapes do not fit.

    In each dimension a known size 1 grows to the other operand's known size. An unknown size
    neither grows nor is grown to: it must turn out equal to the other when the program runs.
    """
    return left if left == right else _stretched(left, right)


@lru_cache(maxsize=4096)
def _stretched(left: Shape, right: Shape) -> Shape | None:
    if len(left) != len(right):
        return None
    sizes: list[Size] = []
    for one, other in zip(left, right, strict=True):
        if one is None or other is None:
            sizes.append(other if one is None else one)
        elif other in (one, 1):
            sizes.append(one)
        elif one == 1:
            sizes.append(other)
        else:
            return None
    return tuple(sizes)
