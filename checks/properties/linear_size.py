"""The gradient program grows in proportion to the program, however its values are shared.

An adjoint that is passed on once for every use, and not once for all of them, doubles with every
link of a chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import accepted

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "every link adds as many lines as any other"

LENGTHS = (1, 2, 3, 6, 12, 24)
"""In this order: what doubles with every link is found out by the short chains, and never has to
be written for the long ones."""

FAMILIES = {
    "x + x": ("", "let x = x + x\n"),
    "x * x": ("", "let x = x * x * 0.5\n"),
    "x + x and x * x in turn": ("", "let x = x + x\nlet x = x * x * 0.2\n"),
    "diamonds": ("", "let l = exp(x * 0.1)\nlet r = x / (l + 2)\nlet x = l * r - x\n"),
    "calls of a def": ("def f(a: tensor[1x1]) = a * a * 0.5 + [[0.25]]\n", "let x = f(x)\n"),
    "a value in every link": ("", "let x = x * w + w\n"),
}


@on_its_own("linear-size", 7, "The gradient grows in proportion to the program", item="structure")
def check(setting: Setting) -> Finding:
    """Compare the lines that more links of a chain add with those that the second one adds."""
    comparison = Comparison(0.0, REASON)
    for name, (head, link) in FAMILIES.items():
        first, second = (_lines(setting, head, link * count) for count in LENGTHS[:2])
        for count in LENGTHS[2:]:
            expected = first + (count - 1) * (second - first)
            found = _lines(setting, head, link * count)
            comparison.number(f"lines of {name}, {count} links", found, expected)
            if found != expected:
                break
    return comparison.finding()


def _lines(setting: Setting, head: str, links: str) -> int:
    source = f"{head}let w = [[0.5]]\nlet x = w\n{links}print x\n"
    return len(accepted(setting.subject.gradient(source, ("w",))).splitlines())
