"""Forward mode: every rule against the numerical gradient, and what the program looks like."""

import re

import numpy as np
import pytest

from autograd.forward import directional_program
from autograd.problem import Request
from autograd.rule_table import JVPS, VJPS, Rule
from autograd.transform import posed_problem
from mgc.diagnostics import Diagnostic
from mgc.literals import Literal
from tests.autograd import test_rules as reverse
from tests.autograd.numerical import TOLERANCE, evaluated, numerical_gradient, program


def directional(source: str, directions: dict[str, Literal], *, zero: bool = False) -> str:
    request = Request(tuple(directions), unused_is_zero=zero)
    problem = posed_problem(program(source), request)
    return directional_program(problem, "test.mg", list(directions.values()))


def drawn_directions(source: str, *names: str) -> dict[str, Literal]:
    generator = np.random.default_rng(1)
    directions: dict[str, Literal] = {}
    for name in names:
        (matrix,) = evaluated(re.sub("print .*", f"print {name}", source))
        elements = tuple(generator.uniform(-1, 1, matrix.size).tolist())
        directions[name] = Literal(matrix.shape, elements)
    return directions


def assert_slope(source: str, *names: str) -> None:
    directions = drawn_directions(source, *names)
    loss, slope = evaluated(directional(source, directions))
    assert loss == evaluated(source)[0]
    expected = 0.0
    scale = 1.0
    for name, direction in directions.items():
        products = numerical_gradient(source, name).flatten() * direction.elements
        expected += products.sum()
        scale = max(scale, np.abs(products).max())
    assert slope.item() == pytest.approx(expected, rel=0, abs=10 * TOLERANCE * scale)


@pytest.mark.parametrize("name", reverse.ELEMENTWISE)
def test_elementwise_rule(name: str) -> None:
    a, expression = reverse.ELEMENTWISE[name]
    assert_slope(reverse.weighted(expression, a, reverse.B, reverse.WEIGHTS), "a", "b", "weights")


@pytest.mark.parametrize("name", reverse.MATRIX)
def test_matrix_rule_on_a_square(name: str) -> None:
    lets = (reverse.SQUARE, reverse.SQUARE_B, reverse.SQUARE_WEIGHTS)
    assert_slope(reverse.weighted(reverse.MATRIX[name], *lets), "a", "b", "weights")


@pytest.mark.parametrize("stretch", reverse.STRETCHES.values(), ids=reverse.STRETCHES)
@pytest.mark.parametrize("expression", ["a + c", "c - a", "a * c", "c / a", "(c + c) * a"])
def test_stretched_operand(stretch: str, expression: str) -> None:
    source = reverse.weighted(expression, reverse.A, stretch, reverse.WEIGHTS)
    assert_slope(source, "a", "c", "weights")


def test_tied_maxima_share_the_tangent() -> None:
    source = "let m = [[1, 3, 3], [2, 2, 0]]\nprint col_sum(row_max(m))"
    direction = Literal((2, 3), (1.0, 2.0, 4.0, 8.0, 16.0, 32.0))
    assert evaluated(directional(source, {"m": direction}))[1].item() == 3 + 12


def test_what_no_matrix_moves_has_no_tangent() -> None:
    source = "let x = [[2, 3]]\nlet w = [[5, 7]]\nprint row_sum(exp(x) * log(x) * w)"
    text = directional(source, {"w": Literal((1, 2), (1.0, 0.0))})
    tangents = text.split("# ---- tangent pass")[1].split("# ---- results")[0]
    assert "exp" not in tangents
    assert len(re.findall(r"^let t\d+ =", tangents, re.MULTILINE)) == 3


def test_a_matrix_that_the_loss_does_not_need_adds_nothing() -> None:
    source = "let u = [[1, 2]]\nlet w = [[3]]\nprint w * w"
    directions = {"u": Literal((1, 2), (1.0, 1.0)), "w": Literal((1, 1), (2.0,))}
    assert evaluated(directional(source, directions, zero=True))[1].item() == 12


@pytest.mark.parametrize(
    ("directions", "message"),
    [
        ([], "0 directions for 1 matrices"),
        ([Literal((2, 1), (1.0, 1.0))], "the direction of 'w' is 2x1, the matrix 1x2"),
    ],
)
def test_directions_must_fit(directions: list[Literal], message: str) -> None:
    problem = posed_problem(program("let w = [[1, 2]]\nprint row_sum(w)"), Request(("w",)))
    with pytest.raises(Diagnostic, match=message):
        directional_program(problem, "test.mg", directions)


def test_both_tables_have_rules_for_the_same_operations() -> None:
    assert [op for op in JVPS if isinstance(JVPS[op], Rule)] == [
        op for op in VJPS if isinstance(VJPS[op], Rule)
    ]


def test_a_loss_that_no_matrix_moves_has_slope_zero() -> None:
    source = "let u = [[1, 2]]\nlet a = [[3]]\nprint a * a"
    text = directional(source, {"u": Literal((1, 2), (1.0, 1.0))}, zero=True)
    assert [array.tolist() for array in evaluated(text)] == [[[9]], [[0]]]
