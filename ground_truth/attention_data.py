"""The data of Chapter 33: short sequences, labelled by the strongest token that they contain."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ground_truth.literal_text import one_hot
from ground_truth.random_numbers import draws, weights

if TYPE_CHECKING:
    from ground_truth.literal_text import Matrix

SEQUENCES = 24
LENGTH = 4
VOCABULARY = 5
WIDTH = 3
PRIORITY = (1, 3, 2, 0, 4)

_TOKEN_SEED = 3
_WEIGHT_SEED = 1
_WEIGHT_SCALE = 0.5


def sequences() -> list[list[int]]:
    """Return the 24 sequences of 4 tokens out of 0 to 4."""
    stream = draws(_TOKEN_SEED)
    return [[int(draw * VOCABULARY) for draw in islice(stream, LENGTH)] for _ in range(SEQUENCES)]


def label(sequence: list[int]) -> int:
    """Return the token of the sequence that comes first in the priority list."""
    return next(token for token in PRIORITY if token in sequence)


def data() -> dict[str, Matrix]:
    """Return `x` (96x5, the tokens), `g` (24x96, which tokens are whose) and `y` (24x5, labels)."""
    chosen = sequences()
    return {
        "x": [one_hot(token, VOCABULARY) for sequence in chosen for token in sequence],
        "g": [
            [int(column // LENGTH == row) for column in range(SEQUENCES * LENGTH)]
            for row in range(SEQUENCES)
        ],
        "y": [one_hot(label(sequence), VOCABULARY) for sequence in chosen],
    }


def parameters() -> dict[str, Matrix]:
    """Return the query `q` (1x3), `wk` and `wv` (5x3) and `wo` (3x5), in the order of drawing."""
    stream = draws(_WEIGHT_SEED)
    shapes = {
        "q": (1, WIDTH),
        "wk": (VOCABULARY, WIDTH),
        "wv": (VOCABULARY, WIDTH),
        "wo": (WIDTH, VOCABULARY),
    }
    return {name: weights(stream, *shape, _WEIGHT_SCALE) for name, shape in shapes.items()}
