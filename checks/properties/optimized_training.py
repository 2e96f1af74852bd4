"""A descent that `-O` writes takes the steps of the chapter's training by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.chapters import CHAPTERS
from checks.check import on_programs
from checks.comparison import Comparison
from checks.trained import trained_by_hand
from checks.writing import printed

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-11
REASON = "of the largest element: rounding of 1e-15 in each step, which later steps amplify"


@on_programs("optimized-training", 4, "With -O too every step is that of the training by hand")
def check(case: Case) -> Finding | None:
    """Compare the losses before the first step and after each, and the parameters at the end."""
    chapter = CHAPTERS.get(case.program.name)
    if chapter is None or chapter.training is None:
        return None
    by_hand = trained_by_hand(chapter.training)
    steps, rate = chapter.training.steps, chapter.training.rate
    answer = case.subject.optimized_descent(case.source, case.program.wrt, steps, rate)
    names = [f"loss after step {step}" for step in range(steps + 1)]
    names += [f"{name} after step {steps}" for name in case.program.wrt]
    comparison = Comparison(TOLERANCE, REASON)
    comparison.matrices(names, printed(answer), [*by_hand.losses, *by_hand.last])
    return comparison.finding()
