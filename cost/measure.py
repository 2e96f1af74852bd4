"""Measuring a program in every variant, at every level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cost.count import count
from cost.measurement import LEVELS, Measurement
from cost.variants import written
from mgc.parse import parse
from mgc.syntax import Let

if TYPE_CHECKING:
    from cost.programs import Program


def measured(program: Program) -> list[Measurement]:
    """Return the measurements of a program, by variant and then by level.

    Raises Diagnostic for a program that cannot be differentiated, and CountError for one that
    cannot be counted.
    """
    measurements: list[Measurement] = []
    for variant, text in written(program).items():
        for level in LEVELS:
            counted = count(text, f"{program.name} ({variant})", level)
            measurements.append(
                Measurement(
                    program.name,
                    variant,
                    level,
                    lets(text),
                    len(text.encode()),
                    counted.instructions,
                    counted.by_op,
                )
            )
    return measurements


def lets(source: str) -> int:
    """Return the number of let statements of a program."""
    return sum(isinstance(statement, Let) for statement in parse(source))
