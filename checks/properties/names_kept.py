"""What has a name in the source has it in what -O writes, and has the same value there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import accepted, printed, statements
from mgc.syntax import Let

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "sums and products of small integers are exact"

SOURCES = {
    "values of lets": (
        (
            "let w = [[2, 3]]\nlet square = w * w\nlet total = row_sum(square)\n"
            "let scaled = square * total\nprint row_sum(scaled * w)\n"
        ),
        ("w", "square", "total", "scaled"),
    ),
    "results of defs": (
        (
            "def f(a: tensor[1x2]) = a * a + a\ndef g(a: tensor[1x2]) = f(a) * [[5, 7]]\n"
            "let w = [[2, 3]]\nlet once = f(w)\nlet twice = g(once)\n"
            "print row_sum(once * twice)\n"
        ),
        ("w", "once", "twice"),
    ),
    "a let that hides another": (
        "let w = [[2, 3]]\nlet v = w + [[1, 4]]\nlet v = v * w\nprint row_sum(v * w)\n",
        ("w", "v"),
    ),
}


@on_its_own("names-kept", 7, "-O keeps the names of the source", item="structure")
def check(setting: Setting) -> Finding:
    """Print each named value after the gradient, and compare with the source's own."""
    comparison = Comparison(0.0, REASON)
    for what, (source, names) in SOURCES.items():
        text = accepted(setting.subject.optimized(source, ("w",)))
        lets = [statement.name for statement in statements(text) if isinstance(statement, Let)]
        for name in names:
            label = f"{name} of {what}"
            comparison.number(f"lets of {label}", lets.count(name), 1)
            if name in lets:
                found, expected = (printed(f"{each}print {name}\n")[-1] for each in (text, source))
                comparison.matrix(label, found, expected)
    return comparison.finding()
