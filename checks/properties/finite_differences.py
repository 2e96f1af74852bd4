"""Every element of every gradient is what finite differences say."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from checks.check import on_programs
from checks.comparison import Comparison
from checks.reference import reference
from checks.smoothness import is_smooth

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding
    from mgc.meanings import Array

TOLERANCE = 1e-8
REASON = (
    "of the largest element of the matrix: the fourth-order difference with step 1e-3 errs by "
    "about 1e-12 of a fifth derivative, which is up to some thousands near a pole"
)
MOST_ELEMENTS = 100
"""Of a program's matrices: each costs four evaluations, and the complex step sees more."""


@on_programs("finite-differences", 1, "Every element is the slope of central differences")
def check(case: Case) -> Finding | None:
    """Compare every element, of a program that is smooth and small enough."""
    program = case.program
    sizes = [rows * columns for rows, columns in map(case.reference.shape, program.wrt)]
    if sum(sizes) > MOST_ELEMENTS or not is_smooth(program):
        return None
    comparison = Comparison(TOLERANCE, REASON)
    expected = [_differences(case.source, name, program.loss) for name in program.wrt]
    comparison.matrices(program.wrt, case.printed()[1:], expected)
    return comparison.finding()


@cache
def _differences(source: str, name: str, loss: int) -> Array:
    return reference(source).differences(name, loss)
