"""What an independent program computed in double precision: checks/expected/*.json."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from checks.chapters import Expected, expected

Array = NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[2]


def reference(name: str) -> Expected:
    return expected(name)


def deviation(found: Array, wanted_entries: object) -> float:
    """Return the largest difference of two matrices, relative to the largest expected entry.

    It is not taken entry by entry: an entry is a sum of terms about as large as the largest entry,
    so its rounding error is relative to them, and where they cancel (to exactly 0 for a relu that
    is never active) the entry itself is no measure of it. NaN is returned as such, and is within
    no tolerance.
    """
    wanted = np.array(wanted_entries, dtype=np.float64)
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())
