"""The printed form, against texts written down from MLIR's runner library."""

from __future__ import annotations

import math
from array import array

import pytest

from mgc.memref_text import Printed, memref_text


def printed(shape: tuple[int, ...], *elements: float) -> Printed:
    return Printed(shape, array("d", elements))


def body(value: Printed, digits: int = 6) -> str:
    return memref_text(value, 0, digits).partition("\n")[2]


def test_a_matrix() -> None:
    assert memref_text(printed((2, 2), 4, 4, 2, 2), 0x5581) == (
        "Unranked Memref base@ = 0x5581 rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] "
        "data = \n"
        "[[4,   4], \n"
        " [2,   2]]\n"
    )


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ((8,), "[1,  2,  3,  4,  5,  6,  7,  8]\n"),
        ((1, 8), "[[1,   2,   3,   4,   5,   6,   7,   8]]\n"),
        ((4, 2), "[[1,   2], \n [3,   4], \n [5,   6], \n [7,   8]]\n"),
        ((2, 2, 2), "[[[1,    2], \n  [3,    4]], \n [[5,    6], \n  [7,    8]]]\n"),
        (
            (2, 1, 2, 2),
            "[[[[1,     2], \n   [3,     4]]], \n [[[5,     6], \n   [7,     8]]]]\n",
        ),
    ],
)
def test_any_rank(shape: tuple[int, ...], text: str) -> None:
    assert body(printed(shape, *range(1, 9))) == text


@pytest.mark.parametrize(
    ("shape", "strides"), [((5,), "1"), ((3, 1), "1, 1"), ((2, 3, 4), "12, 4, 1")]
)
def test_strides_are_row_major(shape: tuple[int, ...], strides: str) -> None:
    value = printed(shape, *[0.0] * math.prod(shape))
    assert f" strides = [{strides}] data" in memref_text(value, 1)


@pytest.mark.parametrize(
    ("element", "text"),
    [
        (300.0, "300"),
        (-0.0, "-0"),
        (0.1 + 0.2, "0.3"),
        (1234567.0, "1.23457e+06"),
        (1e-5, "1e-05"),
        (5e-324, "4.94066e-324"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        (-math.nan, "-nan"),
    ],
)
def test_an_element_is_what_printf_prints(element: float, text: str) -> None:
    assert body(printed((1, 1), element)) == f"[[{text}]]\n"


def test_more_digits_show_every_bit() -> None:
    text = body(printed((1, 1), 0.1 + 0.2), digits=17)
    assert text == "[[0.30000000000000004]]\n"
