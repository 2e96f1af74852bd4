"""Where the instructions of a program go, told from the names of the functions.

The compiler makes a function `mg_<op>_<sizes>` of each operation, and of the rest `mg_main`, its
parts and the defs, which only call. Those functions call nothing but the C library: its copying,
which the compiler also uses for loops that copy or clear, and the mathematics of exp and log.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mgc.ops import OPS

if TYPE_CHECKING:
    from collections.abc import Mapping

LIBM = "libm"
COPY = "copy"
MAIN = "main"

KERNEL = re.compile(rf"mg_({'|'.join(op.name for op in OPS)})_\d+(?:x\d+)*")
ROUTINE = re.compile(r"mg_(?:main|part\d+|def\d+_.*)")
COPYING = re.compile(r"_*(?:mem(?:cpy|move|set))(?:[_@].*)?")

ORDER = (*(op.name for op in OPS), LIBM, COPY, MAIN)


def by_op(costs: Mapping[str, int]) -> dict[str, int]:
    """Add up the instructions of the functions of each operation, in the order of the table.

    `libm`, `copy` and `main` are the mathematics of the C library, its copying, and the calls.
    """
    totals: dict[str, int] = {}
    for function, cost in costs.items():
        part = part_of(function)
        totals[part] = totals.get(part, 0) + cost
    return {part: totals[part] for part in ORDER if totals.get(part)}


def part_of(function: str) -> str:
    """Return the operation, or other part of a program, that a function belongs to."""
    kernel = KERNEL.fullmatch(function)
    if kernel:
        return kernel[1]
    if ROUTINE.fullmatch(function):
        return MAIN
    return COPY if COPYING.fullmatch(function) else LIBM
