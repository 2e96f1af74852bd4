"""Small programs with gradients worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.writing import Unanswered, printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from checks.comparison import Comparison
    from checks.subject import Subject
    from mgc.meanings import Array

Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class Golden:
    """A program, and the gradient with respect to each of some lets, in the order to ask.

    `every` asks for all lets that count, and not by name.
    """

    name: str
    source: str
    gradients: dict[str, Rows]
    loss: int = 0
    unused_is_zero: bool = False
    every: bool = False


def compare_golden(
    comparison: Comparison,
    subject: Subject,
    goldens: Iterable[Golden],
    *,
    bits: bool = False,
    optimized: bool = False,
) -> None:
    """Compare the gradients of each program with the golden ones, to the bit or by size.

    `optimized` takes what -O writes. Unanswered for a program that is refused, unless the gradients
    of another are wrong, which says more.
    """
    unanswered: Unanswered | None = None
    write = subject.optimized if optimized else subject.gradient
    for golden in goldens:
        wrt = ("all",) if golden.every else tuple(golden.gradients)
        answer = write(golden.source, wrt, golden.loss, unused_is_zero=golden.unused_is_zero)
        try:
            found = printed(answer)[1:]
        except Unanswered as none:
            unanswered = unanswered or none
            continue
        _compare(comparison, golden, found, bits=bits)
    if unanswered is not None and comparison.worst <= comparison.tolerance:
        raise unanswered


def _compare(comparison: Comparison, golden: Golden, found: Sequence[Array], *, bits: bool) -> None:
    if len(found) != len(golden.gradients):
        numbers = f"{len(found)} gradients, expected {len(golden.gradients)}"
        comparison.count(golden.name, np.inf, numbers)
        return
    compare = comparison.bits if bits else comparison.matrix
    for (name, rows), gradient in zip(golden.gradients.items(), found, strict=True):
        compare(f"{name} of {golden.name}", gradient, np.array(rows, dtype=np.float64))
