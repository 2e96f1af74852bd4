"""The matrix product against the plain triple loop, compiled alike, in one run.

`python -m benchmarks.matmul`. Target: 10 times as fast for 256x256. Both are compiled at -O2 for
this machine and must give the same bits; the time is the best of several calls.
"""

from __future__ import annotations

import ctypes
import random
import time
from array import array
from contextlib import closing
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from benchmarks.measure import machine
from mgc import ops
from mgc.lower.kernel_text import KernelText
from mgc.lower.kernels import Kernel, kernels_text
from mgc.lower.lanes import BYTES, Pointer
from mgc.lower.machine_code import host_lanes, host_machine, object_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from mgc.lower.lanes import Lanes

SIZES = (112, 256)
CALLS = 20
SYMBOL = "triple_loop"

_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def triple_loop(size: int) -> str:
    """Return the LLVM function of `for i, for j: sum over k`, for square matrices."""
    kernel = KernelText(lanes=1)
    row = size * BYTES

    def term(moved: list[Pointer], sums: list[Lanes]) -> list[Lanes]:
        x, y = moved
        return [sums[0] + x.load(1) * y.load(1)]

    def element(x: Pointer, y: Pointer, out: Pointer) -> None:
        (total,) = kernel.loop(size, [(x, BYTES), (y, row)], [kernel.number(0.0, 1)], term)
        out.store(total)

    def result_row(moved: list[Pointer]) -> None:
        x, out = moved
        walks = [(Pointer(kernel, "%y"), BYTES), (out, BYTES)]
        kernel.blocks(size, 1, walks, lambda moved: element(x, *moved))

    kernel.blocks(
        size, 1, [(Pointer(kernel, "%x"), row), (Pointer(kernel, "%out"), row)], result_row
    )
    return kernel.text(SYMBOL, [f"ptr noalias %{name}" for name in ("x", "y", "out")])


def timed(function: Callable[..., None], operands: list[array[float]]) -> tuple[float, bytes]:
    """Return the seconds of the fastest call, and the bits of the result."""
    out = array("d", bytes(len(operands[0]) * BYTES))
    addresses = [each.buffer_info()[0] for each in (*operands, out)]
    fastest = float("inf")
    for _ in range(CALLS):
        start = time.perf_counter()
        function(*addresses)
        fastest = min(fastest, time.perf_counter() - start)
    return fastest, out.tobytes()


def compare(size: int, linker: llvm.LLJIT) -> str:
    """Return a line of the report for size x size matrices."""
    kernel = Kernel(ops.MATMUL, (size, size, size))
    text = triple_loop(size) + kernels_text([kernel], host_lanes())
    builder = llvm.JITLibraryBuilder().add_object_img(object_code(text, host_machine(2), 2))
    builder.export_symbol(SYMBOL).export_symbol(kernel.symbol)
    source = random.Random(size)
    operands = [array("d", [source.random() for _ in range(size * size)]) for _ in range(2)]
    with closing(builder.link(linker, kernel.symbol)) as library:
        plain, expected = timed(_Function(library[SYMBOL]), operands)
        ours, bits = timed(_Function(library[kernel.symbol]), operands)
    if bits != expected:
        raise SystemExit(f"{size}x{size}: the bits differ")
    work = 2 * size**3 / 1e9
    return (
        f"{size}x{size}: triple loop {plain * 1e3:.2f} ms ({work / plain:.1f} GFLOP/s), "
        f"matmul {ours * 1e3:.2f} ms ({work / ours:.1f} GFLOP/s), "
        f"{plain / ours:.1f} times as fast, same bits"
    )


def main() -> None:
    """Print the machine, and a line for each size."""
    print(f"wall time on {machine()}, {llvm.get_host_cpu_name()}")
    with closing(llvm.create_lljit_compiler(host_machine(2))) as linker:
        for size in SIZES:
            print(compare(size, linker))


if __name__ == "__main__":
    main()
