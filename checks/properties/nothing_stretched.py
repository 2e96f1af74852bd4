"""Where every matrix has one size there is nothing to stretch, and -O has none of it to undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import accepted

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "a change is listed or it is not"

SOURCES = {
    "a sum of products": "let w = [[3]]\nlet u = [[5]]\nprint w * u + w * w\n",
    "a quotient and a difference": "let w = [[3]]\nlet u = [[5]]\nprint w / u - exp(w) * u\n",
    "a maximum": "let w = [[3]]\nprint row_max(w * w) * sqrt(w)\n",
}


@on_its_own("nothing-stretched", 7, "Nothing is stretched to the size it has", item="structure")
def check(setting: Setting) -> Finding:
    """Count the lines on stretching in what -O lists of its changes, for matrices of one entry."""
    comparison = Comparison(0.0, REASON)
    for name, source in SOURCES.items():
        listed = accepted(setting.subject.explained(source, ("all",))).splitlines()
        found = sum("stretching" in line for line in listed)
        comparison.number(f"stretchings in {name}", found, 0)
    return comparison.finding()
