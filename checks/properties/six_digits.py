"""What a gradient program prints is its values, rounded to six digits."""

from __future__ import annotations

import re
from array import array
from decimal import Context, Decimal
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from checks.check import on_programs
from checks.comparison import Comparison
from mgc.memref_text import Printed, memref_text

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding
    from mgc.meanings import Array

REASON = "the printed number is the value rounded to six digits, exactly"

_NUMBER = re.compile(r"[^\s,\[\]]+")
_SIX_DIGITS = Context(prec=6)


@on_programs("six-digits", 7, "What is printed is the values, rounded to six digits")
def check(case: Case) -> Finding:
    """Compare the text with the values in full precision, rounded in decimal."""
    comparison = Comparison(0.0, REASON)
    for name, values in zip(case.names, case.printed(), strict=True):
        bits = values.tobytes()
        comparison.matrix(name, _shown(values.shape, bits), _rounded(values.shape, bits))
    return comparison.finding()


@cache
def _shown(shape: tuple[int, ...], bits: bytes) -> Array:
    """Return the numbers in the text that `mgc run` shows for a matrix."""
    text = memref_text(Printed(shape, array("d", bits)), address=0)
    numbers = _NUMBER.findall(text.partition("data = \n")[2])
    return np.array([float(number) for number in numbers]).reshape(shape)


@cache
def _rounded(shape: tuple[int, ...], bits: bytes) -> Array:
    numbers = [float(_SIX_DIGITS.create_decimal(Decimal(value))) for value in array("d", bits)]
    return np.array(numbers).reshape(shape)
