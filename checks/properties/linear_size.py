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

REASON = "twice the links add twice the lines, exactly"

LENGTH = 6
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
    """Compare the lines that 6 and 12 more links of a chain add."""
    comparison = Comparison(0.0, REASON)
    for name, (head, link) in FAMILIES.items():
        lines = [
            len(_gradient(setting, head, link * count).splitlines())
            for count in (LENGTH, 2 * LENGTH, 4 * LENGTH)
        ]
        comparison.number(f"lines of {name}", lines[2] - lines[1], 2 * (lines[1] - lines[0]))
    return comparison.finding()


def _gradient(setting: Setting, head: str, links: str) -> str:
    source = f"{head}let w = [[0.5]]\nlet x = w\n{links}print x\n"
    return accepted(setting.subject.gradient(source, ("w",)))
