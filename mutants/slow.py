"""Copies of autograd that are right and slow: what counts as right cannot tell them from it.

Only the cost of what they write can, and for some of them the checks of how a program is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mutants.spec import Mutant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mutants.matrix import Row
    from mutants.trial import Trial

STRUCTURE = 7
"""The group of the checks that judge how a program is written, and so may see that it is slow."""

SLOW = (
    Mutant(
        "s01-activity-off",
        "an operation passes back to each operand, also to one that no matrix moves",
        "slow", "reverse.py", "backward(steps, loss, wrt, shortcuts)", "operand in active", "True",
    ),
    Mutant(
        "s02-sharing-off", "-O computes again what it has computed", "slow",
        "optimize/graph.py", "Builder._settled(self, candidate, rules)",
        "known is not None", "False",
    ),
    Mutant(
        "s03-always-ones", "every let is multiplied by ones, as if it were stretched",
        "slow", "emit.py", "Writer.let(self, value, prefix, remark)",
        "shape != value.shape", "value.op is not ops.CONSTANT and len(value.shape) == 2",
    ),
)  # fmt: skip
"""Copies that pass every check of values, and that a limit of cost must catch."""


def proofs_of_wrong(row: Row, trials: Sequence[Trial]) -> list[str]:
    """Return the trials that catch a copy, but for those that judge how a program is written."""
    judging = {trial.id for trial in trials if trial.group != STRUCTURE}
    return [trial for trial in row.killers if trial in judging]
