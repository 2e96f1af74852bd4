"""Limits on the ratio of two variants of a program, as pipeline.yaml states them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, cast

from cost.measurement import LEVELS, QUANTITIES, find, ratio
from cost.variants import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cost.measurement import Level, Measurement, Quantity


def _one_of(known: Sequence[str], text: str) -> str | None:
    if text in known:
        return None
    close = get_close_matches(text, known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"it is one of {', '.join(known)}"
    return f"is '{text}'; {hint}"


def _is_ratio(text: str) -> str | None:
    part, slash, whole = text.partition("/")
    if not slash:
        return f"is '{text}'; write the names of two variants, as in {NAMES[1]}/{NAMES[0]}"
    if part == whole:
        return f"is '{text}', which is always 1"
    return _one_of(NAMES, part) or _one_of(NAMES, whole)


def _is_level(text: str) -> str | None:
    return _one_of(LEVELS, text)


def _is_quantity(text: str) -> str | None:
    return _one_of(QUANTITIES, text)


def _is_positive(number: float) -> str | None:
    return None if number > 0 else f"is {number:g}; a ratio is more than 0"


@dataclass(frozen=True)
class Limit:
    """`ratio: plain/hand` may be `most` at most, in instructions at -O0 unless it says otherwise.

    The rules in the annotations return what is wrong with a value, or None.
    """

    ratio: Annotated[str, _is_ratio]
    most: Annotated[float, _is_positive]
    level: Annotated[str, _is_level] = "O0"
    of: Annotated[str, _is_quantity] = "instructions"

    def measured(self, program: str, measurements: Sequence[Measurement]) -> float:
        """Return the ratio; KeyError if one of the two was not measured."""
        level = cast("Level", self.level)
        part, whole = (find(measurements, program, name, level) for name in self.ratio.split("/"))
        return ratio(part, whole, cast("Quantity", self.of))

    def excess(self, program: str, measurements: Sequence[Measurement]) -> str:
        """Return how the limit is passed, as a line; an empty string where it holds."""
        measured = self.measured(program, measurements)
        if measured <= self.most:
            return ""
        what = f"{self.of} at -{self.level}" if self.of == "instructions" else self.of
        return f"{program}: {self.ratio} in {what} is {measured:.4f}, more than {self.most:g}"
