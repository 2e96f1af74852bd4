"""A literal inside a def is one value for all calls: it is written once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import accepted, statements
from mgc.literals import Literal
from mgc.syntax import Def, Matrix

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "a literal is written so many times"

LITERAL = Literal((1, 2), (3.0, 5.0))
SOURCES = {
    "a def that is called three times": (
        "def f(a: tensor[1x2]) = a * a * [[3, 5]]\nlet w = [[1, 2]]\n"
        "print row_sum(f(w) + f(f(w)))\n"
    ),
    "a def that another calls twice": (
        "def f(a: tensor[1x2]) = a * [[3, 5]]\ndef g(a: tensor[1x2]) = f(a) * f(a)\n"
        "let w = [[1, 2]]\nprint row_sum(g(w) * g(w * w))\n"
    ),
    "a def that is called with what does not move": (
        "def f(a: tensor[1x2]) = a + [[3, 5]]\nlet w = [[1, 2]]\n"
        "print row_sum(f(w) * f([[7, 8]]) * f([[9, 7]]))\n"
    ),
}


@on_its_own("literals-once", 7, "A literal of a def is written once", item="structure")
def check(setting: Setting) -> Finding:
    """Count how often the literal stands in the gradient program and in two steps of descent."""
    comparison = Comparison(0.0, REASON)
    subject = setting.subject
    for name, source in SOURCES.items():
        gradient = accepted(subject.gradient(source, ("w",)))
        descent = accepted(subject.descent(source, ("w",), 2, 0.5, prints_parameters=False))
        comparison.number(f"literals of {name}", _count(gradient), 1)
        comparison.number(f"literals of {name}, two steps", _count(descent), 1)
    return comparison.finding()


def _count(text: str) -> int:
    return sum(
        isinstance(item, Matrix) and item.literal == LITERAL
        for statement in statements(text)
        if not isinstance(statement, Def)
        for item in statement.expression
    )
