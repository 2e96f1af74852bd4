"""Reading printed matrices."""

import math

import pytest

from stages.memref import MemrefError, elements, parse, shape, without_addresses


def header(sizes: str, rank: int = 2) -> str:
    return (
        f"Unranked Memref base@ = 0x55d1f0 rank = {rank} offset = 0 sizes = [{sizes}] "
        f"strides = [2, 1] data = \n"
    )


TWO = f"{header('2, 2')}[[4,   -0], \n [2.5,   1e-07]]\n{header('1, 1')}[[26]]\n"


def test_matrices_come_back_in_order_and_to_the_bit() -> None:
    first, second = parse(TWO)
    assert (first, second) == ([[4.0, -0.0], [2.5, 1e-07]], [[26.0]])
    assert [math.copysign(1, number) for number in elements(first)] == [1, -1, 1, 1]
    assert all(isinstance(number, float) for number in elements(first))


def test_any_rank_can_be_read() -> None:
    [cube] = parse(f"{header('2, 1, 2', 3)}[[[1,   2]], \n [[3,   4]]]\n")
    assert shape(cube) == [2, 1, 2]
    assert elements(cube) == [1, 2, 3, 4]


def test_nothing_printed_is_no_matrices() -> None:
    assert parse("") == []


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        (TWO.replace("26", "nan"), "matrix 2 has an element that is nan"),
        (TWO.replace("26", "-nan"), "matrix 2 has an element that is -nan"),
        (TWO.replace("2.5", "-inf"), "matrix 1 has an element that is -inf"),
        (f"hello\n{TWO}", "expected a printed matrix, got hello"),
        ("hello", "expected a printed matrix, got hello"),
        (TWO.replace("[[26]]", "[[26"), "matrix 2 cannot be read: .*"),
        (TWO.replace("1, 1", "1, 2"), r"matrix 2 has the sizes \[1, 2\] but the shape \[1, 1\]"),
        (TWO.replace("4,   -0", "4"), r"matrix 1 has the sizes \[2, 2\] but the shape \[2, 1\]"),
        (TWO.replace("2.5,", ""), r"matrix 1 has the sizes \[2, 2\] but 3 elements"),
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused(printed: str, message: str) -> None:
    with pytest.raises(MemrefError, match=f"^{message}$"):
        parse(printed)


def test_addresses_are_replaced_and_nothing_else() -> None:
    assert without_addresses(TWO) == TWO.replace("0x55d1f0", "0x…")
