"""The book's random numbers: a linear congruential generator, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ground_truth.literal_text import Matrix

_MULTIPLIER = 1103515245
_INCREMENT = 12345
_MODULUS = 2**31
_WEIGHT_DIGITS = 2


def draws(seed: int) -> Iterator[float]:
    """Yield numbers of [0, 1) without end; the seed itself is not one of them."""
    state = seed
    while True:
        state = (_MULTIPLIER * state + _INCREMENT) % _MODULUS
        yield state / _MODULUS


def weights(stream: Iterator[float], rows: int, columns: int, scale: float) -> Matrix:
    """Draw a rows x columns matrix, row by row, of two-digit numbers in [-scale, scale]."""
    return [
        [round((next(stream) - 0.5) * 2 * scale, _WEIGHT_DIGITS) for _ in range(columns)]
        for _ in range(rows)
    ]
