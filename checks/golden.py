"""Small programs with gradients worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.writing import printed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from checks.comparison import Comparison
    from checks.subject import Subject

Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class Golden:
    """A program, and the gradient with respect to each of some lets, in the order to ask."""

    name: str
    source: str
    gradients: dict[str, Rows]
    loss: int = 0
    unused_is_zero: bool = False


def compare_golden(
    comparison: Comparison,
    subject: Subject,
    goldens: Iterable[Golden],
    *,
    bits: bool = False,
    optimized: bool = False,
) -> None:
    """Compare the gradients of each program with the golden ones, to the bit or by size.

    `optimized` takes what -O writes.
    """
    for golden in goldens:
        wrt = tuple(golden.gradients)
        if optimized:
            answer = subject.optimized(golden.source, wrt, golden.loss)
        else:
            answer = subject.gradient(
                golden.source, wrt, golden.loss, unused_is_zero=golden.unused_is_zero
            )
        found = printed(answer)[1:]
        if len(found) != len(wrt):
            comparison.count(golden.name, np.inf, f"{len(found)} gradients, expected {len(wrt)}")
            continue
        for name, gradient, rows in zip(wrt, found, golden.gradients.values(), strict=True):
            compare = comparison.bits if bits else comparison.matrix
            compare(f"{name} of {golden.name}", gradient, np.array(rows, dtype=np.float64))
