"""Random directions, the same in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mgc.literals import Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.reference import Reference
    from mgc.meanings import Array


def drawn_directions(reference: Reference, names: Sequence[str], seed: int) -> dict[str, Literal]:
    """Return for each literal let a matrix of its shape with entries between -1 and 1."""
    numbers = np.random.default_rng(seed)
    directions: dict[str, Literal] = {}
    for name in names:
        rows, columns = reference.shape(name)
        entries = numbers.uniform(-1.0, 1.0, rows * columns).tolist()
        directions[name] = Literal((rows, columns), tuple(entries))
    return directions


def as_arrays(directions: dict[str, Literal]) -> dict[str, Array]:
    """Return the matrices of directions as arrays."""
    return {
        name: np.array(literal.elements, dtype=np.float64).reshape(literal.shape)
        for name, literal in directions.items()
    }
