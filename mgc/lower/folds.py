"""Sums and maxima over the rows or the columns of a matrix, each in ascending order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mgc.lower.blocks import pieces
from mgc.lower.lanes import BYTES, beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from mgc.lower.kernel_text import Arguments, KernelText, Walk
    from mgc.lower.lanes import Lanes, Pointer

_ROWS = 4
"""That are folded side by side, at most, so that one need not wait for the other."""

_VECTORS = 8
"""Of columns that are folded in one pass down the rows, at most: they stay in registers."""


class Fold(NamedTuple):
    """Combine the elements one after another, from `start` or else from the first element."""

    step: Callable[[Lanes, Lanes], Lanes]
    start: float | None


def _block(count: int, most: int) -> int:
    """Return the size of as few blocks as possible of nearly the same size."""
    blocks = -(-count // most)
    return -(-count // blocks)


def fold_rows(kernel: KernelText, arguments: Arguments, sizes: tuple[int, ...], fold: Fold) -> None:
    """Write one value per row of an RxC matrix; `sizes` is (R, C)."""
    rows, columns = sizes
    row = columns * BYTES
    height = _block(rows, _ROWS)

    def column(x: Pointer) -> list[Lanes]:
        down = [x.at(i * row).load(1) for i in range(height)]
        cut = pieces(height, kernel.lanes)
        return [beside(down[offset : offset + width]) for offset, width in cut]

    def band(moved: list[Pointer]) -> None:
        x, out = moved
        _fold(fold, column, columns, (x, BYTES), out)

    (x,) = arguments.operands
    kernel.blocks(rows, height, [(x, row), (arguments.out, BYTES)], band)


def fold_columns(
    kernel: KernelText, arguments: Arguments, sizes: tuple[int, ...], fold: Fold
) -> None:
    """Write one value per column of an RxC matrix, going down its rows; `sizes` is (R, C)."""
    rows, columns = sizes
    row = columns * BYTES
    width = _block(columns, _VECTORS * kernel.lanes)

    def elements(x: Pointer) -> list[Lanes]:
        return [x.at(offset * BYTES).load(lanes) for offset, lanes in pieces(width, kernel.lanes)]

    def strip(moved: list[Pointer]) -> None:
        x, out = moved
        _fold(fold, elements, rows, (x, row), out)

    (x,) = arguments.operands
    kernel.blocks(columns, width, [(x, BYTES), (arguments.out, BYTES)], strip)


def _fold(
    fold: Fold, load: Callable[[Pointer], list[Lanes]], count: int, walk: Walk, out: Pointer
) -> None:
    """Fold what `load` reads at each of `count` places along the walk; store it side by side."""
    x, step = walk
    totals = load(x)
    if fold.start is not None:
        totals = [fold.step(x.kernel.number(fold.start, first.width), first) for first in totals]

    def once(moved: list[Pointer], totals: list[Lanes]) -> list[Lanes]:
        return [fold.step(total, x) for total, x in zip(totals, load(moved[0]), strict=True)]

    totals = x.kernel.loop(count - 1, [(x.at(step), step)], totals, once)
    for total in totals:
        out.store(total)
        out = out.at(total.width * BYTES)
