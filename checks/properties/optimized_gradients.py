"""The program that `-O` writes has the same gradients as the plain one must have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own, on_programs
from checks.comparison import Comparison
from checks.complex_meanings import Convention
from checks.golden import compare_golden
from checks.properties import flat_comparison, relu_at_zero, tied_maxima, told_apart
from checks.reference import slopes
from checks.rule_programs import rule_operations, rule_program
from checks.slope_comparison import compare_slopes
from checks.smoothness import is_smooth
from checks.writing import printed

if TYPE_CHECKING:
    from checks.check import Case, Setting
    from checks.verdict import Finding

TOLERANCE = 1e-11
REASON = (
    "of the largest element, or of 1 where all are smaller: algebra changes the order in which "
    "the terms are rounded, and may leave some that cancelled"
)


@on_programs("optimized-gradients", 1, "With -O too every element is that of the complex step")
def check(case: Case) -> Finding:
    """Compare the loss and every element; at kinks by the convention."""
    program = case.program
    convention = Convention.ALONG if is_smooth(program) else Convention.SHARED
    comparison = Comparison(TOLERANCE, REASON)
    found = printed(case.subject.optimized(case.source, program.wrt, program.loss))
    expected = [
        slopes(case.source, name, program.loss, convention=convention) for name in program.wrt
    ]
    loss = case.reference.printed(program.loss)
    comparison.matrices(case.names, found, [loss, *expected])
    return comparison.finding()


@on_its_own("optimized-rules", 1, "With -O too every rule gives the right slope", item="rules")
def check_rules(setting: Setting) -> Finding:
    """Compare every element of the programs for each operation, stretched and square."""
    comparison = Comparison(TOLERANCE, REASON)
    for op in rule_operations():
        for square in (False, True):
            source, _ = rule_program(op, square=square)
            compare_slopes(comparison, setting.subject, source, op.name, optimized=True)
    return comparison.finding()


@on_its_own("optimized-golden", 2, "With -O too kinks and names are as by hand", item="kinks")
def check_golden(setting: Setting) -> Finding:
    """Compare with values worked out by hand."""
    comparison = Comparison(TOLERANCE, REASON)
    for table in (tied_maxima, relu_at_zero, flat_comparison, told_apart):
        compare_golden(comparison, setting.subject, table.GOLDENS, optimized=True)
    return comparison.finding()
