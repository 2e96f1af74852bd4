"""Every line of a gradient program is a statement that compiles, and binds a name of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_programs
from checks.comparison import Comparison
from checks.writing import statements
from mgc.syntax import Let

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

REASON = "a line compiles or it does not, and a name is bound once"


@on_programs("every-line-compiles", 7, "Every line compiles, and no name is bound twice")
def check(case: Case) -> Finding:
    """Compile the program, and count its lines, statements and names."""
    text = case.written()
    parsed = statements(text)
    comparison = Comparison(0.0, REASON)
    written = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    comparison.number("statements", len(parsed), len(written))
    names = [each.name for each in parsed if isinstance(each, Let)]
    comparison.number("different names of lets", len(set(names)), len(names))
    return comparison.finding()
