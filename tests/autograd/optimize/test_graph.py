"""How graphs are walked and rebuilt."""

import pytest

from autograd.optimize import passes
from autograd.optimize.graph import Builder, groups_operands_first, operands_first, untried
from autograd.optimize.passes import PASSES, optimized
from autograd.optimize.write import optimized_program
from autograd.problem import Problem
from tests.autograd.optimize.problems import problems

EXAMPLES = 100


class Eager(Builder):
    """Tries every rule on every value."""

    def __init__(self, rules: passes.Rules, *_remembered: object) -> None:
        super().__init__(rules)


def written(problem: Problem) -> tuple[str, list[str]]:
    better = optimized(problem)
    return optimized_program(problem, better, "test.mg"), better.notes


def test_rules_that_are_not_tried_again_would_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = problems(EXAMPLES)
    lazily = [written(problem) for problem in every]
    monkeypatch.setattr(passes, "Builder", Eager)
    assert [written(problem) for problem in every] == lazily


def test_a_rule_that_asks_for_uses_is_always_tried_again() -> None:
    for each in PASSES:
        for op, row in each.rules.items():
            left = untried(each.rules, each.rules)[op]
            assert [rule for rule in row if not rule.local] == list(left)


def test_groups_are_walked_as_one_by_one() -> None:
    for problem in problems(EXAMPLES):
        first, *_ = problem.steps
        groups = [[problem.steps[-1]], list(problem.steps), [problem.loss]]
        done = {first}
        one_by_one: list[object] = []
        for group in groups:
            new = operands_first(group, known=done)
            done.update(new)
            one_by_one.append(new)
        assert groups_operands_first(groups, known=[first]) == one_by_one
