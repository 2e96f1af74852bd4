"""Forward mode of one program along random directions, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.complex_meanings import Convention
from checks.directions import as_arrays, drawn_directions
from checks.reference import reference
from checks.writing import printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.comparison import Comparison
    from checks.subject import Subject
    from mgc.meanings import Array


@dataclass(frozen=True, slots=True)
class Differentiated:
    """A program's source, what it is differentiated with respect to, and its name in a detail."""

    name: str
    source: str
    wrt: tuple[str, ...]
    loss: int = 0


def compare_with_reverse(
    comparison: Comparison, subject: Subject, program: Differentiated, seeds: Sequence[int]
) -> None:
    """Compare the slope along each direction with the gradient's product with the direction.

    The error is relative to the sum of the products' sizes, which their rounding is relative to.
    """
    gradients = printed(subject.gradient(program.source, program.wrt, program.loss))[1:]
    for seed in seeds:
        directions, found = _slope(subject, program, seed)
        products = [
            gradient * direction
            for gradient, direction in zip(gradients, directions.values(), strict=True)
        ]
        expected = np.array([[float(sum(each.sum() for each in products))]])
        size = float(sum(np.abs(each).sum() for each in products))
        comparison.matrix(f"slope {seed} of {program.name}", found, expected, size)


def compare_with_complex_step(
    comparison: Comparison, subject: Subject, program: Differentiated, seeds: Sequence[int]
) -> None:
    """Compare the slope along each direction with the complex step's, relative to its terms."""
    for seed in seeds:
        directions, found = _slope(subject, program, seed)
        (expected,) = reference(program.source).derivatives(
            [directions], program.loss, Convention.SHARED
        )
        comparison.matrix(f"slope {seed} of {program.name}", found, expected)


def _slope(subject: Subject, program: Differentiated, seed: int) -> tuple[dict[str, Array], Array]:
    """Return a direction, and the slope of the loss along it in forward mode."""
    literals = drawn_directions(reference(program.source), program.wrt, seed)
    answer = subject.directional(program.source, program.wrt, list(literals.values()), program.loss)
    return as_arrays(literals), printed(answer)[1]
