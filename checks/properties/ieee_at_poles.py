"""Where a derivative is infinite or undefined the gradient is what IEEE arithmetic gives."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "infinity is expected, and equal to itself alone; the finite numbers are exact"

GOLDENS = (
    Golden(
        "sqrt at 0",
        "let x = [[0, 4, 0]]\nprint row_sum(sqrt(x) * [[2, 8, -3]])\n",
        {"x": [[inf, 2, -inf]]},
    ),
    Golden(
        "log at 0",
        "let x = [[0, 4, 0]]\nprint row_sum(log(x) * [[2, 8, -3]])\n",
        {"x": [[inf, 2, -inf]]},
    ),
    Golden(
        "division by 0",
        "let x = [[3, 8]]\nlet y = [[0, 4]]\nprint row_sum(x / y * [[2, 1]])\n",
        {"x": [[inf, 0.25]], "y": [[-inf, -0.5]]},
    ),
    Golden(
        "a number divided by 0",
        "let y = [[0, 2]]\nprint row_sum(8 / y * [[-2, 1]])\n",
        {"y": [[inf, -2]]},
    ),
    Golden(
        "infinity that nothing is multiplied with",
        "let x = [[0, 4]]\nprint row_sum(sqrt(x) * [[0, 8]])\n",
        {"x": [[nan, 2]]},
    ),
)


@on_its_own("ieee-at-poles", 2, "At sqrt(0), log(0) and x/0 the gradient is IEEE's", item="kinks")
def check(setting: Setting) -> Finding:
    """Compare with values worked out by hand, infinities included."""
    comparison = Comparison(0.0, REASON)
    compare_golden(comparison, setting.subject, GOLDENS, bits=True)
    return comparison.finding()
