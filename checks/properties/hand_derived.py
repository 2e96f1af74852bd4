"""The gradients that the book derives by hand are the generated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.chapters import CHAPTERS
from checks.check import on_programs
from checks.comparison import Comparison
from checks.writing import printed

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-10
REASON = (
    "of the largest element of the matrix: two correct derivations add the same terms in another "
    "order, which for these programs is below 1e-13 of it"
)


@on_programs("hand-derived", 3, "The gradients that the book derives by hand are generated")
def check(case: Case) -> Finding | None:
    """Compare what the chapter's program prints with what the gradient program prints."""
    if case.program.name not in CHAPTERS:
        return None
    comparison = Comparison(TOLERANCE, REASON)
    comparison.matrices(case.names, case.printed(), printed(case.source))
    return comparison.finding()
