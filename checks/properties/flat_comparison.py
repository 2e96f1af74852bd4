"""A comparison passes nothing back, also where its operands are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "products of small integers are exact"

GOLDENS = (
    Golden(
        "a matrix that is compared and multiplied",
        "let a = [[1, 2, 4]]\nlet b = [[3, 2, 1]]\nprint row_sum(a * ge(a, b) * b * [[2, 3, 5]])\n",
        {"a": [[0, 6, 5]], "b": [[0, 6, 20]]},
    ),
    Golden(
        "a comparison that stretches",
        "let a = [[1, 2, 4], [5, 2, 0]]\nlet c = [[2], [2]]\n"
        "let chosen = ge(a, c) * a * [[2, 3, 5], [7, 11, 13]]\n"
        "print col_sum(row_sum(chosen)) + col_sum(c * [[1], [9]])\n",
        {"a": [[0, 3, 5], [7, 11, 0]], "c": [[1], [9]]},
    ),
)


@on_its_own("flat-comparison", 2, "A comparison passes no gradient", item="kinks")
def check(setting: Setting) -> Finding:
    """Compare with values worked out by hand."""
    comparison = Comparison(0.0, REASON)
    compare_golden(comparison, setting.subject, GOLDENS)
    return comparison.finding()
