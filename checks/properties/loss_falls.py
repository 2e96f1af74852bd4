"""Every step of gradient descent on the attention classifier lowers the loss."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from checks.chapters import CHAPTERS
from checks.check import on_programs
from checks.comparison import Comparison

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

REASON = "a loss is lower or it is not; the smallest fall, 0.03, is far above rounding"


@on_programs("loss-falls", 4, "The loss falls at every step")
def check(case: Case) -> Finding | None:
    """Compare each loss with the one before, where the chapter's own training only falls."""
    chapter = CHAPTERS.get(case.program.name)
    if chapter is None or chapter.training is None or not chapter.training.falls:
        return None
    comparison = Comparison(0.0, REASON)
    losses = case.descended(chapter.training.steps, chapter.training.rate).losses
    values = [loss.item() for loss in losses]
    for step, (before, after) in enumerate(pairwise(values), start=1):
        rise = 0.0 if after < before else max(after - before, 5e-324)
        comparison.count(f"loss after step {step}", rise, f"{after!r}, expected below {before!r}")
    return comparison.finding()
