"""Generated and hand-derived gradients are those of an independent program in double precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.chapters import CHAPTERS, expected
from checks.check import on_programs
from checks.comparison import Comparison
from checks.writing import printed

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-10
REASON = (
    "of the largest element of the matrix: three programs that share no code and no order of "
    "summing, each right to about 1e-13 of it"
)


@on_programs("expected-values", 3, "Both are the values that another program computed")
def check(case: Case) -> Finding | None:
    """Compare the gradient program and the chapter's program with checks/expected."""
    chapter = CHAPTERS.get(case.program.name)
    if chapter is None:
        return None
    values = expected(chapter.expected)
    wanted = [np.array([[values.loss]]), *map(np.array, values.grads.values())]
    comparison = Comparison(TOLERANCE, REASON)
    for side, found in (("generated", case.printed()), ("by hand", printed(case.source))):
        names = [f"{name}, {side}" for name in ("loss", *values.grads)]
        comparison.matrices(names, found, wanted)
    return comparison.finding()
