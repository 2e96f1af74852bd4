"""`all` is every literal let through which the loss can be moved, in the order of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "sums and products of small integers are exact"

GOLDENS = (
    Golden(
        "lets that are computed, and numbers, between literals",
        "let b = [[2, 3]]\nlet s = 5\nlet v = b * b * s\nlet a = [[7, 11]]\nprint row_sum(v * a)\n",
        {"b": [[140, 330]], "a": [[20, 45]]},
        every=True,
    ),
    Golden(
        "lets that are not used, that are only compared and that are hidden",
        "let w = [[2, 3]]\nlet v = w * w\nlet w = [[5, 7]]\nlet unused = [[9]]\n"
        "let compared = [[4, 4]]\nlet m = ge(v, compared)\nprint row_sum(m * v * w)\n",
        {"w": [[4, 9]]},
        every=True,
    ),
    Golden(
        "a loss that is the matrix",
        "let a = [[3]]\nlet b = [[3]]\nprint b\n",
        {"b": [[1]]},
        every=True,
    ),
    Golden(
        "a let that another print uses",
        "let a = [[2]]\nlet b = [[3]]\nlet c = [[5]]\nprint a * b\nprint c * b * c\n",
        {"b": [[25]], "c": [[30]]},
        loss=1,
        every=True,
    ),
    Golden(
        "lets that are not used, though zeros are asked for",
        "let unused = [[1, 2]]\nlet a = [[2]]\nprint a * a\n",
        {"a": [[4]]},
        unused_is_zero=True,
        every=True,
    ),
)


@on_its_own("every-matrix", 7, "`all` is all that the loss depends on", item="structure")
def check(setting: Setting) -> Finding:
    """Compare with gradients worked out by hand, with and without -O."""
    comparison = Comparison(0.0, REASON)
    compare_golden(comparison, setting.subject, GOLDENS)
    compare_golden(comparison, setting.subject, GOLDENS, optimized=True)
    return comparison.finding()
