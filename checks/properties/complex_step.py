"""Every element of every gradient is what the complex step says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_programs
from checks.comparison import Comparison
from checks.reference import slopes
from checks.smoothness import is_smooth

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-12
REASON = (
    "of the largest element of the matrix, whose terms are as large: both sides are exact but for "
    "rounding, some 1e-16 an operation, and sums of hundreds of terms are on the way"
)


@on_programs("complex-step", 1, "Every element is the slope that the complex step finds")
def check(case: Case) -> Finding | None:
    """Compare the loss and every element; a loss with kinks is left to the checks of kinks."""
    program = case.program
    if not is_smooth(program):
        return None
    comparison = Comparison(TOLERANCE, REASON)
    expected = [slopes(case.source, name, program.loss) for name in program.wrt]
    loss = case.reference.printed(program.loss)
    comparison.matrices(case.names, case.printed(), [loss, *expected])
    return comparison.finding()
