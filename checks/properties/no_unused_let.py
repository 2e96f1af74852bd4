"""Nothing is computed that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_programs
from checks.comparison import Comparison
from checks.writing import statements
from mgc.syntax import Def, Let, Name

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

REASON = "a let is used or it is not"


@on_programs("no-unused-let", 7, "Every let of a gradient program is used")
def check(case: Case) -> Finding:
    """Count the lets that no other line names."""
    comparison = Comparison(0.0, REASON)
    for name, used in _lets(case.written()).items():
        numbers = f"used {used} times, expected at least once"
        comparison.count(name, 0.0 if used else 1.0, numbers)
    return comparison.finding()


def _lets(text: str) -> dict[str, int]:
    """Return how often each let of a program is named later."""
    uses: dict[str, int] = {}
    for statement in statements(text):
        assert not isinstance(statement, Def)
        for item in statement.expression:
            if isinstance(item, Name):
                uses[item.text] += 1
        if isinstance(statement, Let):
            uses.setdefault(statement.name, 0)
    return uses
