"""The losses of a descent are those of the chapter's training by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.chapters import CHAPTERS, expected
from checks.check import on_programs
from checks.comparison import Comparison
from checks.trained import trained_by_hand

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-11
REASON = "of the loss: rounding of 1e-16 in each step, which later steps amplify"


@on_programs("training-losses", 4, "After every step the loss is that of the training by hand")
def check(case: Case) -> Finding | None:
    """Compare the descent with the chapter's training and with checks/expected."""
    chapter = CHAPTERS.get(case.program.name)
    if chapter is None or chapter.training is None:
        return None
    comparison = Comparison(TOLERANCE, REASON)
    found = case.descended(chapter.training.steps, chapter.training.rate).losses
    names = [f"loss after step {step}" for step in range(chapter.training.steps + 1)]
    comparison.matrices(names, found, trained_by_hand(chapter.training).losses)
    curve = expected(chapter.expected).curve
    comparison.matrices(names, found, [np.array([[loss]]) for loss in curve[: len(names)]])
    return comparison.finding()
