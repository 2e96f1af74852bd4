"""Comparing matrices element by element, and remembering the worst.

A shape or a count that differs is an infinite error, and so is a number that is not finite,
unless a check expects that very number.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from math import inf, isnan
from typing import TYPE_CHECKING

import numpy as np

from checks.verdict import Finding
from mgc.shapes import shape_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mgc.meanings import Array


NOTHING = "nothing was compared"

_settling: ContextVar[bool] = ContextVar("settling", default=False)


class Settled(Exception):  # noqa: N818 - what is over, not what is wrong
    """An error is larger than the tolerance, and whoever runs the check need not know the worst."""

    def __init__(self, finding: Finding) -> None:
        """Keep what was found up to there."""
        super().__init__(finding.detail)
        self.finding = finding


@contextmanager
def first_error_settles() -> Iterator[None]:
    """Let every comparison that finds an error larger than its tolerance end its check there.

    Of a wrong copy is asked whether a check fails; what comes after an error is for nothing.
    """
    before = _settling.set(True)
    try:
        yield
    finally:
        _settling.reset(before)


class Comparison:
    """Errors of so many elements, relative to the largest expected entry of their matrix.

    They are not taken relative to each element: an element is a sum of terms about as large as
    the largest element of its matrix, so that its rounding error is relative to these, and where
    the terms cancel the element itself is no measure of it.
    """

    def __init__(self, tolerance: float, reason: str) -> None:
        """Start without elements."""
        self.tolerance = tolerance
        self.reason = reason
        self.elements = 0
        self.worst = 0.0
        self.detail = NOTHING

    def matrix(self, name: str, found: Array, expected: Array, scale: float | None = None) -> None:
        """Compare two matrices of the same shape.

        `scale` is what errors are relative to; None is the largest expected entry, or 1 where all
        of them are zero.
        """
        if found.shape != expected.shape:
            shapes = f"{shape_text(found.shape)}, expected {shape_text(expected.shape)}"
            self.count(f"shape of {name}", inf, shapes)
            return
        self.elements += expected.size
        size = float(np.max(np.abs(expected))) if scale is None else scale
        with np.errstate(all="ignore"):
            errors = np.abs(found - expected) / (size if size > 0.0 else 1.0)
        errors = np.where(np.isfinite(found) & np.isfinite(expected), errors, inf)
        self._worst_of(name, errors, found, expected)

    def bits(self, name: str, found: Array, expected: Array) -> None:
        """Compare two matrices in every bit but a NaN's; infinities and NaN may be expected."""
        if found.shape != expected.shape:
            shapes = f"{shape_text(found.shape)}, expected {shape_text(expected.shape)}"
            self.count(f"shape of {name}", inf, shapes)
            return
        self.elements += expected.size
        same = (found == expected) & (np.signbit(found) == np.signbit(expected))
        same |= np.isnan(found) & np.isnan(expected)
        self._worst_of(name, np.where(same, 0.0, inf), found, expected)

    def matrices(
        self, names: Sequence[str], found: Sequence[Array], expected: Iterable[Array]
    ) -> None:
        """Compare as many matrices as there are names; another number of them is an error.

        What is expected of a matrix may be worked out when those before it have been compared.
        """
        if len(found) != len(names):
            self.count("matrices", inf, f"{len(found)}, expected {len(names)}")
            return
        for name, one, other in zip(names, found, expected, strict=True):
            self.matrix(name, one, other)

    def text(self, name: str, found: str, expected: str) -> None:
        """Compare two texts whole."""
        error = 0.0 if found == expected else inf
        self.count(name, error, f"'{found}', expected '{expected}'")

    def number(self, name: str, found: int, expected: int) -> None:
        """Compare two numbers of things; the error is their difference."""
        self.count(name, float(abs(found - expected)), f"{found}, expected {expected}")

    def between(self, name: str, found: Array, lower: Array, upper: Array) -> None:
        """Compare each element with an interval; the error is the distance from it."""
        nearest = np.clip(found, np.minimum(lower, upper), np.maximum(lower, upper))
        self.matrix(name, found, nearest, scale=1.0)

    def count(self, name: str, error: float, numbers: str) -> None:
        """Count one element with this error; `numbers` says what was found and expected."""
        self.elements += 1
        self._keep(error, f"{name}: {numbers}")

    def include(self, other: Comparison) -> None:
        """Count what another comparison compared."""
        self.elements += other.elements
        if other.elements:
            self._keep(other.worst, other.detail)

    def finding(self) -> Finding:
        """Return what was found; a comparison of nothing is a failure."""
        passed = self.elements > 0 and self.worst <= self.tolerance
        return Finding(
            passed,
            self.elements,
            self.worst,
            self.tolerance,
            self.reason,
            self.detail,
            "" if passed else "value",
        )

    def _worst_of(self, name: str, errors: Array, found: Array, expected: Array) -> None:
        if not errors.size:
            return
        place = np.unravel_index(int(np.argmax(errors)), errors.shape)
        indices = ", ".join(map(str, map(int, place)))
        numbers = f"{float(found[place])!r}, expected {float(expected[place])!r}"
        self._keep(float(errors[place]), f"{name}[{indices}]: {numbers}")

    def _keep(self, error: float, detail: str) -> None:
        error = inf if isnan(error) else error
        if error > self.worst or self.detail == NOTHING:
            self.worst = error
            self.detail = detail
        if error > self.tolerance and _settling.get():
            raise Settled(self.finding())
