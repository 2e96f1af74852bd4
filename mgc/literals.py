"""Numbers as text: how the IR and Mountain Goat source spell an f64 without losing a bit."""

from __future__ import annotations

import math
import struct
from array import array
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mgc.shapes import StaticShape, element_count

if TYPE_CHECKING:
    from collections.abc import Callable


class _Fields(NamedTuple):
    shape: StaticShape
    elements: tuple[float, ...]


class Literal(_Fields):
    """The elements of a matrix literal in row-major order, and its shape."""

    @cached_property
    def bits(self) -> bytes:
        """The bits of the elements, by which 0.0 and -0.0 differ."""
        return array("d", self.elements).tobytes()


def ir_float(value: float) -> str:
    """Return the shortest text with a decimal point that reads back to the same f64.

    A value that is not finite is spelled by its bits, as MLIR does.
    """
    text = repr(value)
    if "." in text:
        return text
    if not math.isfinite(value):
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    mantissa, exponent_mark, exponent = text.partition("e")
    return f"{mantissa}.0{exponent_mark}{exponent}"


def float_from_ir(text: str) -> float:
    """Return the f64 that `ir_float` or another MLIR printer spelled; ValueError otherwise."""
    if text.startswith("0x"):
        return float(struct.unpack("<d", struct.pack("<Q", int(text, 16)))[0])
    return float(text)


def ir_dense(literal: Literal) -> str:
    """Return `[[1.0, 2.0], [3.0, 4.0]]` for a matrix literal."""
    return _rows(literal, [ir_float(element) for element in literal.elements])


def source_matrix(literal: Literal, number: Callable[[float], str] = repr) -> str:
    """Return the literal as Mountain Goat source; by `repr` every bit of a number survives."""
    return _rows(literal, list(map(number, literal.elements)))


def shortest(number: float) -> str:
    """Return the shortest source text of a number: that of `repr`, but 3 for 3.0."""
    return repr(number).removesuffix(".0")


def _rows(literal: Literal, texts: list[str]) -> str:
    columns = literal.shape[1]
    starts = range(0, len(texts), columns)
    rows = [f"[{', '.join(texts[start : start + columns])}]" for start in starts]
    return f"[{', '.join(rows)}]"


def full(shape: StaticShape, value: float) -> Literal:
    """Return the literal of this shape whose elements are all `value`."""
    return Literal(shape, (value,) * element_count(shape))
