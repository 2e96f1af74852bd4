"""A name stands for the literal at its own position, never for an equal one."""

import pytest

from autograd.names import let_bindings
from mgc.parse import parse
from tests.autograd.numerical import evaluated, transformed


@pytest.mark.parametrize(
    ("source", "name", "constant"),
    [
        ("let a = [[1]]\nlet b = [[1]]", "b", 1),
        ("let c = a_ * [[1]]\nlet b = [[1]]", "b", 1),
        ("print [[1]] @ [[1]]\nlet b = ([[1]])  # [[1]]", "b", 2),
        ("let b = [[1]]\nlet b = [[1]]", "b", 1),
        ("def f(a: tensor[1x1]) = a + [[1]]\nlet   b=[ [-1 , - 2.5] ]", "b", 0),
        ("let s = 2\nlet b = [[1]]\nlet b = b + [[2]]", "b", None),
        ("let b = -[[1]]", "b", None),
    ],
)
def test_the_last_let_of_a_name_counts_by_position(
    source: str, name: str, constant: int | None
) -> None:
    assert let_bindings(parse(source))[name].constant == constant


def test_equal_literals_have_their_own_gradients() -> None:
    source = (
        "let first = [[2, 3]]\n"
        "let product = first * [[2, 3]] * [[5, 7]]\n"
        "let second = [[2, 3]]\n"
        "print row_sum(product + second * [[11, 13]])"
    )
    _, first, second = evaluated(transformed(source, "first", "second"))
    assert (first.tolist(), second.tolist()) == ([[10, 21]], [[11, 13]])


def test_a_shadowed_let_is_not_the_one_that_counts() -> None:
    source = "let w = [[2]]\nlet early = w * [[3]]\nlet w = [[2]]\nprint early + w * [[5]]"
    _, gradient = evaluated(transformed(source, "w"))
    assert gradient.tolist() == [[5]]
