"""At a kink the gradient lies between the slopes to its two sides, whatever the convention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own, on_programs
from checks.comparison import Comparison
from checks.reference import reference, slopes
from checks.smoothness import is_smooth
from checks.writing import printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.check import Case, Setting
    from checks.verdict import Finding
    from mgc.meanings import Array

TOLERANCE = 1e-13
REASON = "absolute, for slopes of about 1 to 20: the interval is exact but for rounding"

SOURCES = (
    "let a = [[0, -0.0, 1, -1]]\nprint row_sum(relu(a) * [[2, -3, 5, 7]])\n",
    "let a = [[1, 1, 2], [3, 0, 3]]\nprint row_sum(relu(transpose(row_max(a)) - 2) * [[3, -5]])\n",
    "let a = [[2, 2, 1], [0, 2, 1]]\nprint row_sum(col_max(a * 1.5) * [[-3, 2, 0.25]])\n",
    (
        "let a = [[1, -1], [1, 1]]\nlet c = a @ [[2, -3], [5, 7]] - [[0, -7], [0, -3]]\n"
        "print col_sum([[1.5], [-0.5]] * row_max(c))\n"
    ),
    "let a = [[-2, 2, 0]]\nprint -row_max(-relu(a) * a) + relu(row_max(a) - 2) * 3\n",
)


@on_programs("between-slopes", 2, "At a kink every element lies between the one-sided slopes")
def check(case: Case) -> Finding | None:
    """Compare every element with an interval, of a loss that has kinks."""
    program = case.program
    if is_smooth(program):
        return None
    comparison = Comparison(TOLERANCE, REASON)
    _compare(comparison, case.source, program.wrt, case.printed()[1:], program.loss)
    return comparison.finding()


@on_its_own("between-slopes-small", 2, "The same of small programs with every kink", item="kinks")
def check_small(setting: Setting) -> Finding:
    """Compare the gradients of losses with one kink or several."""
    comparison = Comparison(TOLERANCE, REASON)
    for source in SOURCES:
        names = tuple(reference(source).literals)
        gradients = printed(setting.subject.gradient(source, names))[1:]
        _compare(comparison, source, names, gradients)
    return comparison.finding()


def _compare(
    comparison: Comparison,
    source: str,
    names: Sequence[str],
    gradients: Sequence[Array],
    loss: int = 0,
) -> None:
    for name, gradient in zip(names, gradients, strict=True):
        right = slopes(source, name, loss)
        left = slopes(source, name, loss, to=-1.0)
        comparison.between(name, gradient, left, right)
