"""What shapes two values can share, for every pair of sizes."""

from __future__ import annotations

from itertools import product

import pytest

from mgc.shapes import (
    Shape,
    ShapeError,
    Size,
    element_count,
    same,
    shape_text,
    static,
    stretched,
    type_text,
)

# Row and column: the size of the left operand, of the right one, and of a stretched result.
# `-` is a misfit; a 1 against a ? is the ? turning out to be 1.
STRETCHING = """
    1 2 3 ?
1   1 2 3 1
2   2 2 - 2
3   3 - 3 3
?   1 2 3 ?
"""


def read(text: str) -> Size:
    return None if text == "?" else int(text)


def table() -> dict[tuple[Size, Size], tuple[Size] | None]:
    head, *rows = (line.split() for line in STRETCHING.strip().splitlines())
    return {
        (read(row[0]), read(column)): None if cell == "-" else (read(cell),)
        for row in rows
        for column, cell in zip(head, row[1:], strict=True)
    }


def test_one_dimension_stretches_as_the_table_says() -> None:
    expected = table()
    assert len(expected) == 16
    assert {(one, other): stretched((one,), (other,)) for one, other in expected} == expected


def test_each_dimension_stretches_by_itself() -> None:
    sizes = table()
    for first, second in product(sizes, sizes):
        left, right = (first[0], second[0]), (first[1], second[1])
        parts = sizes[first], sizes[second]
        whole = None if None in parts else tuple(size for part in parts if part for size in part)
        assert stretched(left, right) == whole, (left, right)


def test_the_same_shape_without_stretching() -> None:
    sizes = (1, 2, 3, None)
    for one, other in product(sizes, sizes):
        fits = one is None or other is None or one == other
        result = (one if other is None else other,)
        assert same((one,), (other,)) == (result if fits else None), (one, other)


@pytest.mark.parametrize("function", [same, stretched])
def test_ranks_do_not_stretch(function: object) -> None:
    assert callable(function)
    assert function((1, 2), (1, 1, 2)) is None
    assert function((2,), (1, 2)) is None
    assert function((None,), (None, None)) is None
    assert function((), ()) == ()


@pytest.mark.parametrize(
    ("shape", "text", "type_"),
    [
        ((2, 3), "2x3", "tensor<2x3xf64>"),
        ((None, 4), "?x4", "tensor<?x4xf64>"),
        ((6,), "6", "tensor<6xf64>"),
        ((1, None, 2), "1x?x2", "tensor<1x?x2xf64>"),
    ],
)
def test_how_shapes_are_written(shape: Shape, text: str, type_: str) -> None:
    assert (shape_text(shape), type_text(shape)) == (text, type_)


def test_elements_are_counted_where_every_size_is_known() -> None:
    assert element_count((2, 3, 4)) == 24
    assert element_count(()) == 1
    assert static((2, 3)) == (2, 3)
    with pytest.raises(ShapeError, match=r"a size is not known while compiling: 2x\?"):
        element_count((2, None))
