"""Comparing all gradients of a source with the complex step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.reference import reference, slopes
from checks.writing import printed

if TYPE_CHECKING:
    from checks.comparison import Comparison
    from checks.subject import Subject


def compare_slopes(
    comparison: Comparison, subject: Subject, source: str, name: str, *, optimized: bool = False
) -> None:
    """Compare the gradients in all literal lets that move the loss with the complex step's.

    Errors are relative to the largest element, or to 1 where all are smaller. `optimized` takes
    what -O writes.
    """
    evaluated = reference(source)
    names = [each for each in evaluated.literals if evaluated.depends(each, past_comparisons=False)]
    if not names:
        return
    write = subject.optimized if optimized else subject.gradient
    loss, *gradients = printed(write(source, names))
    expected = [slopes(source, each, 0) for each in names]
    scale = max(1.0, *(float(np.max(np.abs(each))) for each in expected))
    comparison.matrix(f"loss of {name}", loss, evaluated.printed(), scale)
    for each, found, wanted in zip(names, gradients, expected, strict=True):
        comparison.matrix(f"{each} of {name}", found, wanted, scale)
