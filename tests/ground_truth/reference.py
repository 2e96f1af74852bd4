"""What an independent program computed in double precision: tests/ground_truth/expected/*.json."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = Path(__file__).with_name("expected")


@dataclass(frozen=True, slots=True)
class Reference:
    """Parameters, the loss and its gradients there, and the losses of plain gradient descent."""

    loss: float
    grads: dict[str, list[list[float]]]
    curve: list[float]
    params: dict[str, list[list[float]]]


def reference(name: str) -> Reference:
    return Reference(**json.loads((EXPECTED / f"{name}.json").read_text()))


def deviation(found: Array, expected: object) -> float:
    """Return the largest difference of two matrices, relative to the largest expected entry.

    It is not taken entry by entry: an entry is a sum of terms about as large as the largest entry,
    so its rounding error is relative to them, and where they cancel (to exactly 0 for a relu that
    is never active) the entry itself is no measure of it. NaN is returned as such, and is within
    no tolerance.
    """
    wanted = np.array(expected, dtype=np.float64)
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())
