"""The derivative of relu is 1 at exactly 0, of either sign, and 0 just below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "a number is passed on or not: nothing is rounded"

GOLDENS = (
    Golden(
        "relu around 0",
        "let m = [[0, -0.0, 5e-324, -5e-324], [1.5, -1.5, 1e300, -1e300]]\n"
        "print col_sum(row_sum(relu(m) * [[2, -3, 5, 7], [11, 13, -17, 19]]))\n",
        {"m": [[2, -3, 5, 0], [11, 0, -17, 0]]},
    ),
    Golden(
        "relu of a difference that is 0",
        "let a = [[1, 2, 3]]\nlet b = [[3, 2, 1]]\nprint row_sum(relu(a - b) * [[2, -3, 5]])\n",
        {"a": [[0, -3, 5]], "b": [[0, 3, -5]]},
    ),
)


@on_its_own("relu-at-zero", 2, "The derivative of relu at exactly 0 is 1", item="kinks")
def check(setting: Setting) -> Finding:
    """Compare with values worked out by hand; a zero may have either sign."""
    comparison = Comparison(0.0, REASON)
    compare_golden(comparison, setting.subject, GOLDENS)
    return comparison.finding()
