"""Every bit of a number survives from source to IR text and back."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mgc.compile import compile_source
from mgc.ir import Apply
from mgc.ir_parse import parse_ir
from mgc.ir_text import ir_text
from mgc.literals import Literal, float_from_ir, full, ir_dense, ir_float, source_matrix

finite = st.floats(allow_nan=False, allow_infinity=False)


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


@given(finite)
@example(-0.0)
@example(5e-324)
@example(1.7976931348623157e308)
@example(1e16)
@example(1e22)
@example(0.1)
def test_a_number_keeps_its_bits_through_source_and_ir(value: float) -> None:
    matrix = source_matrix(Literal((1, 2), (value, -value)))
    source = f"let s = {abs(value)!r}\nprint {matrix} * s\nprint {matrix} * -s"
    text = ir_text(compile_source(source, "a.mg"))
    constant, times, _, again, times_minus, _ = parse_ir(text).main.body
    for statement in (constant, again):
        assert isinstance(statement, Apply)
        elements = statement.attributes["literal"].elements
        assert [bits(each) for each in elements] == [bits(value), bits(-value)]
    for statement, factor in ((times, abs(value)), (times_minus, -abs(value))):
        assert isinstance(statement, Apply)
        assert bits(statement.attributes["value"]) == bits(factor)


@given(st.floats())
def test_any_f64_keeps_its_bits_in_the_ir(value: float) -> None:
    text = ir_float(value)
    assert bits(float_from_ir(text)) == bits(value)
    assert "." in text or text.startswith("0x")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (300.0, "300.0"), (0.25, "0.25"), (1e16, "1.0e+16"), (1.5e-07, "1.5e-07"),
        (1e-05, "1.0e-05"), (-0.0, "-0.0"), (5e-324, "5.0e-324"), (1e15, "1000000000000000.0"),
        (math.inf, "0x7FF0000000000000"), (-math.inf, "0xFFF0000000000000"),
        (math.nan, "0x7FF8000000000000"),
    ],
)  # fmt: skip
def test_how_the_ir_writes_a_number(value: float, text: str) -> None:
    assert ir_float(value) == text


def test_how_a_matrix_is_written() -> None:
    literal = Literal((2, 2), (1.0, -0.0, 1e16, 0.1))
    assert ir_dense(literal) == "[[1.0, -0.0], [1.0e+16, 0.1]]"
    assert source_matrix(literal) == "[[1.0, -0.0], [1e+16, 0.1]]"
    assert full((2, 1), 3.0) == Literal((2, 1), (3.0, 3.0))
