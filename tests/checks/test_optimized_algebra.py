"""The programs that are made for the rewritings of -O provoke each of them."""

from collections import Counter

import pytest

from autograd.optimize import passes
from autograd.optimize.graph import Builder
from autograd.optimize.passes import PASSES, optimized
from autograd.problem import ALL, Request
from autograd.transform import posed_problem
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden
from checks.properties.optimized_algebra import LARGE, PRODUCTS, SOURCES
from checks.subject import Subject
from tests.autograd.numerical import program

SHORTCUTS = {
    f"{name}softmax{shift}, differentiated in one step"
    for name in ("", "log-")
    for shift in ("", " with its shift")
}


def test_every_rewriting_is_provoked(monkeypatch: pytest.MonkeyPatch) -> None:
    builders: list[Builder] = []

    class Listed(Builder):
        def __init__(self, *rules: object) -> None:
            super().__init__(*rules)  # type: ignore[arg-type]
            builders.append(self)

    monkeypatch.setattr(passes, "Builder", Listed)
    notes: list[str] = []
    for source in (*SOURCES.values(), *PRODUCTS.values()):
        notes += optimized(posed_problem(program(source), Request(ALL))).notes
    provoked: Counter[str] = Counter()
    for builder in builders:
        provoked += builder.rewritten
    rules = {each.name for one in PASSES for row in one.rules.values() for each in row}
    assert rules - provoked.keys() == set()
    assert {name for name in SHORTCUTS if not any(name in note for note in notes)} == set()


@pytest.mark.parametrize("golden", LARGE, ids=lambda golden: golden.name)
def test_a_softmax_taken_apart_is_wrong_where_its_total_is_squared(golden: Golden) -> None:
    comparison = Comparison(0.0, "")
    compare_golden(comparison, Subject(), [golden])
    assert not comparison.finding().passed
