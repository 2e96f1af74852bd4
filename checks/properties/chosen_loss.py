"""The loss is the print that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import printed
from mgc.literals import full

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "sums and products of small integers are exact"

SOURCE = """\
def square(m: tensor[1x1]) = m * m
let a = [[2]]
let b = [[5]]
print a * b
print [[1, 2]] * a
print square(a) - b
print b
print a
"""
LOSSES = {
    0: (10, {"b": 2, "a": 5}),
    2: (-1, {"a": 4, "b": -1}),
    3: (5, {"b": 1}),
    4: (2, {"a": 1}),
}
"""By the number of the print: its value, and the gradients to ask for."""


@on_its_own("chosen-loss", 7, "The loss is the print that was asked for", item="structure")
def check(setting: Setting) -> Finding:
    """Compare loss, gradients and slopes of each print that can be a loss."""
    comparison = Comparison(0.0, REASON)
    for number, (loss, gradients) in LOSSES.items():
        names = tuple(gradients)
        expected = [np.array([[float(value)]]) for value in (loss, *gradients.values())]
        found = printed(setting.subject.gradient(SOURCE, names, number))
        labels = [f"{name} of print {number}" for name in ("loss", *names)]
        comparison.matrices(labels, found, expected)
        directions = [full((1, 1), 1.0)] * len(names)
        slope = printed(setting.subject.directional(SOURCE, names, directions, number))
        labels = [f"{name} of print {number}, forward" for name in ("loss", "slope")]
        comparison.matrices(labels, slope, [expected[0], sum(expected[1:], np.zeros((1, 1)))])
    return comparison.finding()
