"""A measured program, and how measurements compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Level = Literal["O0", "O2"]
Quantity = Literal["lets", "bytes", "instructions"]

LEVELS: tuple[Level, ...] = ("O0", "O2")
QUANTITIES: tuple[Quantity, ...] = ("lets", "bytes", "instructions")


@dataclass(frozen=True, slots=True)
class Measurement:
    """A variant of a program at one level of the compiler.

    `lets` and `bytes` are of the source text, and so the same at every level. `instructions` are
    those that the program executes; `by_op` says where, and adds up to it.
    """

    program: str
    variant: str
    level: Level
    lets: int
    bytes: int
    instructions: int
    by_op: Mapping[str, int]


def find(
    measurements: Iterable[Measurement], program: str, variant: str, level: Level
) -> Measurement:
    """Return the measurement of a variant at a level; KeyError if there is none."""
    for each in measurements:
        if (each.program, each.variant, each.level) == (program, variant, level):
            return each
    raise KeyError(program, variant, level)


def amount(measurement: Measurement, quantity: Quantity) -> int:
    """Return a quantity of a measurement."""
    match quantity:
        case "lets":
            return measurement.lets
        case "bytes":
            return measurement.bytes
        case "instructions":
            return measurement.instructions


def ratio(part: Measurement, whole: Measurement, quantity: Quantity = "instructions") -> float:
    """Return how many times as much of a quantity the first has."""
    return amount(part, quantity) / amount(whole, quantity)
