"""Measuring a program in every variant, at every level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cost.count import count
from cost.measurement import LEVELS, Measurement
from cost.variants import written
from mgc.parse import parse
from mgc.syntax import Let

if TYPE_CHECKING:
    from cost.measurement import Level
    from cost.programs import Program


def measured(program: Program) -> list[Measurement]:
    """Return the measurements of a program, by variant and then by level.

    Raises Diagnostic for a program that cannot be differentiated, and CountError for one that
    cannot be counted.
    """
    return [
        measurement(program.name, variant, text, level)
        for variant, text in written(program).items()
        for level in LEVELS
    ]


def measurement(program: str, variant: str, text: str, level: Level) -> Measurement:
    """Return the measurement of a variant of a program, given its text.

    Raises Diagnostic for a text that cannot be compiled, and CountError for one that cannot be
    counted.
    """
    counted = count(text, f"{program} ({variant})", level)
    size = len(text.encode())
    return Measurement(
        program, variant, level, lets(text), size, counted.instructions, counted.by_op
    )


def lets(source: str) -> int:
    """Return the number of let statements of a program."""
    return sum(isinstance(statement, Let) for statement in parse(source))
