"""Every rule against numerical differentiation, with weights and shapes that give errors away.

The weights make the adjoint that reaches a rule non-uniform, and the dimensions differ from each
other, so that a forgotten factor, transpose or sum changes a value; a square case of each matrix
rule makes sure that it is a value that changes and not a shape.
"""

import pytest

from autograd.rule_table import VJPS, Refused, Rule, Zero
from mgc.ops import OPS
from tests.autograd.numerical import assert_gradients, evaluated, transformed

A = "let a = [[0.7, -1.3, 2.1], [1.9, 0.4, -0.6]]"
B = "let b = [[1.7, 2.3, -0.9], [0.8, -1.4, 2.6]]"
POSITIVE = "let a = [[0.7, 1.3, 2.1], [1.9, 0.4, 0.6]]"
WEIGHTS = "let weights = [[0.3, -1.1, 0.7], [2.3, 0.9, -1.7]]"
SQUARE = "let a = [[0.7, -1.3, 2.1], [1.9, 0.4, -0.6], [-0.2, 1.1, 0.5]]"
SQUARE_B = "let b = [[1.7, 2.3, -0.9], [0.8, -1.4, 2.6], [0.3, -0.5, 1.2]]"
SQUARE_WEIGHTS = "let weights = [[0.3, -1.1, 0.7], [2.3, 0.9, -1.7], [1.3, 0.1, -0.4]]"


def weighted(expression: str, *lets: str) -> str:
    return "\n".join([*lets, f"print col_sum(row_sum(weights * ({expression})))", ""])


ELEMENTWISE = {
    "add": (A, "a + b"),
    "sub": (A, "a - b"),
    "mul": (A, "a * b"),
    "div": (A, "a / b"),
    "neg": (A, "-a * b"),
    "exp": (A, "exp(a) * b"),
    "log": (POSITIVE, "log(a) * b"),
    "sqrt": (POSITIVE, "sqrt(a) * b"),
    "relu": (A, "relu(a) * b"),
    "add_scalar": (A, "(a + 1.5) * b"),
    "scalar_add": (A, "(1.5 + a) * b"),
    "sub_scalar": (A, "(a - 1.5) * b"),
    "scalar_sub": (A, "(1.5 - a) * b"),
    "mul_scalar": (A, "(a * 1.5) * b"),
    "scalar_mul": (A, "(1.5 * a) * b"),
    "div_scalar": (A, "(a / 1.5) * b"),
    "scalar_div": (A, "(1.5 / a) * b"),
    "reshape": (A, "reshape(reshape(a, 3, 2) * [[1, 2], [3, 5], [7, 11]], 2, 3) * b"),
}
MATRIX = {
    "matmul": "a @ b",
    "transpose": "transpose(a) * b",
    "row_sum": "row_sum(a) * b",
    "row_max": "row_max(a) * b",
    "col_sum": "col_sum(a) * b",
    "col_max": "col_max(a) * b",
}
STRETCHES = {
    "row": "let c = [[1.3, -0.7, 0.9]]",
    "column": "let c = [[1.3], [-0.7]]",
    "one": "let c = [[1.3]]",
}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise_rule(name: str) -> None:
    a, expression = ELEMENTWISE[name]
    assert_gradients(weighted(expression, a, B, WEIGHTS), "a", "b", "weights")


@pytest.mark.parametrize("name", MATRIX)
def test_matrix_rule_on_a_square(name: str) -> None:
    source = weighted(MATRIX[name], SQUARE, SQUARE_B, SQUARE_WEIGHTS)
    assert_gradients(source, "a", "b", "weights")


@pytest.mark.parametrize(
    "source",
    [
        weighted("a @ [[1.1, 0.3], [-0.7, 0.2], [0.6, -1.9]] @ b", A, B, WEIGHTS),
        weighted("transpose(transpose(a) * [[1, 2], [3, 5], [7, 11]])", A, WEIGHTS),
        weighted("row_sum(a) * b", A, B, WEIGHTS),
        weighted("row_max(a) * b", A, B, WEIGHTS),
        weighted("row_mean(a) * b", A, B, WEIGHTS),
        weighted("col_sum(a) * b", A, B, WEIGHTS),
        weighted("col_max(a) * b", A, B, WEIGHTS),
        weighted("col_mean(a) * b", A, B, WEIGHTS),
    ],
)
def test_matrix_rule_on_an_oblong(source: str) -> None:
    assert_gradients(source, "a", "weights")


@pytest.mark.parametrize("stretch", STRETCHES.values(), ids=STRETCHES)
@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
@pytest.mark.parametrize("order", ["a {} c", "c {} a"])
def test_stretched_operand(stretch: str, operator: str, order: str) -> None:
    source = weighted(order.format(operator), A, stretch, WEIGHTS)
    assert_gradients(source, "a", "c", "weights")


def test_both_operands_stretched() -> None:
    row, column = STRETCHES["row"], STRETCHES["column"].replace("c", "d")
    assert_gradients(weighted("(c / d) * (d - c)", row, column, WEIGHTS), "c", "d", "weights")


@pytest.mark.parametrize(
    ("matrix", "reduction", "expected"),
    [
        ("[[1, 3, 3], [2, 2, 0]]", "col_sum(row_max(m))", [[0, 0.5, 0.5], [0.5, 0.5, 0]]),
        ("[[7, 7, 7, 7]]", "row_max(m)", [[0.25, 0.25, 0.25, 0.25]]),
        (
            "[[1, 2], [3, 2], [3, 2]]",
            "row_sum(col_max(m))",
            [[0, 1 / 3], [0.5, 1 / 3], [0.5, 1 / 3]],
        ),
    ],
)
def test_tied_maxima_share_the_adjoint(
    matrix: str, reduction: str, expected: list[list[float]]
) -> None:
    _, gradient = evaluated(transformed(f"let m = {matrix}\nprint {reduction}", "m"))
    assert gradient.tolist() == expected


def test_relu_at_zero_has_derivative_one() -> None:
    source = "let m = [[0, -0.0, 5e-324, -5e-324]]\nprint row_sum(relu(m) * [[2, 3, 5, 7]])"
    _, gradient = evaluated(transformed(source, "m"))
    assert gradient.tolist() == [[2, 3, 5, 0]]


def test_a_comparison_passes_nothing_back() -> None:
    source = "let a = [[1, 2]]\nlet b = [[3, 1]]\nprint row_sum(a * ge(a, b) * b)"
    _, a, b = evaluated(transformed(source, "a", "b"))
    assert (a.tolist(), b.tolist()) == ([[0, 1]], [[0, 2]])


def test_every_operation_has_a_tested_rule() -> None:
    tested = {*ELEMENTWISE, *MATRIX, "broadcast"}
    untested = [op.name for op in OPS if isinstance(VJPS[op], Rule) and op.name not in tested]
    assert untested == []


def test_an_operation_without_a_rule_says_why() -> None:
    reasons = {
        op.name: entry.reason for op, entry in VJPS.items() if isinstance(entry, Zero | Refused)
    }
    assert sorted(reasons) == ["constant", "ge", "permute"]
    assert all(reasons.values())
