"""Every check of every item: what `python -m checks` runs, a test each."""

import pytest
from hypothesis import given, settings

from checks.catalogue import checks_of, items, run_check
from checks.check import Draw
from checks.comparison import Comparison
from checks.drawn import losses
from checks.programs import listed_programs
from checks.properties.random_losses import TOLERANCE
from checks.random_programs import Program
from checks.slope_comparison import compare_slopes
from checks.subject import ROOT, Subject

PROGRAMS = listed_programs(ROOT)
CHECKS = {
    f"{check.id}-{item}": (check, item) for item in items(PROGRAMS) for check in checks_of(item)
}
SUBJECT = Subject(ROOT)
FEW = Draw(examples=20)


@pytest.mark.parametrize("name", CHECKS)
def test_check(name: str) -> None:
    check, item = CHECKS[name]
    verdict = run_check(check, item, PROGRAMS, SUBJECT, FEW)
    # None says that the check is none for this program.
    assert verdict is None or verdict.passed, f"{check.title}: {verdict.detail}"


@settings(max_examples=20)
@given(losses())
def test_random_program(program: Program) -> None:
    comparison = Comparison(TOLERANCE, "")
    for optimized in (False, True):
        compare_slopes(comparison, SUBJECT, program.source, "w", optimized=optimized)
    assert comparison.finding().passed, comparison.detail
