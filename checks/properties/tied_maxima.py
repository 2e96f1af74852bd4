"""Tied maxima share the adjoint equally: golden values, where the maximum is what is printed.

Inside a softmax the tie rule cannot be seen: what the maximum receives cancels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

TOLERANCE = 1e-15
REASON = "of the largest element: the shares are quotients of small integers, rounded once"

THIRD = 1 / 3
GOLDENS = (
    Golden(
        "2-way ties in rows",
        "let m = [[1, 3, 3], [2, 2, 0]]\nprint col_sum(row_max(m))\n",
        {"m": [[0, 0.5, 0.5], [0.5, 0.5, 0]]},
    ),
    Golden(
        "ties of 2, 3 and 4 in rows",
        "let m = [[2, 5, 1, 5], [4, 4, 0, 4], [3, 3, 3, 3], [0, 1, 7, 2]]\n"
        "print col_sum([[6], [-9], [2], [5]] * row_max(m))\n",
        {"m": [[0, 3, 0, 3], [-3, -3, 0, -3], [0.5, 0.5, 0.5, 0.5], [0, 0, 5, 0]]},
    ),
    Golden(
        "ties of 2, 3 and 4 in columns",
        "let m = [[6, 2, 5, 1], [0, 2, 5, 1], [3, 1, 5, 1], [4, 0, 2, 1]]\n"
        "print row_sum([[5, 6, -9, 2]] * col_max(m))\n",
        {"m": [[5, 3, -3, 0.5], [0, 3, -3, 0.5], [0, 0, -3, 0.5], [0, 0, 0, 0.5]]},
    ),
    Golden(
        "ties in the columns of no square",
        "let m = [[1, 2], [3, 2], [3, 2]]\nprint row_sum([[4, 1]] * col_max(m))\n",
        {"m": [[0, THIRD], [2, THIRD], [2, THIRD]]},
    ),
    Golden(
        "a row of five",
        "let m = [[7, 7, 7, 7, 7]]\nprint row_max(m) * 10\n",
        {"m": [[2, 2, 2, 2, 2]]},
    ),
    Golden(
        "a column of three, of either zero",
        "let m = [[0], [-0.0], [0]]\nprint -col_max(m)\n",
        {"m": [[-THIRD], [-THIRD], [-THIRD]]},
    ),
    Golden(
        "ties of computed values",
        "let m = [[-2, 2, 1], [3, -1, -3]]\nprint col_sum([[3], [-5]] * row_max(m * m))\n",
        {"m": [[-6, 6, 0], [-15, 0, 15]]},
    ),
    Golden(
        "a tie of tied maxima",
        "let m = [[3, 1, 3], [2, 3, 3]]\nprint 8 * col_max(row_max(m))\n",
        {"m": [[2, 0, 2], [0, 2, 2]]},
    ),
    Golden(
        "a tie with a shifted copy of itself",
        "let m = [[0.1, 0.7, 0.7]]\nprint row_max((m + 0.2) * 3)\n",
        {"m": [[0, 1.5, 1.5]]},
    ),
)


@on_its_own("tied-maxima", 2, "Tied maxima share the adjoint equally", item="kinks")
def check(setting: Setting) -> Finding:
    """Compare with values worked out by hand."""
    comparison = Comparison(TOLERANCE, REASON)
    compare_golden(comparison, setting.subject, GOLDENS)
    return comparison.finding()
