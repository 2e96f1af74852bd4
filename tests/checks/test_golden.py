"""Comparing with gradients by hand, where some programs are refused."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from checks.comparison import Comparison
from checks.golden import Golden, compare_golden
from checks.subject import Subject
from checks.writing import REFUSED, Unanswered

RIGHT = Golden("right", "let w = [[3]]\nprint w * w\n", {"w": [[6]]})
WRONG = Golden("wrong", "let w = [[3]]\nprint w * w\n", {"w": [[5]]})
REFUSED_ONE = Golden("refused", "let w = [[3]]\nprint [[1]]\n", {"w": [[0]]})


def test_a_refusal_is_told_where_all_else_is_right() -> None:
    with pytest.raises(Unanswered, match="does not depend on 'w'") as raised:
        compare_golden(Comparison(0.0, ""), Subject(), [RIGHT, REFUSED_ONE, RIGHT])
    assert raised.value.cause == REFUSED


@pytest.mark.parametrize("goldens", [[REFUSED_ONE, WRONG], [WRONG, REFUSED_ONE]])
def test_a_wrong_value_is_told_before_a_refusal(goldens: list[Golden]) -> None:
    comparison = Comparison(0.0, "")
    compare_golden(comparison, Subject(), goldens)
    assert comparison.detail == "w of wrong[0, 0]: 6.0, expected 5.0"
    assert not comparison.finding().passed


def test_another_number_of_gradients_is_an_error() -> None:
    class One:
        def gradient(self, *_: object, **__: object) -> str:
            return "print [[1.0]]\n"

    comparison = Comparison(0.0, "")
    compare_golden(comparison, One(), [RIGHT])  # type: ignore[arg-type]
    assert comparison.detail == "right: 0 gradients, expected 1"


def test_every_let_that_counts_is_asked_for_without_its_name() -> None:
    asked: list[object] = []

    class Listening(Subject):
        def gradient(self, source: str, wrt: Sequence[str], *rest: Any, **named: Any) -> Any:  # noqa: ANN401
            asked.append(wrt)
            return super().gradient(source, wrt, *rest, **named)

    comparison = Comparison(0.0, "")
    compare_golden(comparison, Listening(), [RIGHT, replace(RIGHT, every=True)])
    assert asked == [("w",), ("all",)]
    assert comparison.finding().passed
