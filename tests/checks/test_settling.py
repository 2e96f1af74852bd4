"""A check that only has to fail ends at the first error; one that must tell the worst does not."""

from collections.abc import Callable

import numpy as np
import pytest

from checks.catalogue import run_check
from checks.check import OwnCheck
from checks.comparison import Comparison, Settled, first_error_settles
from checks.subject import Subject
from checks.verdict import Finding, Verdict
from checks.writing import Unanswered

ONE, TWO = np.array([[1.0]]), np.array([[2.0]])


def check_of(run: Callable[[], Finding]) -> OwnCheck:
    return OwnCheck("a-check", 1, "A check", "an item", lambda _: run())


def verdict_of(run: Callable[[], Finding], subject: Subject) -> Verdict:
    verdict = run_check(check_of(run), "an item", [], subject)
    assert verdict is not None
    return verdict


@pytest.fixture(scope="module")
def subject() -> Subject:
    return Subject()


def compared() -> Finding:
    comparison = Comparison(0.5, "close")
    comparison.matrix("near", 1.25 * ONE, ONE)
    comparison.matrix("far", TWO, ONE)
    comparison.matrix("farther", 9.0 * ONE, ONE)
    return comparison.finding()


def test_the_first_error_is_the_verdict(subject: Subject) -> None:
    with first_error_settles():
        verdict = verdict_of(compared, subject)
    assert (verdict.passed, verdict.cause, verdict.elements) == (False, "value", 2)
    assert (verdict.worst, verdict.detail) == (1.0, "far[0, 0]: 2.0, expected 1.0")


def test_afterwards_the_worst_is_found_again(subject: Subject) -> None:
    with pytest.raises(Settled), first_error_settles():
        compared()
    assert verdict_of(compared, subject).worst == 8.0


def test_what_is_within_the_tolerance_settles_nothing() -> None:
    comparison = Comparison(0.5, "close")
    with first_error_settles():
        comparison.matrix("near", 1.25 * ONE, ONE)
        comparison.matrix("same", ONE, ONE)
        finding = comparison.finding()
    assert finding.passed
    assert (finding.elements, finding.worst) == (2, 0.25)


def test_a_value_is_found_before_what_is_refused_later(subject: Subject) -> None:
    def refused_later() -> Finding:
        compared()
        raise Unanswered("refused", "no")

    assert verdict_of(refused_later, subject).cause == "refused"
    with first_error_settles():
        assert verdict_of(refused_later, subject).cause == "value"
