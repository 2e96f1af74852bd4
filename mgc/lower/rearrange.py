"""Transposes, permutes and stretches: a loop nest that reads one element wherever it lies.

A rearrangement is described by the sizes of the result and, for each of its axes, the bytes
between one element and the next in the operand: 0 where the operand is repeated.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

from mgc.lower.blocks import vectors
from mgc.lower.lanes import BYTES

if TYPE_CHECKING:
    from mgc.lower.kernel_text import Arguments, KernelText, Walk
    from mgc.lower.lanes import Pointer
    from mgc.shapes import StaticShape

_GATHERED = 4
"""Elements that are gathered each time round, at most."""

Axis = tuple[int, int]
"""The size of an axis of the result, and the bytes from one element to the next in the operand."""


def strides(shape: StaticShape) -> list[int]:
    """Return the bytes from one element to the next along each axis, in row-major order."""
    steps: list[int] = []
    step = BYTES
    for size in reversed(shape):
        steps.append(step)
        step *= size
    return steps[::-1]


@lru_cache(maxsize=4096)
def permuted(shape: StaticShape, permutation: tuple[int, ...]) -> tuple[int, ...]:
    """Describe a permute: result axis i is axis `permutation[i]` of an operand of this shape."""
    steps = strides(shape)
    return _joined([(shape[axis], steps[axis]) for axis in permutation])


@lru_cache(maxsize=4096)
def stretched(shape: StaticShape, result: StaticShape) -> tuple[int, ...]:
    """Describe a broadcast of an operand of this shape to the shape of the result."""
    axes: list[Axis] = []
    for size, new, step in zip(shape, result, strides(shape), strict=True):
        axes.append((new, step if size == new else 0))
    return _joined(axes)


def _joined(axes: list[Axis]) -> tuple[int, ...]:
    """Return size, step, size, step ... with as few axes as describe the same elements."""
    joined: list[Axis] = []
    for size, step in axes:
        if size == 1:
            continue
        if joined and joined[-1][1] == size * step:
            joined[-1] = (joined[-1][0] * size, step)
        else:
            joined.append((size, step))
    return tuple(number for axis in joined or [(1, BYTES)] for number in axis)


def rearrange(kernel: KernelText, arguments: Arguments, sizes: tuple[int, ...]) -> None:
    """Write the result described by `sizes`: size and step of each axis, outermost first."""
    (x,) = arguments.operands
    _nest(kernel, list(zip(sizes[::2], sizes[1::2], strict=True)), (x, arguments.out))


def _nest(kernel: KernelText, axes: list[Axis], pointers: tuple[Pointer, Pointer]) -> None:
    (size, step), *inner = axes
    x, out = pointers
    if inner:
        out_step = prod(size for size, _ in inner) * BYTES
        walks = [(x, step), (out, out_step)]
        kernel.blocks(size, 1, walks, lambda moved: _nest(kernel, inner, (moved[0], moved[1])))
    elif step == BYTES:
        vectors(kernel, size, [x, out], lambda width, at: at[1].store(at[0].load(width)))
    elif step == 0:
        element = x.load(1)
        vectors(kernel, size, [out], lambda width, at: at[0].store(element.repeated(width)))
    else:
        _gather(kernel, size, (x, step), out)


def _gather(kernel: KernelText, size: int, walk: Walk, out: Pointer) -> None:
    """Write `size` elements side by side that lie a step apart in the operand."""
    x, step = walk
    width = min(size, _GATHERED)

    def block(moved: list[Pointer]) -> None:
        x, out = moved
        elements = [x.at(i * step).load(1) for i in range(width)]
        for i, element in enumerate(elements):
            out.at(i * BYTES).store(element)

    kernel.blocks(size, width, [(x, step), (out, BYTES)], block)
