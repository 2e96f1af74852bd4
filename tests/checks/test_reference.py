"""The reference against derivatives that are known."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings

from checks.complex_meanings import Convention
from checks.programs import listed_programs
from checks.random_domains import SMOOTH
from checks.random_programs import Program, programs
from checks.reference import Reference
from checks.rule_programs import rule_operations, rule_program
from checks.smoothness import is_smooth
from checks.subject import ROOT
from mgc.compile import compile_source
from mgc.interpret import interpret
from mgc.ops import OPS

if TYPE_CHECKING:
    from mgc.meanings import Array

X = 0.7


def slope(expression: str, x: float = X) -> float:
    return Reference(f"let x = [[{x!r}]]\nprint {expression}\n").slopes("x").item()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x + x", 2.0),
        ("x - 3 * x", -2.0),
        ("x * x * x", 3 * X * X),
        ("x / (x + 1)", 1 / (X + 1) ** 2),
        ("2 / x", -2 / X**2),
        ("-x", -1.0),
        ("exp(2 * x)", 2 * exp(2 * X)),
        ("log(x)", 1 / X),
        ("sqrt(x)", 1 / (2 * sqrt(X))),
        ("relu(x) + relu(-x)", 1.0),
        ("ge(x, [[0.5]]) * x", 1.0),
        ("x @ transpose(x)", 2 * X),
        ("row_max(reshape(x, 1, 1) * [[1, 3, 2]])", 3.0),
        ("col_max(x * [[1], [3], [2]])", 3.0),
        ("exp(log(x) * x)", X**X * (log(X) + 1)),
    ],
)
def test_known_derivatives(expression: str, expected: float) -> None:
    assert slope(expression) == pytest.approx(expected, rel=1e-15)


def test_a_derivative_far_below_its_value_is_exact() -> None:
    assert slope("1e10 + x * 1e-10") == pytest.approx(1e-10, rel=1e-15)


def test_differences_agree_as_far_as_they_can() -> None:
    reference = Reference("let x = [[0.7, -1.2]]\nprint row_sum(exp(x * x) * [[1, 2]])\n")
    assert reference.differences("x") == pytest.approx(reference.slopes("x"), rel=1e-9)
    quintic = Reference("let x = [[0.3]]\nprint x * x * x * x * x\n")
    assert quintic.differences("x").item() == pytest.approx(5 * 0.3**4, rel=1e-10)


@pytest.mark.parametrize(
    ("expression", "right", "left", "shared"),
    [
        ("relu(x)", [2, 0], [0, 0], [2, 0]),
        ("row_max(x)", [1, 1], [0, 0], [0.5, 0.5]),
        ("-col_max(transpose(x)) * 3", [-3, -3], [0, 0], [-1.5, -1.5]),
    ],
)
def test_kinks(expression: str, right: list[float], left: list[float], shared: list[float]) -> None:
    start = "[[0, 0]]" if "max" in expression else "[[0, -1]]"
    scale = "" if "max" in expression else " * [[2, 3]]"
    reference = Reference(f"let x = {start}\nprint row_sum({expression}{scale})\n")
    assert reference.has_kinks()
    assert reference.slopes("x").tolist() == [right]
    assert reference.slopes("x", to=-1.0).tolist() == [left]
    assert reference.slopes("x", convention=Convention.SHARED).tolist() == [shared]


def test_a_tie_that_the_loss_does_not_see() -> None:
    softmax = "let e = exp(x - row_max(x))\nprint row_sum(e / row_sum(e) * [[1, 5, 2]])\n"
    reference = Reference(f"let x = [[1, 1, 0]]\n{softmax}")
    assert reference.has_kinks()
    right, left = reference.slopes("x"), reference.slopes("x", to=-1.0)
    assert right == pytest.approx(left, rel=1e-14)


def test_which_programs_are_smooth() -> None:
    kinked = [program.name for program in listed_programs(ROOT) if not is_smooth(program)]
    assert kinked == [
        *("m10_ties", "m10_ties_rows", "m10_ties_columns", "m10_ties_both_ways"),
        *("m10_ties_computed", "m10_ties_zeros"),
    ]


def test_a_print_that_is_no_loss_has_derivatives_too() -> None:
    reference = Reference("let x = [[1, 2]]\nprint x * x\nprint transpose(x)\n")
    ways = [{"x": np.array([way])} for way in ([1.0, -1.0], [0.5, 3.0])]
    squares = reference.derivatives(ways, 0, Convention.ALONG)
    assert [each.tolist() for each in squares] == [[[2, -4]], [[1, 12]]]
    turned = reference.derivatives(ways, 1, Convention.ALONG)
    assert [each.tolist() for each in turned] == [[[1], [-1]], [[0.5], [3]]]


def test_literals_are_found_by_where_they_stand() -> None:
    source = (
        "def f(a: tensor[1x1]) = a * [[2]]\nlet a = [[2]]\nlet b = f([[2]]) * a\nlet a = [[2]]\n"
        "let c = ([[2]])\nlet d = -[[2]]\nprint a * [[3]] + b + c * [[5]] * d\n"
    )
    reference = Reference(source)
    assert list(reference.literals) == ["a", "c"]
    assert reference.slopes("a").item() == 3
    assert reference.slopes("c").item() == -10


def test_dependence() -> None:
    source = "let a = [[1]]\nlet b = [[2]]\nlet c = [[3]]\nprint ge(a, b) * c\nprint b\n"
    reference = Reference(source)
    assert [reference.depends(name) for name in "abc"] == [True, True, True]
    assert [reference.depends(name, past_comparisons=False) for name in "abc"] == [
        *(False, False, True)
    ]
    assert [reference.depends(name, 1) for name in "abc"] == [False, True, False]


@settings(max_examples=20)
@given(programs(SMOOTH))
def test_what_is_printed_is_what_the_interpreter_prints(program: Program) -> None:
    reference = Reference(program.source)
    printed = interpret(compile_source(program.source, "program.mg"))
    found = [reference.printed(number) for number in range(len(reference.prints))]
    assert [each.tolist() for each in found] == [each.tolist() for each in printed]


def shapes(source: str) -> set[tuple[int, ...]]:
    reference = Reference(source)
    return {reference.shape(name) for name in reference.literals}


@pytest.mark.parametrize("op", rule_operations(), ids=str)
def test_a_rule_program_applies_its_operation(op: object) -> None:
    operation = next(each for each in OPS if each is op)
    for square in (False, True):
        source, names = rule_program(operation, square=square)
        reference = Reference(source)
        applied = [step for step in reference.steps if step.op is operation]
        assert len(applied) * len(operation.operands) >= len(names)
        assert names == tuple(reference.literals)
        assert not reference.has_kinks()
        assert (shapes(source) == {(3, 3)}) == square


def gradient(source: str, name: str) -> Array:
    return Reference(source).slopes(name)


def test_a_wrong_gradient_is_not_that_of_the_reference() -> None:
    source = "let w = [[3, 4]]\nprint row_sum(w * w)\n"
    assert gradient(source, "w").tolist() == [[6, 8]]
