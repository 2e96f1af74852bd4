"""A descent on a small program takes the steps that the complex step's gradients take."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.reference import Reference
from checks.stepping import literal_of, with_literal
from checks.trained import descended
from checks.writing import accepted

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding
    from mgc.meanings import Array

TOLERANCE = 1e-12
REASON = "of the largest element: both are exact but for rounding, in six steps"

SOURCE = """\
let x = [[0.5, -1.0, 2.0], [2.0, 1.0, 0.3]]
let w = [[0.2, 0.7], [-0.3, 0.4], [0.6, -0.1]]
let b = [[0.1, -0.2]]
let target = exp([[0.1, 0.2], [0.3, 0.4]]) * 0.5
let error = x @ w + b - target
print col_sum(row_sum(error * error * [[1, 0.7], [0.4, 1.3]])) + 0.1 * b @ [[1], [-3]]
"""
WRT = ("b", "w")
RATE = 0.03
STEPS = 6


@on_its_own(
    "small-descent", 4, "Every step of a small descent is rate times gradient", item="descent"
)
def check(setting: Setting) -> Finding:
    """Compare descents of 0 to 6 steps: their losses and the parameters at the end of each."""
    comparison = Comparison(TOLERANCE, REASON)
    losses, parameters = _by_reference()
    for steps in range(STEPS + 1):
        answer = setting.subject.descent(SOURCE, WRT, steps, RATE, prints_parameters=True)
        found = descended(accepted(answer), steps, len(WRT))
        names = [f"loss after step {step} of {steps}" for step in range(steps + 1)]
        comparison.matrices(names, found.losses, losses[: steps + 1])
        names = [f"{name} after step {steps}" for name in WRT]
        comparison.matrices(names, found.last, parameters[steps])
    return comparison.finding()


@cache
def _by_reference() -> tuple[list[Array], list[list[Array]]]:
    """Return the losses and the parameters before the first step and after each."""
    losses: list[Array] = []
    parameters: list[list[Array]] = []
    source = SOURCE
    for _ in range(STEPS + 1):
        reference = Reference(source)
        present = [reference.values[reference.literals[name]] for name in WRT]
        losses.append(reference.printed())
        parameters.append(present)
        for name, matrix in zip(WRT, present, strict=True):
            moved = literal_of(matrix - RATE * reference.slopes(name))
            source = with_literal(source, name, moved)
    return losses, parameters
