"""A matrix that the loss does not depend on has a gradient of zeros, where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "zeros, and products of small integers, are exact"

GOLDENS = (
    Golden(
        "a matrix that is not used",
        "let a = [[2]]\nlet u = [[1, 2, 3], [4, 5, 6]]\nlet zero7 = [[5]]\nprint a * zero7\n",
        {"u": [[0, 0, 0], [0, 0, 0]], "zero7": [[2]], "a": [[5]]},
        unused_is_zero=True,
    ),
    Golden(
        "a matrix that another print uses",
        "let a = [[2], [3]]\nlet b = [[5, 7]]\nprint b @ a\nprint row_sum(b * b)\n",
        {"b": [[10, 14]], "a": [[0], [0]]},
        loss=1,
        unused_is_zero=True,
    ),
    Golden(
        "no matrix that is used",
        "let a = [[2, 3]]\nlet u = [[4]]\nprint [[1]]\n",
        {"u": [[0]], "a": [[0, 0]]},
        unused_is_zero=True,
    ),
)


@on_its_own("zeros-on-request", 7, "Without dependence the gradient is zeros", item="structure")
def check(setting: Setting) -> Finding:
    """Compare with gradients worked out by hand, with and without -O."""
    comparison = Comparison(0.0, REASON)
    compare_golden(comparison, setting.subject, GOLDENS)
    compare_golden(comparison, setting.subject, GOLDENS, optimized=True)
    return comparison.finding()
