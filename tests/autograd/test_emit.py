"""What is written: names that never collide, numbers that keep their bits, implicit stretching."""

import re
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd.emit import Writer
from autograd.expression import Value, apply, constant
from mgc import ops
from mgc.literals import Literal
from tests.autograd.numerical import assert_gradients, evaluated, transformed

MATRIX = constant(Literal((2, 3), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)))
ROW = constant(Literal((1, 3), (1.0, 2.0, 3.0)))
COLUMN = constant(Literal((2, 1), (1.0, 2.0)))


@pytest.mark.parametrize(
    "name", ["v1", "v2", "g4", "ones5", "zero7", "m9", "relu", "exp", "tensor"]
)
def test_a_kept_name_never_collides_with_a_generated_one(name: str) -> None:
    source = (
        f"let {name} = [[0.7, -1.3], [2.1, 1.9]]\n"
        f"print col_sum(row_sum(relu({name}) * row_max({name}) * exp({name})))"
    )
    program = transformed(source, name)
    names = re.findall(r"^let (\w+) =", program, re.MULTILINE)
    assert len(names) == len(set(names))
    assert_gradients(source, name)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_literals_keep_every_bit(value: float) -> None:
    matrix = f"[[{value!r}, 0.1]]"
    printed = evaluated(
        transformed(f"let a = {matrix}\nlet b = {matrix}\nprint row_sum(a + b)", "a")
    )
    (again,) = evaluated(f"print {matrix}")
    assert struct.pack("<d", again[0, 0]) == struct.pack("<d", value)
    assert matrix in transformed(f"let a = {matrix}\nprint row_sum(a)", "a")
    assert len(printed) == 2


@pytest.mark.parametrize("value", ["-0.0", "5e-324", "1.7976931348623157e+308", "-2.5", "1e-05"])
@pytest.mark.parametrize("form", ["a * {}", "{} * a", "a + {}", "{} - a"])
def test_scalars_keep_every_bit(value: str, form: str) -> None:
    source = f"let a = [[1.0, 2.0]]\nprint row_sum({form.format(value)})"
    expected = f"({form.format(value)})"
    assert expected in transformed(source, "a")


def test_a_value_shared_inside_a_rule_is_computed_once() -> None:
    program = transformed("let a = [[1.0, 2.0]]\nprint row_max(a)", "a")
    assert program.count("ge(") == 1


def written(value: Value) -> str:
    writer = Writer({})
    for literal in (MATRIX, ROW, COLUMN):
        writer.let(literal, "v")
    writer.let(value, "v")
    writer.print(value)
    return "\n".join(writer.lines)


def stretched(value: Value) -> Value:
    return apply(ops.BROADCAST, value, shape=(2, 3))


@pytest.mark.parametrize(
    ("value", "last"),
    [
        (MATRIX * ROW, "let v4 = (v1 * v2)"),
        (COLUMN + ROW, "let v4 = (v3 + v2)"),
        (-(MATRIX * ROW) / (ROW * ROW), "let v4 = ((-(v1 * v2)) / (v2 * v2))"),
        (stretched(ROW), "let v5 = (ones4 * v2)"),
        (apply(ops.EXP, stretched(ROW)), "let v5 = (ones4 * exp(v2))"),
        (stretched(ROW) * stretched(ROW), "let v5 = (ones4 * (v2 * v2))"),
        (apply(ops.TRANSPOSE, stretched(ROW)), "let v5 = transpose((ones4 * v2))"),
        (apply(ops.ROW_SUM, stretched(COLUMN) * 2.0), "let v5 = row_sum((ones4 * (v3 * 2.0)))"),
    ],
)
def test_stretching_is_implicit_where_it_can_be(value: Value, last: str) -> None:
    program = written(value)
    assert program.splitlines()[-2] == last
    (printed,) = evaluated(program)
    assert printed.shape == value.shape
