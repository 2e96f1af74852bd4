"""How kernels cut their work: into vectors, and into blocks that stay in registers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mgc.lower.lanes import BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from mgc.lower.kernel_text import KernelText
    from mgc.lower.lanes import Lanes, Pointer

_BLOCK = 8
"""The f64 that are gone through each time round where each is on its own."""

_REGISTERS = 16
"""For vectors, in machines that have few."""

_MOST_ROWS = 6
_MOST_COLUMNS = 16
"""Of a block."""


@cache
def pieces(count: int, lanes: int) -> tuple[tuple[int, int], ...]:
    """Cut f64 side by side into vectors of at most `lanes`.

    Returns how many f64 lie before each vector, and how many it holds.
    """
    cut: list[tuple[int, int]] = []
    offset, width = 0, lanes
    while offset < count:
        while width > count - offset:
            width //= 2
        cut.append((offset, width))
        offset += width
    return tuple(cut)


def vectors(
    kernel: KernelText,
    count: int,
    pointers: list[Pointer],
    body: Callable[[int, list[Pointer]], None],
) -> None:
    """Go through `count` f64 side by side: `body` takes the width of a vector and its pointers.

    Where vectors do not divide them evenly, the last ones are moved back to end where the f64
    end; see `KernelText.blocks`.
    """

    def block(width: int, at: list[Pointer]) -> None:
        for offset, lanes in pieces(width, kernel.lanes):
            body(lanes, [pointer.at(offset * BYTES) for pointer in at])

    def full(moved: list[Pointer], _: list[Lanes]) -> list[Lanes]:
        block(_BLOCK, moved)
        return []

    trips, rest = divmod(count, _BLOCK)
    kernel.loop(trips, [(pointer, _BLOCK * BYTES) for pointer in pointers], [], full)
    if rest:
        width = rest if trips == 0 else -(-rest // kernel.lanes) * kernel.lanes
        block(width, [pointer.at((count - width) * BYTES) for pointer in pointers])


def block_size(rows: int, columns: int, lanes: int) -> tuple[int, int]:
    """Return the rows and columns of the blocks that compute a matrix in the fewest instructions.

    The registers have `lanes` f64. They hold the sums of a block, one row of the right operand,
    one element of the left and one product. Each time round there is one instruction to get each
    register of the row and each element of the left operand, two for each register of the block,
    and three for the loop.
    """
    costs: list[tuple[int, int, int]] = []
    for width in range(1, min(columns, _MOST_COLUMNS) + 1):
        across = len(pieces(width, lanes))
        for height in range(1, min(rows, _MOST_ROWS) + 1):
            if (height + 1) * across + 2 <= _REGISTERS:
                blocks = -(-rows // height) * -(-columns // width)
                costs.append((blocks * (across + height + 2 * height * across + 3), height, width))
    _, height, width = min(costs)
    return height, width
