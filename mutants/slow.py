"""Copies of autograd that are right and slow: what counts as right cannot tell them from it.

Only the cost of what they write can. The first writes lets that nothing uses, which the checks of
structure see as well.
"""

from __future__ import annotations

from mutants.spec import Mutant

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
