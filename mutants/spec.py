"""What a mutant is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["hand", "generated", "harmless", "control", "slow"]

MODULES = (
    "rules.py", "forward_rules.py", "expression.py", "flatten.py", "names.py", "problem.py",
    "reverse.py", "emit.py", "transform.py", "descend.py", "forward.py", "provenance.py",
)  # fmt: skip
"""The modules of autograd that operators change: all that can influence what is written without -O.

Half of what the operators make of the modules of -O only has a rewriting take place where it does
not pay, or not where it would: the program is right all the same. So what can be wrong with -O is
written by hand.
"""


class MutantError(Exception):
    """A mutant cannot be applied as specified; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one function of autograd.

    `id` is short and stable, `title` says in plain words what is wrong. `kind` is "hand" for a
    wrong version that was thought of, "generated" for one that an operator made, "harmless" for
    one that must behave as the original does, "control" for one that any check must catch, and
    "slow" for one that is right and costs more.

    `file` is a module of autograd, `scope` the part of it that may change, as
    `mutants.scope.find_scope` reads it. `pattern` and `replacement` are Python source, as
    `mutants.pattern` matches and splices it. The pattern must match `count` times; every match
    is replaced, or only number `occurrence`, counted from 0, where that is given.

    `reason` is why a generated mutant changes nothing, where it is known to change nothing.
    """

    id: str
    title: str
    kind: Kind
    file: str
    scope: str
    pattern: str
    replacement: str
    count: int = 1
    occurrence: int | None = None
    reason: str = ""
