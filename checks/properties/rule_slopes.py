"""Every reverse-mode rule by itself, in every way to stretch its operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.reference import slopes
from checks.rule_programs import rule_operations, rule_program
from checks.writing import printed

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

TOLERANCE = 1e-13
REASON = "of the largest element of the matrix: both are exact but for the rounding of a few steps"


@on_its_own(
    "rule-slopes", 1, "Every rule gives the slope that the complex step finds", item="rules"
)
def check(setting: Setting) -> Finding:
    """Compare every element, for operands of every shape that stretches or fits."""
    return _compared(setting, square=False)


@on_its_own("rule-slopes-square", 1, "The same where all sizes are equal", item="rules")
def check_square(setting: Setting) -> Finding:
    """Compare every element, for square operands: no mistake is a wrong shape."""
    return _compared(setting, square=True)


def _compared(setting: Setting, *, square: bool) -> Finding:
    comparison = Comparison(TOLERANCE, REASON)
    for op in rule_operations():
        source, names = rule_program(op, square=square)
        gradients = printed(setting.subject.gradient(source, names))[1:]
        expected = [slopes(source, name, 0) for name in names]
        comparison.matrices([f"{name} of {op}" for name in names], gradients, expected)
    return comparison.finding()
