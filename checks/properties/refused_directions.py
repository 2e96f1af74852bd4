"""A direction that does not fit the matrices is refused, and so is what a gradient is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.refused import REASON, compare_refusal
from mgc.literals import full

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

_SOURCE = "let w = [[1, 2]]\nlet b = [[3], [4]]\nprint w @ b\nprint w\n"

DIRECTIONS = {
    "none": (("w",), (), 0, "0 directions for 1 matrices"),
    "too many": (("w",), ((1, 2), (2, 1)), 0, "2 directions for 1 matrices"),
    "of another shape": (
        ("w", "b"),
        ((2, 1), (1, 2)),
        0,
        "the direction of 'w' is 2x1, the matrix 1x2; the direction of 'b' is 1x2, the matrix 2x1",
    ),
    "of another shape, the second alone": (
        ("w", "b"),
        ((1, 2), (1, 1)),
        0,
        "the direction of 'b' is 1x1, the matrix 2x1",
    ),
    "too few": (("w", "b"), ((1, 2),), 0, "1 directions for 2 matrices"),
    "an unknown matrix": (("q",), ((1, 2),), 0, "there is no let 'q' (the lets are: w, b)"),
    "a loss that is no 1x1": (
        ("w",),
        ((1, 2),),
        1,
        "the loss, print 1 (line 4), is 1x2 and not 1x1; sum it, as in print col_sum(row_sum(x))",
    ),
}


@on_its_own("refused-directions", 5, "A direction that does not fit is refused", item="refusals")
def check(setting: Setting) -> Finding:
    """Provoke every refusal of forward mode, and compare the line."""
    comparison = Comparison(0.0, REASON)
    for name, (wrt, shapes, loss, causes) in DIRECTIONS.items():
        directions = [full(shape, 1.0) for shape in shapes]
        answer = setting.subject.directional(_SOURCE, wrt, directions, loss)
        place = "<input>" if "direction" in causes else "program.mg"
        compare_refusal(comparison, name, answer, f"{place}: error: {causes}")
    return comparison.finding()
