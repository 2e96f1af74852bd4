"""Numbers, blanks and matrix literals as they are written."""

from __future__ import annotations

import pytest

from mgc.diagnostics import Diagnostic
from mgc.literals import Literal
from mgc.scan import LineReader

HUGE = 200_000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3.0), ("0.5", 0.5), ("1e-05", 1e-05), ("2.5E3", 2500.0), ("2.", 2.0),
        ("2.e1", 20.0), ("1e+2", 100.0), ("007", 7.0), ("0.0", 0.0), ("5e-324", 5e-324),
        ("1e-999", 0.0), ("1.7976931348623157e308", 1.7976931348623157e308),
        ("0." + "9" * 5000, 1.0), ("0" * 5000 + "1", 1.0),
    ],
)  # fmt: skip
def test_a_number(text: str, value: float) -> None:
    reader = LineReader(f" \t{text} ", 1)
    assert (reader.kind, reader.text, reader.start) == ("number", text, 2)
    assert reader.number() == value
    assert reader.kind == ""


@pytest.mark.parametrize("text", ["1e999", "1.8e308", "9" * 5000])
def test_a_number_out_of_range(text: str) -> None:
    with pytest.raises(Diagnostic, match=r"is out of range for a 64-bit float \(column 1\)$"):
        LineReader(text, 1).number()


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("2x", ("number", "2"), ("word", "x")),
        ("x2", ("word", "x2"), ("", "")),
        ("_", ("word", "_"), ("", "")),
        ("1e", ("number", "1"), ("word", "e")),
        ("1_0", ("number", "1"), ("word", "_0")),
        ("1.2.3", ("number", "1.2"), ("symbol", ".")),
        ("a@b", ("word", "a"), ("symbol", "@")),
        ("é1", ("symbol", "é"), ("number", "1")),
        ("\N{NO-BREAK SPACE}1", ("symbol", "\N{NO-BREAK SPACE}"), ("number", "1")),
        ("٣", ("symbol", "٣"), ("", "")),
    ],
)
def test_where_a_token_ends(text: str, first: tuple[str, str], second: tuple[str, str]) -> None:
    reader = LineReader(text, 1)
    tokens = [(reader.kind, reader.text)]
    reader.advance()
    assert [*tokens, (reader.kind, reader.text)] == [first, second]


@pytest.mark.parametrize(
    ("text", "shape", "elements"),
    [
        ("[[1]]", (1, 1), (1.0,)),
        ("[[1,2],[3,4]]", (2, 2), (1.0, 2.0, 3.0, 4.0)),
        ("[\t[ 1 ,2.5e-1 ] ,  [ - 3\t, -0 ] ]", (2, 2), (1.0, 0.25, -3.0, -0.0)),
        ("[[1], [2], [3]]", (3, 1), (1.0, 2.0, 3.0)),
    ],
)
def test_a_matrix(text: str, shape: tuple[int, int], elements: tuple[float, ...]) -> None:
    reader = LineReader(f"{text} x", 1)
    assert repr(reader.matrix()) == repr(Literal(shape, elements))
    assert reader.text == "x"


def test_a_fault_in_a_matrix_is_placed_at_the_number() -> None:
    with pytest.raises(Diagnostic) as caught:
        LineReader("[[1, 2], [3,   1e999]]", 7).matrix()
    span = caught.value.span
    assert span is not None
    assert (span.line, span.column) == (7, 16)


@pytest.mark.parametrize(
    "text",
    [
        "[[" + "1" * HUGE,
        "[[" + "1" * HUGE + "e",
        "[[" + "1." + "1" * HUGE + "x]]",
        "[[" + "1, " * HUGE + "x]]",
        "[[" + "-" * HUGE + "1]]",
        "[[" + " " * HUGE + "x]]",
        "[[1" + " " * HUGE + "x]]",
        "[[1, " * HUGE,
        "[" * HUGE,
        "[[1]" * HUGE,
        "[[1]," + " " * HUGE + "x",
    ],
    ids=lambda text: f"{text[:8]}...{text[-4:]}",
)
def test_a_long_near_miss_of_a_matrix_is_refused(text: str) -> None:
    """The patterns never go back over what they matched: otherwise this would take hours."""
    with pytest.raises(Diagnostic):
        LineReader(text, 1).matrix()


@pytest.mark.parametrize(
    "text",
    [
        "tensor" + " " * HUGE,
        "tensor[" + "1" * HUGE,
        "tensor[" + " " * HUGE + "x",
        "tensor[2" + " " * HUGE + "x 2",
        "tensor[2x" + "1" * HUGE + "]",
    ],
    ids=lambda text: f"{text[:9]}...{text[-2:]}",
)
def test_a_long_near_miss_of_a_type_is_refused(text: str) -> None:
    with pytest.raises(Diagnostic):
        LineReader(text, 1).matrix_type()


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("tensor[2x3]", (2, 3)),
        ("tensor[?x?]", (None, None)),
        ("tensor [ 10 x\t? ]", (10, None)),
        ("tensor[002x1]", (2, 1)),
    ],
)
def test_a_type(text: str, shape: tuple[int | None, int | None]) -> None:
    reader = LineReader(f"{text},", 1)
    assert reader.matrix_type() == shape
    assert reader.text == ","


def test_a_long_token_is_not_repeated_in_full() -> None:
    reader = LineReader("w" * HUGE, 1)
    assert reader.described() == f"'{'w' * 40}...'"
