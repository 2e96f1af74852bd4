"""A printed value, and the text that MLIR's runner library prints for it."""

from __future__ import annotations

from math import copysign
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array


class Printed(NamedTuple):
    """The f64 elements of a printed value in row-major order, and its shape of rank 1 or more."""

    shape: tuple[int, ...]
    elements: array[float]


def memref_text(printed: Printed, address: int, digits: int = 6) -> str:
    """Return what the runner library prints for a value that lies at `address`.

    Every element has `digits` significant digits, as `%.{digits}g` of C has them.
    """
    rank = len(printed.shape)
    strides = [1] * rank
    for axis in range(rank - 1, 0, -1):
        strides[axis - 1] = strides[axis] * printed.shape[axis]
    header = (
        f"Unranked Memref base@ = {address:#x} rank = {rank} offset = 0 "
        f"sizes = [{_numbers(printed.shape)}] strides = [{_numbers(strides)}] data = \n"
    )
    texts = [_element_text(element, digits) for element in printed.elements]
    for axis in range(rank - 1, -1, -1):
        # MLIR aligns what follows a line break below the bracket that it stands in.
        separator = ", " + ("\n" if axis < rank - 1 else "") + " " * (axis + 1)
        size = printed.shape[axis]
        texts = [
            f"[{separator.join(texts[start : start + size])}]"
            for start in range(0, len(texts), size)
        ]
    return f"{header}{texts[0]}\n"


def _numbers(numbers: tuple[int, ...] | list[int]) -> str:
    return ", ".join(map(str, numbers))


def _element_text(element: float, digits: int) -> str:
    if element != element:  # noqa: PLR0124 - NaN, whose sign Python does not print
        return "-nan" if copysign(1.0, element) < 0 else "nan"
    return f"%.{digits}g" % element
