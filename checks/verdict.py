"""What a check says: both numbers, the tolerance, and why the tolerance is what it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check, before it is known which check it was.

    `worst` is the largest error of the `elements` that were compared, in the measure that
    `tolerance` is in; `reason` says why the tolerance is what it is. `detail` names the worst
    element and both its numbers, also where the check passes. `cause` says how a check failed:
    by a `value` (a number or a text is not what it should be), because a program was `refused`,
    or because what was written is `not a program`; it is empty where the check passed.
    """

    passed: bool
    elements: int
    worst: float
    tolerance: float
    reason: str
    detail: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The finding of one check on one item; `program` is the item's name, `seconds` wall time."""

    id: str
    group: int
    title: str
    program: str
    passed: bool
    elements: int
    worst: float
    tolerance: float
    reason: str
    detail: str
    seconds: float
    cause: str = ""

    @property
    def where(self) -> str:
        """The worst element, without its numbers."""
        return self.detail.partition(":")[0]

    def as_json(self) -> dict[str, object]:
        """Return the fields by name; a number that JSON cannot hold becomes its Python text."""
        return {
            name: str(value) if isinstance(value, float) and not isfinite(value) else value
            for name, value in asdict(self).items()
        }


def verdict_from_json(fields: dict[str, object]) -> Verdict:
    """Return the verdict that `as_json` gave these fields."""
    numbers = {name: float(str(fields[name])) for name in ("worst", "tolerance", "seconds")}
    return Verdict(**{**fields, **numbers})
