"""For every program <J v, w> = <v, J' w>: forward and reverse mode agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_programs
from checks.comparison import Comparison
from checks.forward_mode import compare_with_reverse

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-13
REASON = "of the sum of the products' sizes: rounding alone, of the program and one long sum"
SEEDS = (1,)


@on_programs("adjoint-identity", 6, "Forward and reverse mode agree along random directions")
def check(case: Case) -> Finding:
    """Compare the slope in forward mode with the gradient's product with the direction."""
    comparison = Comparison(TOLERANCE, REASON)
    compare_with_reverse(comparison, case.subject, case.differentiated(), SEEDS)
    return comparison.finding()
