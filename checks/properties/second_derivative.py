"""A gradient program can be differentiated again, and that is the second derivative.

The gradients are weighted and summed to one number: its gradient is the Hessian's product with
the weights.
"""

from __future__ import annotations

from functools import cache
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from checks.check import on_programs
from checks.comparison import Comparison
from checks.complex_meanings import Convention
from checks.curvature import curved_in
from checks.directions import as_arrays, drawn_directions
from checks.reference import reference, slopes
from checks.writing import printed, statements
from mgc.literals import source_matrix
from mgc.syntax import Name, Print

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding
    from mgc.meanings import Array

TOLERANCE = 1e-11
REASON = (
    "of the largest element of the matrix: both are exact but for rounding, in a program some "
    "three times as long as the gradient's"
)
MOST_ELEMENTS = 12
"""Compared one by one. A program with more is compared along random directions: an element that is
wrong moves the sum along each of them, and one by one they take longer than all other checks."""
SEEDS = (1, 2, 3)


@on_programs("second-derivative", 7, "A gradient program differentiates again, rightly")
def check(case: Case) -> Finding | None:
    """Compare with the complex step of the gradient program, for a loss that is not linear.

    Which matrices its gradient depends on is the program's to say, and not the copy's.
    """
    names = curved_in(case.reference, case.program.wrt, case.program.loss)
    if not names:
        return None
    source = weighted_gradient(case)
    first = reference(source)
    comparison = Comparison(TOLERANCE, REASON)
    for name in names:
        if name not in first.literals:
            comparison.count(name, inf, "no literal in the gradient program, expected one")
        elif not first.depends(name, past_comparisons=False):
            comparison.count(name, inf, "no gradient depends on it, expected one that does")
    if comparison.worst > 0.0:
        return comparison.finding()
    found = printed(case.subject.gradient(source, names))[1:]
    if sum(first.values[first.literals[name]].size for name in names) <= MOST_ELEMENTS:
        expected = (slopes(source, name, 0, convention=Convention.SHARED) for name in names)
        comparison.matrices(names, found, expected)
        return comparison.finding()
    for seed, (directions, slope) in zip(SEEDS, _slopes(source, tuple(names)), strict=True):
        products = [each * way for each, way in zip(found, directions.values(), strict=True)]
        total = np.array([[float(sum(each.sum() for each in products))]])
        size = float(sum(np.abs(each).sum() for each in products))
        comparison.matrix(f"direction {seed}", total, slope, size)
    return comparison.finding()


@cache
def _slopes(source: str, names: tuple[str, ...]) -> list[tuple[dict[str, Array], Array]]:
    """Return the direction of each seed, and the slope along it."""
    first = reference(source)
    directions = [as_arrays(drawn_directions(first, names, seed)) for seed in SEEDS]
    slopes_along = first.derivatives(directions, 0, Convention.SHARED)
    return list(zip(directions, slopes_along, strict=True))


def weighted_gradient(case: Case) -> str:
    """Return the gradient program, printing the weighted sum of its gradients instead of them."""
    text = case.written()
    lines = [line for line in text.splitlines() if not line.startswith("print ")]
    prints = [each.expression[0] for each in statements(text) if isinstance(each, Print)]
    gradients = [each.text for each in prints[1:] if isinstance(each, Name)]
    weights = drawn_directions(case.reference, case.program.wrt, 0)
    terms = [
        f"col_sum(row_sum({gradient} * {source_matrix(weight)}))"
        for gradient, weight in zip(gradients, weights.values(), strict=True)
    ]
    return "\n".join([*lines, f"print {' + '.join(terms)}", ""])
