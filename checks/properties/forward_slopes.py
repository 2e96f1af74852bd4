"""Forward mode by itself: its slope along a direction is the complex step's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_programs
from checks.comparison import Comparison
from checks.forward_mode import compare_with_complex_step

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-11
REASON = (
    "of the slope, which is a sum of terms up to a hundred times as large: both are exact but for "
    "rounding"
)
SEEDS = (1,)


@on_programs("forward-slopes", 6, "The slope in forward mode is that of the complex step")
def check(case: Case) -> Finding:
    """Compare slopes along random directions, kinks taken by convention."""
    comparison = Comparison(TOLERANCE, REASON)
    compare_with_complex_step(comparison, case.subject, case.differentiated(), SEEDS)
    return comparison.finding()
