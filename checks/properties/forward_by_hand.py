"""Forward mode on small programs, with slopes worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import printed
from mgc.literals import Literal

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.golden import Rows
    from checks.verdict import Finding

REASON = "sums and products of small integers are exact"


@dataclass(frozen=True, slots=True)
class Slope:
    """A program, a direction for each of some lets, and the loss and its slope along them."""

    name: str
    source: str
    directions: dict[str, Rows]
    loss: float
    slope: float
    unused_is_zero: bool = False


SLOPES = (
    Slope(
        "a matrix product with a literal on its right",
        "let w = [[2, 3]]\nprint w @ [[5], [7]]\n",
        {"w": [[11, 13]]},
        31,
        146,
    ),
    Slope(
        "a row that is stretched and summed as it is",
        "let b = [[1, 2, 3]]\nprint col_sum(row_sum(b + [[1, 1, 1], [2, 2, 2]]))\n",
        {"b": [[5, 7, 11]]},
        21,
        46,
    ),
    Slope(
        "a column that is subtracted, and what is left is summed",
        "let c = [[1], [2]]\nprint col_sum(row_sum([[4, 4, 4], [4, 4, 4]] - c))\n",
        {"c": [[5], [7]]},
        15,
        -36,
    ),
    Slope(
        "a number that is stretched both ways, transposed and summed",
        "let k = [[2]]\nprint row_sum(col_sum(transpose(k + [[1, 1, 1], [1, 1, 1]])))\n",
        {"k": [[5]]},
        18,
        30,
    ),
    # Neither summand has a matrix beside it, so only ones give their sum its two rows.
    Slope(
        "a row that is stretched twice, and both are added and summed",
        "let b = [[1, 2, 3]]\nlet c = b + [[1, 1, 1], [2, 2, 2]]\n"
        "let d = b + [[0, 1, 0], [1, 0, 1]]\nprint col_sum(row_sum(c + d))\n",
        {"b": [[5, 7, 11]]},
        36,
        92,
    ),
    Slope(
        "a row that is made a column and weighted",
        "let w = [[1, 2]]\nprint col_sum(row_sum(reshape(w, 2, 1) * [[3], [5]]))\n",
        {"w": [[7, 11]]},
        13,
        76,
    ),
    Slope(
        "two matrices, each with a direction of its own",
        "let w = [[2]]\nlet u = [[3]]\nprint w * w * u\n",
        {"u": [[7]], "w": [[1]]},
        12,
        28 + 12,
    ),
    Slope(
        "a loss that is the matrix",
        "let w = [[4]]\nprint w\n",
        {"w": [[-2]]},
        4,
        -2,
    ),
    Slope(
        "a loss that is one of the matrices",
        "let w = [[4]]\nlet u = [[1, 2]]\nprint w\n",
        {"u": [[3, 5]], "w": [[-2]]},
        4,
        -2,
        unused_is_zero=True,
    ),
    Slope(
        "no matrix that moves the loss",
        "let u = [[1, 2]]\nprint [[9]]\n",
        {"u": [[3, 5]]},
        9,
        0,
        unused_is_zero=True,
    ),
)


@on_its_own("forward-by-hand", 6, "In forward mode small programs are as by hand", item="rules")
def check(setting: Setting) -> Finding:
    """Compare loss and slope of each program up to the first that differs, which says enough."""
    comparison = Comparison(0.0, REASON)
    for each in SLOPES:
        answer = setting.subject.directional(
            each.source,
            tuple(each.directions),
            [_literal(rows) for rows in each.directions.values()],
            unused_is_zero=each.unused_is_zero,
        )
        names = [f"loss of {each.name}", f"slope of {each.name}"]
        expected = [np.array([[each.loss]]), np.array([[each.slope]])]
        comparison.matrices(names, printed(answer), expected)
        if comparison.worst > comparison.tolerance:
            break
    return comparison.finding()


def _literal(rows: Rows) -> Literal:
    entries = [float(entry) for row in rows for entry in row]
    return Literal((len(rows), len(rows[0])), tuple(entries))
