"""What programs mean, against NumPy and against numbers worked out by hand."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.random_domains import ANYTHING, SMOOTH
from checks.random_programs import Program, programs
from mgc.compile import compile_source
from mgc.interpret import interpret

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from mgc.meanings import Array

A = np.array([[1.0, -2.0, 4.0], [0.5, 8.0, -1.0]])
B = np.array([[2.0, 2.5, -4.0], [5.0, 0.25, -1.0]])
ROW = np.array([[3.0, -1.0, 2.0]])
COLUMN = np.array([[10.0], [-20.0]])
SQUARE = np.array([[1.0, 2.0], [3.0, 5.0]])
LETS = {"a": A, "b": B, "row": ROW, "column": COLUMN, "square": SQUARE}


def printed(source: str) -> list[Array]:
    return interpret(compile_source(source, "a.mg"))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a + b", A + B),
        ("a - b", A - B),
        ("a * b", A * B),
        ("a / b", A / B),
        ("a + row", A + ROW),
        ("row - a", ROW - A),
        ("a * column", A * COLUMN),
        ("column / row", COLUMN / ROW),
        ("a - [[2]]", A - 2),
        ("-a", -A),
        ("--a", A),
        ("square @ a", SQUARE @ A),
        ("2 * square @ a", 2 * SQUARE @ A),
        ("a + 2 * b / 4 - 1", A + 2 * B / 4 - 1),
        ("1 - a", 1 - A),
        ("1 / b", 1 / B),
        ("3 + a", 3 + A),
        ("a / 8", A / 8),
        ("a * -2", A * -2),
        ("transpose(a)", A.T),
        ("relu(a)", np.maximum(A, 0)),
        ("exp(a)", np.exp(A)),
        ("log(a * a)", np.log(A * A)),
        ("sqrt(a * a)", np.abs(A)),
        ("ge(a, b)", A >= B),
        ("ge(a, row)", A >= ROW),
        ("ge(row, column)", ROW >= COLUMN),
        ("row_sum(a)", A.sum(axis=1, keepdims=True)),
        ("row_max(a)", A.max(axis=1, keepdims=True)),
        ("row_mean(a)", A.mean(axis=1, keepdims=True)),
        ("col_sum(a)", A.sum(axis=0, keepdims=True)),
        ("col_max(a)", A.max(axis=0, keepdims=True)),
        ("col_mean(a)", A.mean(axis=0, keepdims=True)),
        ("reshape(a, 3, 2)", A.reshape(3, 2)),
        ("reshape(a, 6)", A.reshape(6)),
        ("permute(reshape(a, 1, 2, 3), 2, 0, 1)", A.reshape(1, 2, 3).transpose(2, 0, 1)),
        ("contract(a, (1), b, (1))", A @ B.T),
        ("contract(a, (0), b, (0))", A.T @ B),
        ("contract(a, (0, 1), b, (0, 1))", [[(A * B).sum()]]),
        ("contract(a, (), row, ())", np.multiply.outer(A, ROW)),
    ],
)
def test_what_an_expression_means(expression: str, expected: Array) -> None:
    lets = "".join(f"let {name} = {array.tolist()}\n" for name, array in LETS.items())
    (result,) = printed(f"{lets}print {expression}")
    np.testing.assert_allclose(result, np.asarray(expected, dtype=np.float64), rtol=1e-14)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("let a = [[1]]\nlet b = a\nlet a = [[2]]\nprint b\nprint a", [1, 2]),
        ("let s = 2\nlet t = s * s\nlet s = 3\nprint [[1]] * t + s", [7]),
        ("def f(a: tensor[1x1]) = a * a\nprint f(f([[3]])) - f([[2]])", [77]),
        ("def f(a: tensor[1x1], b: tensor[1x1]) = a - b\nprint f([[5]], [[3]])", [2]),
        ("def f(a: tensor[?x?]) = col_sum(row_sum(a))\nprint f([[1, 2]])\nprint f([[3], [4]])",
         [3, 7]),
        ("def one() = [[1]]\nprint one() + one()", [2]),
        ("print [[1]] / 0\nprint [[-1]] / [[0]]\nprint log([[0]])", [np.inf, -np.inf, -np.inf]),
        ("print [[0]] / 0\nprint sqrt([[-1]])", [np.nan, np.nan]),
        ("", []),
    ],
)  # fmt: skip
def test_what_a_program_prints(source: str, expected: list[float]) -> None:
    np.testing.assert_array_equal([result.item() for result in printed(source)], expected)


@st.composite
def contractions(draw: DrawFn) -> tuple[list[int], list[int], list[int], list[int]]:
    """Draw the shapes of two operands and the axes of each that are paired."""
    pairs = draw(st.lists(st.integers(1, 3), max_size=2))
    operands: list[tuple[list[int], list[int]]] = []
    for _ in range(2):
        free = draw(st.lists(st.integers(1, 4), min_size=0 if pairs else 1, max_size=2))
        order = draw(st.permutations(range(len(pairs) + len(free))))
        sizes = [*pairs, *free]
        shape = [sizes[number] for number in order]
        operands.append((shape, [order.index(number) for number in range(len(pairs))]))
    (left, left_axes), (right, right_axes) = operands
    return left, left_axes, right, right_axes


@given(contractions())
def test_a_contraction_is_an_einsum(
    case: tuple[list[int], list[int], list[int], list[int]],
) -> None:
    left, left_axes, right, right_axes = case
    a = np.arange(1.0, np.prod(left) + 1).reshape(left)
    b = np.arange(2.0, np.prod(right) + 2).reshape(right) / 4
    labels = ascii_lowercase[: len(left)]
    right_labels = "".join(
        labels[left_axes[right_axes.index(axis)]] if axis in right_axes else ascii_uppercase[axis]
        for axis in range(len(right))
    )
    free = "".join(
        label for label in labels + right_labels if label not in labels or label not in right_labels
    )
    expected = np.einsum(f"{labels},{right_labels}->{free}", a, b)
    operands = f"{_reshaped(a)}, ({_listed(left_axes)}), {_reshaped(b)}, ({_listed(right_axes)})"
    (result,) = printed(f"print contract({operands})")
    assert result.shape == (expected.shape or (1, 1))
    np.testing.assert_allclose(result.reshape(expected.shape), expected, rtol=1e-14)


def _reshaped(array: Array) -> str:
    return f"reshape([{array.ravel().tolist()}], {_listed(array.shape)})"


def _listed(numbers: list[int] | tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


@given(programs(ANYTHING))
def test_a_drawn_program_prints_what_its_operations_give(program: Program) -> None:
    results = printed(program.source)
    assert len(results) == len(program.printed)
    for result, expected in zip(results, program.printed, strict=True):
        np.testing.assert_array_equal(result, expected)


@given(programs(SMOOTH, loss=True))
def test_a_drawn_loss_is_one_finite_number(program: Program) -> None:
    (result,) = printed(program.source)
    np.testing.assert_allclose(result, program.printed[0], rtol=1e-9, atol=1e-9)
    assert result.shape == (1, 1)
    assert np.isfinite(result).all()
    assert "w" in program.inputs
