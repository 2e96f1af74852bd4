"""Matrices as MLIR's runner library prints them, which is how every Mountain Goat program does.

A header line with the sizes, ending in `data = `, then the rows: `[[4,   4]]`.
"""

import json
import math
import re

HEADER = re.compile(
    r"^Unranked Memref base@ = \S+ rank = \d+ offset = -?\d+ "
    r"sizes = \[([\d, ]*)\] strides = \[[-\d, ]*\] data = *$",
    re.MULTILINE,
)
ADDRESS = re.compile(r"base@ = 0x[0-9a-fA-F]+")
NOT_FINITE = re.compile(r"-?\b(nan|inf)\b")

Nested = list["Nested"] | list[float]


class MemrefError(Exception):
    """The text is not a sequence of printed matrices of finite numbers."""


def without_addresses(printed: str) -> str:
    """Replace the addresses, which differ from run to run."""
    return ADDRESS.sub("base@ = 0x…", printed)


def parse(printed: str) -> list[Nested]:
    """Return each printed matrix as nested lists, in the order printed; raises MemrefError.

    A matrix with a NaN or an infinity in it is an error: it is no result to show.
    """
    before, *pieces = HEADER.split(printed)
    if before.strip():
        message = f"expected a printed matrix, got {before.strip().splitlines()[0]}"
        raise MemrefError(message)
    pairs = zip(pieces[::2], pieces[1::2], strict=True)
    return [_matrix(data, sizes, number) for number, (sizes, data) in enumerate(pairs, start=1)]


def shape(matrix: Nested | float) -> list[int]:
    """Return the sizes of nested lists, taken from the first element at each depth."""
    return [len(matrix), *shape(matrix[0])] if isinstance(matrix, list) else []


def elements(matrix: Nested | float) -> list[float]:
    """Return all numbers of a matrix in row-major order."""
    if isinstance(matrix, list):
        return [element for row in matrix for element in elements(row)]
    return [matrix]


def _matrix(data: str, sizes: str, number: int) -> Nested:
    """Return the matrix printed after a header; number counts from 1 in messages."""
    found = NOT_FINITE.search(data)
    if found:
        message = f"matrix {number} has an element that is {found[0]}"
        raise MemrefError(message)
    try:
        matrix = json.loads(data, parse_int=float)
    except json.JSONDecodeError as error:
        message = f"matrix {number} cannot be read: {error}"
        raise MemrefError(message) from error
    expected = json.loads(f"[{sizes}]")
    if shape(matrix) != expected:
        message = f"matrix {number} has the sizes {expected} but the shape {shape(matrix)}"
        raise MemrefError(message)
    if len(elements(matrix)) != math.prod(expected):
        message = f"matrix {number} has the sizes {expected} but {len(elements(matrix))} elements"
        raise MemrefError(message)
    return matrix
