"""The matrix product, in blocks whose sums stay in registers.

Each element is the sum over k, from 0.0 and in ascending order, as in the plain triple loop: only
the order in which *elements* are computed differs, so the bits are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mgc.lower.blocks import block_size, pieces
from mgc.lower.lanes import BYTES

if TYPE_CHECKING:
    from mgc.lower.kernel_text import Arguments, KernelText
    from mgc.lower.lanes import Lanes, Pointer


def matmul(kernel: KernelText, arguments: Arguments, sizes: tuple[int, ...]) -> None:
    """Write x @ y for an MxK and a KxN matrix; `sizes` is (M, K, N)."""
    rows, inner, columns = sizes
    height, width = block_size(rows, columns, kernel.lanes)
    x_row, row = inner * BYTES, columns * BYTES
    vectors = pieces(width, kernel.lanes)

    def term(moved: list[Pointer], sums: list[Lanes]) -> list[Lanes]:
        x, y = moved
        across = [y.at(offset * BYTES).load(lanes) for offset, lanes in vectors]
        before = iter(sums)
        after: list[Lanes] = []
        for i in range(height):
            element = x.at(i * x_row).load(1)
            after += [next(before) + element * lanes for lanes in across]
        return after

    def block(x: Pointer, y: Pointer, out: Pointer) -> None:
        zeros = [kernel.number(0.0, lanes) for _ in range(height) for _, lanes in vectors]
        sums = iter(kernel.loop(inner, [(x, BYTES), (y, row)], zeros, term))
        for i in range(height):
            for offset, _ in vectors:
                out.at(i * row + offset * BYTES).store(next(sums))

    def panel(moved: list[Pointer]) -> None:
        y, out = moved
        walks = [(x, x_row), (out, row)]
        kernel.blocks(rows, height, walks, lambda moved: block(moved[0], y, moved[1]))

    x, y = arguments.operands
    kernel.blocks(columns, width, [(y, BYTES), (arguments.out, BYTES)], panel)
