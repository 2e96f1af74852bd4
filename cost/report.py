"""The report as JSON, and as tables for people."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from cost.breakdown import ORDER
from cost.measurement import LEVELS, Measurement, find, ratio
from cost.variants import HAND, LOSS, NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cost.toolchain import Toolchain

COLUMNS = ("variant", "level", "lets", "bytes", "instructions", f"/ {HAND}", f"/ {LOSS}")
BREAKDOWN_COLUMNS = ("operation", *NAMES)
LEAST_SHOWN = 0.01
"""An operation with less than this share of the instructions of every variant has no row."""


def json_text(toolchain: Toolchain, measurements: Iterable[Measurement]) -> str:
    """Return the report as JSON, a measurement a line; ratios are left to the reader."""
    rows = [f"  {json.dumps(asdict(each))}" for each in measurements]
    head = f' "toolchain": {json.dumps(asdict(toolchain))},\n "programs": [\n'
    return "{\n" + head + ",\n".join(rows) + "\n ]\n}\n"


def measurements_of(rows: object) -> list[Measurement]:
    """Return the measurements that the rows of a JSON text hold."""
    return [Measurement(**row) for row in cast("Iterable[dict[str, Any]]", rows)]


def cost_rows(measurements: Sequence[Measurement]) -> list[list[str]]:
    """Return the cells of `COLUMNS` for each measurement of a program, by level."""
    rows: list[list[str]] = []
    for level in LEVELS:
        for each in measurements:
            if each.level != level:
                continue
            whole = [find(measurements, each.program, name, level) for name in (HAND, LOSS)]
            rows.append(
                [
                    each.variant,
                    f"-{level}",
                    f"{each.lets:>4}",
                    f"{each.bytes:>9,}",
                    f"{each.instructions:>12,}",
                    *(f"{ratio(each, other):.3f}" for other in whole),
                ]
            )
    return rows


def breakdown_rows(measurements: Sequence[Measurement]) -> list[list[str]]:
    """Return the cells of `BREAKDOWN_COLUMNS`, instructions by operation, the dearest first.

    The measurements are those of one program at one level, in the order of the variants. What is
    less than `LEAST_SHOWN` of each shares a row.
    """
    ordered = sorted(ORDER, key=lambda part: -max(e.by_op.get(part, 0) for e in measurements))
    shown = [
        part
        for part in ordered
        if any(e.by_op.get(part, 0) >= LEAST_SHOWN * e.instructions for e in measurements)
    ]
    rows = {part: [each.by_op.get(part, 0) for each in measurements] for part in shown}
    totals = [each.instructions for each in measurements]
    listed = [sum(column) for column in zip(*rows.values(), strict=True)]
    rows |= {"other": [whole - part for whole, part in zip(totals, listed, strict=True)]}
    return [
        [part, *map(_share, row, totals)]
        for part, row in [*rows.items(), ("all", totals)]
        if any(row)
    ]


def _share(instructions: int, whole: int) -> str:
    return f"{instructions:>11,} {instructions / whole:>4.0%}" if instructions else ""


def breakdown_title(program: str, level: str) -> str:
    """Return what the table of a breakdown is headed with."""
    return f"{program} at -{level}: where the instructions go"
