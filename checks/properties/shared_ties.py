"""Where a loss has kinks, its gradient is the slope by complex step with the documented shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_programs
from checks.comparison import Comparison
from checks.complex_meanings import Convention
from checks.reference import slopes
from checks.smoothness import is_smooth

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-12
REASON = "of the largest element of the matrix: both are exact but for rounding"


@on_programs("shared-ties", 2, "At a kink every element is what the convention makes of it")
def check(case: Case) -> Finding | None:
    """Compare the loss and every element, of a loss that has kinks."""
    program = case.program
    if is_smooth(program):
        return None
    comparison = Comparison(TOLERANCE, REASON)
    expected = [
        slopes(case.source, name, program.loss, convention=Convention.SHARED)
        for name in program.wrt
    ]
    loss = case.reference.printed(program.loss)
    comparison.matrices(case.names, case.printed(), [loss, *expected])
    return comparison.finding()
