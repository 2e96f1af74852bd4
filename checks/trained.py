"""What a training run passes through: its losses, and its parameters after each step."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from checks.stepping import Stepper
from checks.writing import printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.chapters import Training
    from mgc.meanings import Array

_PARAMETER = re.compile(r"^let (p\d+) = .*$", re.MULTILINE)
"""How a descent writes a parameter after a step; the let of a literal keeps the literal's name."""


@dataclass(frozen=True, slots=True)
class Trained:
    """The loss before the first step and after each, and all parameters after each step.

    `after[k]` are those after step k + 1, in the order of the matrices. It is empty where the
    program does not write one let for each parameter and step.
    """

    losses: list[Array]
    after: list[list[Array]]
    last: list[Array]


def descended(text: str, steps: int, matrices: int) -> Trained:
    """Run a descent program that prints its parameters; Unanswered if it cannot be compiled."""
    if len(_PARAMETER.findall(text)) != steps * matrices:
        prints = printed(text)
        return Trained(prints[: steps + 1], [], prints[steps + 1 :])
    prints = printed(_PARAMETER.sub(r"\g<0>\nprint \1", text))
    a_step = 1 + matrices
    end = steps * a_step + 1
    return Trained(
        prints[:end:a_step],
        [prints[step * a_step + 1 : (step + 1) * a_step] for step in range(steps)],
        prints[end:],
    )


@cache
def trained_by_hand(training: Training) -> Trained:
    """Run as many steps of a chapter's own training as are written out in one program."""
    names = training.parameters
    lets = [f"{name}{step + 1}" for step in range(training.steps) for name in names]
    prints = "".join(f"print {name}\n" for name in lets)
    found = printed(training.program(training.steps) + prints)
    losses = (training.steps + 1) * training.losses
    after = _chunks(found[losses:], len(names))
    return Trained(found[: losses : training.losses], after, after[-1])


@cache
def stepped_by_hand(training: Training) -> Trained:
    """Run the program of one step of a chapter's own training, each time from what it made.

    The last loss is after the last step.
    """
    names = training.parameters
    prints = "".join(f"print {name}1\n" for name in names)
    lets = [f"{name}0" for name in names]
    program = Stepper(training.program(1) + prints, lets, training.start())
    parameters = training.start()
    losses: list[Array] = []
    after: list[list[Array]] = []
    for _ in range(training.long):
        found = program.run(parameters)
        losses.append(found[0])
        parameters = found[2 * training.losses :]
        after.append(parameters)
    losses.append(program.run(parameters)[0])
    return Trained(losses, after, parameters)


def _chunks(matrices: Sequence[Array], size: int) -> list[list[Array]]:
    """Return the matrices in lists of so many."""
    return [list(matrices[at : at + size]) for at in range(0, len(matrices), size)]
