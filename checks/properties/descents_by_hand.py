"""Descents whose steps are worked out by hand, with and without `-O`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import printed

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.golden import Rows
    from checks.verdict import Finding

REASON = "sums and products of multiples of small powers of a half are exact"


@dataclass(frozen=True, slots=True)
class Descended:
    """A program, and its losses and matrices when it has descended."""

    name: str
    source: str
    rate: float
    losses: list[float]
    matrices: dict[str, Rows]
    unused_is_zero: bool = False


DESCENTS = (
    Descended(
        "no step at all",
        "let w = [[3, 4]]\nprint row_sum(w * w)\n",
        0.5,
        [25],
        {"w": [[3, 4]]},
    ),
    # 4u and 4w. Both matrices move at once: u takes its step along the w from before it.
    Descended(
        "two matrices that need each other",
        "let w = [[2]]\nlet u = [[3]]\nprint w * u * 4\n",
        0.125,
        [24, 4, -3.5],
        {"u": [[1.75]], "w": [[-0.5]]},
    ),
    Descended(
        "two matrices, each the gradient in the other",
        "let w = [[2]]\nlet u = [[3]]\nprint w * u\n",
        0.5,
        [6, 1, -0.875],
        {"u": [[1.75]], "w": [[-0.5]]},
    ),
    # 2w and 3uu: w = 1, 0.5, 0.25, and u = 1, 0.25, 0.203125.
    Descended(
        "two matrices that need nothing of each other",
        "let w = [[1]]\nlet u = [[1]]\nprint w * w + u * u * u\n",
        0.25,
        [2, 0.265625, 0.0625 + 0.203125**3],
        {"w": [[0.25]], "u": [[0.203125]]},
    ),
    Descended(
        "a loss that is the matrix",
        "let w = [[4]]\nprint w\n",
        0.5,
        [4, 3.5, 3, 2.5],
        {"w": [[2.5]]},
    ),
    Descended(
        "a loss that is one of the matrices",
        "let u = [[7, 8]]\nlet w = [[4]]\nprint w\n",
        0.5,
        [4, 3.5, 3],
        {"u": [[7, 8]], "w": [[3]]},
        unused_is_zero=True,
    ),
    Descended(
        "a matrix that the loss does not depend on",
        "let u = [[7, 8]]\nlet w = [[1, 2]]\nprint row_sum(w * w * [[1, 0.5]])\n",
        0.25,
        [3, 0.25 + 1.125, 0.0625 + 0.6328125],
        {"w": [[0.25, 1.125]], "u": [[7, 8]]},
        unused_is_zero=True,
    ),
)


@on_its_own("descents-by-hand", 4, "Small descents are those by hand, also -O's", item="descent")
def check(setting: Setting) -> Finding:
    """Compare every loss, and the matrices at the end, of what either writes."""
    comparison = Comparison(0.0, REASON)
    for each in DESCENTS:
        steps = len(each.losses) - 1
        wrt = tuple(each.matrices)
        request = each.source, wrt, steps, each.rate
        zero = each.unused_is_zero
        plain = setting.subject.descent(*request, prints_parameters=True, unused_is_zero=zero)
        better = setting.subject.optimized_descent(*request, unused_is_zero=zero)
        expected = [np.array([[loss]]) for loss in each.losses]
        expected += [np.array(rows, dtype=np.float64) for rows in each.matrices.values()]
        for answer, how in ((plain, ""), (better, ", -O")):
            names = [f"loss after step {step} of {each.name}{how}" for step in range(steps + 1)]
            names += [f"{name} of {each.name}{how}" for name in wrt]
            comparison.matrices(names, printed(answer), expected)
    return comparison.finding()
