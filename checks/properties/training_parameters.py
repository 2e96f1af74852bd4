"""The parameters of a descent are those of the chapter's training by hand.

Losses alone would not do: a network of odd functions has the same loss when two layers change
their signs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.chapters import CHAPTERS
from checks.check import on_programs
from checks.comparison import Comparison
from checks.trained import trained_by_hand

if TYPE_CHECKING:
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-11
REASON = "of the largest element: rounding of 1e-16 in each step, which later steps amplify"


@on_programs("training-parameters", 4, "After every step each parameter is that of the training")
def check(case: Case) -> Finding | None:
    """Compare every parameter after every step, and those that the descent prints at its end."""
    chapter = CHAPTERS.get(case.program.name)
    if chapter is None or chapter.training is None:
        return None
    training = chapter.training
    comparison = Comparison(TOLERANCE, REASON)
    found = case.descended(training.steps, training.rate)
    by_hand = trained_by_hand(training)
    names = training.parameters
    comparison.matrices([f"{name}, last" for name in names], found.last, by_hand.last)
    if not found.after:
        wanted = f"none, expected {training.steps * len(names)}"
        comparison.count("lets of parameters after a step", 1.0, wanted)
    for step, (ours, theirs) in enumerate(zip(found.after, by_hand.after, strict=False), start=1):
        comparison.matrices([f"{name} after step {step}" for name in names], ours, theirs)
    return comparison.finding()
