"""Steps along the generated gradients are those of the chapter's training by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.chapters import CHAPTERS, expected
from checks.check import on_programs
from checks.comparison import Comparison
from checks.stepping import Stepper
from checks.trained import stepped_by_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.chapters import Training
    from checks.check import Case
    from checks.verdict import Finding

TOLERANCE = 1e-11
REASON = "of the largest element: rounding of 1e-16 in each step, amplified to 1e-13 by forty"


@on_programs("stepped-training", 4, "Steps along the generated gradients are those by hand")
def check(case: Case) -> Finding | None:
    """Compare losses and parameters after every step, and the losses with checks/expected."""
    chapter = CHAPTERS.get(case.program.name)
    if chapter is None or chapter.training is None:
        return None
    comparison = Comparison(TOLERANCE, REASON)
    shapes = [each.shape for each in case.printed()]
    if shapes != [(1, 1), *(case.reference.shape(name) for name in case.program.wrt)]:
        comparison.count("shapes of the loss and the gradients", np.inf, f"{shapes}")
        return comparison.finding()
    _compare(comparison, case, chapter.training, expected(chapter.expected).curve)
    return comparison.finding()


def _compare(
    comparison: Comparison, case: Case, training: Training, curve: Sequence[float]
) -> None:
    """Compare each step with that by hand before the next one is taken."""
    names = training.parameters
    program = Stepper(case.written(), [f"{name}0" for name in names], training.start())
    order = [case.names.index(f"{name}0") for name in names]
    by_hand = stepped_by_hand(training)
    parameters = training.start()
    for number, expected_loss in enumerate(by_hand.losses):
        found = program.run(parameters)
        loss = f"loss after step {number}"
        comparison.matrix(loss, found[0], expected_loss)
        comparison.matrix(loss, found[0], np.array([[curve[number]]]))
        if number == training.long:
            return
        moved = zip(parameters, order, strict=True)
        parameters = [before - training.rate * found[at] for before, at in moved]
        after = [f"{name} after step {number + 1}" for name in names]
        comparison.matrices(after, parameters, by_hand.after[number])
