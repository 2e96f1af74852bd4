"""Steps along the generated gradients are those of the chapter's training by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.chapters import CHAPTERS, expected
from checks.check import on_programs
from checks.comparison import Comparison
from checks.stepping import Stepper
from checks.trained import stepped, stepped_by_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.check import Case
    from checks.verdict import Finding
    from mgc.meanings import Array

TOLERANCE = 1e-11
REASON = "of the largest element: rounding of 1e-16 in each step, amplified to 1e-13 by forty"


@on_programs("stepped-training", 4, "Steps along the generated gradients are those by hand")
def check(case: Case) -> Finding | None:
    """Compare losses and parameters after every step, and the losses with checks/expected."""
    chapter = CHAPTERS.get(case.program.name)
    if chapter is None or chapter.training is None:
        return None
    training = chapter.training
    names = training.parameters
    program = Stepper(case.written(), [f"{name}0" for name in names], training.start())
    order = [case.names.index(f"{name}0") for name in names]
    comparison = Comparison(TOLERANCE, REASON)

    def step(parameters: Sequence[Array]) -> tuple[Array, list[Array]]:
        found = program.run(parameters)
        moved = zip(parameters, order, strict=True)
        return found[0], [before - training.rate * found[at] for before, at in moved]

    by_hand = stepped_by_hand(training)
    shapes = [each.shape for each in case.printed()]
    if shapes != [(1, 1), *(case.reference.shape(name) for name in case.program.wrt)]:
        comparison.count("shapes of the loss and the gradients", np.inf, f"{shapes}")
        return comparison.finding()
    found = stepped(step, training.start(), training.long)
    losses = [f"loss after step {number}" for number in range(training.long + 1)]
    comparison.matrices(losses, found.losses, by_hand.losses)
    curve = [np.array([[loss]]) for loss in expected(chapter.expected).curve[: len(losses)]]
    comparison.matrices(losses, found.losses, curve)
    for number, (ours, theirs) in enumerate(zip(found.after, by_hand.after, strict=True), start=1):
        comparison.matrices([f"{name} after step {number}" for name in names], ours, theirs)
    return comparison.finding()
