"""What a gradient program prints is its values, rounded to six digits."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from checks.check import on_programs
from checks.comparison import Comparison
from checks.writing import printed_text

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding
    from mgc.meanings import Array

REASON = "the printed number is the value rounded to six digits, exactly"

_DATA = re.compile(r"data = \n(.*?)(?=^Unranked|\Z)", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"[^\s,\[\]]+")
_SIX_DIGITS = Context(prec=6)


@on_programs("six-digits", 7, "What is printed is the values, rounded to six digits")
def check(case: Case) -> Finding:
    """Compare the text with the values in full precision, rounded in decimal."""
    comparison = Comparison(0.0, REASON)
    texts = _DATA.findall(printed_text(case.written()))
    values = case.printed()
    if len(texts) != len(values):
        comparison.count("printed matrices", inf, f"{len(texts)}, expected {len(values)}")
        return comparison.finding()
    for name, text, array in zip(case.names, texts, values, strict=True):
        numbers = np.array([float(number) for number in _NUMBER.findall(text)])
        comparison.matrix(name, numbers.reshape(array.shape), _rounded(array))
    return comparison.finding()


def _rounded(array: Array) -> Array:
    rounded = [float(_SIX_DIGITS.create_decimal(Decimal(value))) for value in array.flat]
    return np.array(rounded).reshape(array.shape)
