"""What counts as an error, and what is told of it."""

from math import inf, nan

import numpy as np
import pytest

from checks.comparison import Comparison


def compared(found: object, expected: object, scale: float | None = None) -> Comparison:
    comparison = Comparison(1e-12, "a reason")
    comparison.matrix("w", np.array(found, float), np.array(expected, float), scale)
    return comparison


def test_an_error_is_relative_to_the_largest_expected_entry() -> None:
    finding = compared([[1.0, 200.0]], [[1.5, 200.0]]).finding()
    assert (finding.worst, finding.elements, finding.passed) == (0.0025, 2, False)
    assert finding.detail == "w[0, 0]: 1.0, expected 1.5"
    assert (finding.tolerance, finding.reason, finding.cause) == (1e-12, "a reason", "value")


def test_it_is_absolute_where_zeros_are_expected() -> None:
    assert compared([[0.25, 0.0]], [[0.0, 0.0]]).finding().worst == 0.25


def test_the_scale_can_be_given() -> None:
    assert compared([[3.0]], [[1.0]], scale=10.0).finding().worst == 0.2


@pytest.mark.parametrize("wrong", [nan, inf, -inf])
def test_a_number_that_is_not_finite_is_a_failure(wrong: float) -> None:
    for found, expected in (([[wrong, 1]], [[1, 1]]), ([[1, 1]], [[wrong, 1]])):
        finding = compared(found, expected).finding()
        assert (finding.worst, finding.passed) == (inf, False)
    both = compared([[wrong]], [[wrong]]).finding()
    assert (both.worst, both.passed) == (inf, False)


def test_nan_does_not_hide_behind_another_error() -> None:
    comparison = compared([[2.0]], [[1.0]])
    comparison.matrix("v", np.array([[nan]]), np.array([[1.0]]))
    assert comparison.finding().detail == "v[0, 0]: nan, expected 1.0"


def test_another_shape_is_a_failure() -> None:
    finding = compared([[1.0, 1.0]], [[1.0], [1.0]]).finding()
    assert (finding.passed, finding.cause, finding.worst) == (False, "value", inf)
    assert finding.detail == "shape of w: 1x2, expected 2x1"


def test_another_number_of_matrices_is_a_failure() -> None:
    comparison = Comparison(1.0, "")
    comparison.matrices(["a", "b"], [np.ones((1, 1))], [np.ones((1, 1))] * 2)
    assert comparison.finding().detail == "matrices: 1, expected 2"


def test_nothing_compared_is_a_failure() -> None:
    finding = Comparison(1.0, "").finding()
    assert (finding.passed, finding.detail) == (False, "nothing was compared")


def test_the_worst_is_told_and_the_first_if_all_are_right() -> None:
    comparison = compared([[1.0, 2.0]], [[1.0, 2.0]])
    comparison.matrix("v", np.array([[3.0]]), np.array([[3.0]]))
    assert comparison.finding().detail == "w[0, 0]: 1.0, expected 1.0"
    assert comparison.finding().passed
    comparison.matrix("u", np.array([[1.0 + 1e-15]]), np.array([[1.0]]))
    assert comparison.finding().detail.startswith("u[0, 0]: 1.000000000000001, expected 1.0")
    assert comparison.finding().passed


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        (0.0, -0.0, False),
        (inf, inf, True),
        (inf, -inf, False),
        (nan, nan, True),
        (nan, 1.0, False),
        (1.0, nan, False),
        (0.1 + 0.2, 0.3, False),
    ],
)
def test_bits(found: float, expected: float, *, same: bool) -> None:
    comparison = Comparison(0.0, "")
    comparison.bits("w", np.array([[found]]), np.array([[expected]]))
    assert comparison.finding().passed == same


@pytest.mark.parametrize(("found", "error"), [(0.5, 0.0), (-1.0, 0.0), (2.25, 0.25), (nan, inf)])
def test_an_interval(found: float, error: float) -> None:
    comparison = Comparison(0.0, "")
    comparison.between("w", np.array([[found]]), np.array([[2.0]]), np.array([[-1.0]]))
    assert comparison.finding().worst == error


def test_texts_are_compared_whole() -> None:
    comparison = Comparison(0.0, "")
    comparison.text("message", "a b", "a b")
    assert comparison.finding().passed
    comparison.text("message", "a b c", "a b")
    assert comparison.finding().detail == "message: 'a b c', expected 'a b'"


def test_another_comparison_is_included_with_its_worst() -> None:
    comparison = compared([[1.0, 1.0]], [[1.0, 1.0]])
    comparison.include(compared([[4.0]], [[2.0]]))
    comparison.include(Comparison(0.0, ""))
    finding = comparison.finding()
    assert (finding.elements, finding.worst) == (3, 1.0)
    assert finding.detail == "w[0, 0]: 4.0, expected 2.0"
