"""Defs of unknown sizes, and values that are no matrices, beside which gradients pass."""

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
        "a def of a column of unknown length",
        "def total(a: tensor[?x1]) = col_sum(a)\nlet w = [[1], [2]]\nprint total(w * w)\n",
        {"w": [[2], [4]]},
    ),
    Golden(
        "a def called with two lengths",
        "def total(a: tensor[?x1]) = col_sum(a)\nlet w = [[1], [2]]\nlet u = [[3], [5], [7]]\n"
        "print total(w * [[2], [3]]) * total(u)\n",
        {"u": [[8], [8], [8]], "w": [[30], [45]]},
    ),
    Golden(
        "a def of two values of unknown length",
        "def dot(a: tensor[1x?], b: tensor[?x1]) = a @ b\nlet a = [[2, 3]]\n"
        "let b = [[5], [7]]\nprint dot(a, b * [[1], [2]])\n",
        {"b": [[2], [6]], "a": [[5, 14]]},
    ),
    Golden(
        "a factor that is moved through three axes",
        "let w = [[1, 2]]\nlet factor = permute(reshape([[3, 5]], 1, 1, 2), 2, 0, 1)\n"
        "print row_sum(w * w * reshape(factor, 1, 2))\n",
        {"w": [[6, 20]]},
    ),
    Golden(
        "a factor that is a vector for a while",
        "let w = [[1, 2]]\nprint row_sum(w * w * reshape(reshape([[3], [5]], 2), 1, 2))\n",
        {"w": [[6, 20]]},
    ),
)


@on_its_own("unknown-sizes", 7, "Defs of unknown sizes are differentiated", item="structure")
def check(setting: Setting) -> Finding:
    """Compare with gradients worked out by hand, with and without -O."""
    comparison = Comparison(0.0, REASON)
    compare_golden(comparison, setting.subject, GOLDENS)
    compare_golden(comparison, setting.subject, GOLDENS, optimized=True)
    return comparison.finding()
