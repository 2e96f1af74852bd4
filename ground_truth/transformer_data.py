"""The data of Chapter 35: sequences `a b c a b c a`, of which the later tokens are predictable."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from ground_truth.literal_text import one_hot
from ground_truth.random_numbers import draws, weights

if TYPE_CHECKING:
    from ground_truth.literal_text import Matrix

VOCABULARY = 4
WIDTH = 8
HIDDEN = 16
PERIOD = 3
LENGTH = 7
SEQUENCES = 16
ROWS = SEQUENCES * LENGTH
PREDICTING = range(2, 6)
PREDICTIONS = SEQUENCES * len(PREDICTING)
MASKED = -1000000000

_ORDER_SEED = 5
_WEIGHT_SEED = 1
_EMBEDDING_SCALE = 1.0
_WEIGHT_SCALE = 0.3
_POSITION_DIGITS = 4


def sequences() -> list[list[int]]:
    """Return the 16 sequences of 7 tokens out of 0 to 3 that train."""
    triples = product(range(VOCABULARY), repeat=PERIOD)
    keyed = sorted(zip(draws(_ORDER_SEED), triples, strict=False))
    return [
        [triple[position % PERIOD] for position in range(LENGTH)] for _, triple in keyed[:SEQUENCES]
    ]


def _position_vector(position: int) -> list[float]:
    angles = [position / 10 ** (2 * (column // 2) / WIDTH) for column in range(WIDTH)]
    return [
        round(math.cos(angle) if column % 2 else math.sin(angle), _POSITION_DIGITS)
        for column, angle in enumerate(angles)
    ]


def _is_seen(row: int, column: int) -> bool:
    return row // LENGTH == column // LENGTH and column <= row


def data() -> dict[str, Matrix]:
    """Return the lets that are not trained, for the sequences stacked into 112 rows.

    `x` (112x4) holds the tokens, `ps` (112x8) the position vectors, `mk` (112x112) 0 where a row
    may look and -1e9 elsewhere, `y` (112x4) the tokens to predict and `mr` (112x1) the rows that
    predict one.
    """
    chosen = sequences()
    places = [(sequence, position) for sequence in chosen for position in range(LENGTH)]
    return {
        "x": [one_hot(sequence[position], VOCABULARY) for sequence, position in places],
        "ps": [_position_vector(position) for _, position in places],
        "mk": [
            [0 if _is_seen(row, column) else MASKED for column in range(ROWS)]
            for row in range(ROWS)
        ],
        "y": [
            one_hot(sequence[position + 1] if position in PREDICTING else None, VOCABULARY)
            for sequence, position in places
        ],
        "mr": [[int(position in PREDICTING)] for _, position in places],
    }


def parameters() -> dict[str, Matrix]:
    """Return the sixteen parameters, in the order in which the forward pass meets them."""
    stream = draws(_WEIGHT_SEED)

    def drawn(rows: int, columns: int, scale: float = _WEIGHT_SCALE) -> Matrix:
        return weights(stream, rows, columns, scale)

    def full(columns: int, value: int) -> Matrix:
        return [[value] * columns]

    return {
        "e": drawn(VOCABULARY, WIDTH, _EMBEDDING_SCALE),
        "g1": full(WIDTH, 1),
        "n1": full(WIDTH, 0),
        "wq": drawn(WIDTH, WIDTH),
        "wk": drawn(WIDTH, WIDTH),
        "wv": drawn(WIDTH, WIDTH),
        "wo": drawn(WIDTH, WIDTH),
        "g2": full(WIDTH, 1),
        "n2": full(WIDTH, 0),
        "w1": drawn(WIDTH, HIDDEN),
        "c1": full(HIDDEN, 0),
        "w2": drawn(HIDDEN, WIDTH),
        "c2": full(WIDTH, 0),
        "gf": full(WIDTH, 1),
        "nf": full(WIDTH, 0),
        "wu": drawn(WIDTH, VOCABULARY),
    }
