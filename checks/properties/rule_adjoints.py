"""For every operation <J v, w> = <v, J' w>: its two rules are each other's transpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.forward_mode import Differentiated, compare_with_reverse
from checks.rule_programs import rule_operations, rule_program

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

TOLERANCE = 1e-13
REASON = "of the sum of the products' sizes: rounding alone, of a few steps and one long sum"


@on_its_own("rule-adjoints", 6, "For every rule <J v, w> = <v, J' w>", item="rules")
def check(setting: Setting) -> Finding:
    """Compare both sides for a program of each operation; w are its weights."""
    return _compared(setting, square=False)


@on_its_own("rule-adjoints-square", 6, "The same where all sizes are equal", item="rules")
def check_square(setting: Setting) -> Finding:
    """Compare both sides for square operands: no mistake is a wrong shape."""
    return _compared(setting, square=True)


def _compared(setting: Setting, *, square: bool) -> Finding:
    comparison = Comparison(TOLERANCE, REASON)
    for op in rule_operations():
        program = Differentiated(op.name, *rule_program(op, square=square))
        compare_with_reverse(comparison, setting.subject, program, seeds=(1,))
    return comparison.finding()
