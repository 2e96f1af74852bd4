"""A check is one property, in a file of its own in `checks/properties`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.forward_mode import Differentiated
from checks.reference import reference
from checks.trained import descended
from checks.writing import accepted, printed

if TYPE_CHECKING:
    from collections.abc import Callable

    from checks.programs import Program
    from checks.reference import Reference
    from checks.subject import Subject
    from checks.trained import Trained
    from checks.verdict import Finding
    from mgc.meanings import Array


@dataclass(frozen=True, slots=True)
class Case:
    """A program of pipeline.yaml and the subject that differentiates it."""

    program: Program
    subject: Subject

    @property
    def source(self) -> str:
        """The text of the program."""
        return self.program.source

    @property
    def reference(self) -> Reference:
        """The program, evaluated without autograd."""
        return reference(self.source)

    @property
    def names(self) -> tuple[str, ...]:
        """What the gradient program prints, in words."""
        return ("loss", *self.program.wrt)

    def written(self) -> str:
        """Return the gradient program; Unanswered if it is refused."""
        program = self.program
        return accepted(self.subject.gradient(self.source, program.wrt, program.loss))

    def printed(self) -> list[Array]:
        """Return the loss and the gradients that the gradient program prints."""
        return printed(self.written())

    def differentiated(self) -> Differentiated:
        """Return the program as forward mode takes it."""
        program = self.program
        return Differentiated(program.name, self.source, program.wrt, program.loss)

    def descended(self, steps: int, rate: float) -> Trained:
        """Return what a descent passes through; Unanswered if it is refused."""
        wrt = self.program.wrt
        answer = self.subject.descent(self.source, wrt, steps, rate, prints_parameters=True)
        return descended(accepted(answer), steps, len(wrt))


@dataclass(frozen=True, slots=True)
class Draw:
    """How many random programs are drawn, and from which seed."""

    examples: int = 60
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Setting:
    """What a check that brings its own programs is given."""

    subject: Subject
    draw: Draw


@dataclass(frozen=True, slots=True)
class ProgramCheck:
    """A check of a program; `run` returns None where the program is none for it."""

    id: str
    group: int
    title: str
    run: Callable[[Case], Finding | None]


@dataclass(frozen=True, slots=True)
class OwnCheck:
    """A check that brings its own programs; `item` is what it is listed under."""

    id: str
    group: int
    title: str
    item: str
    run: Callable[[Setting], Finding]


Check = ProgramCheck | OwnCheck


def on_programs(
    identity: str, group: int, title: str
) -> Callable[[Callable[[Case], Finding | None]], ProgramCheck]:
    """Make the decorated function a check of every program."""
    return lambda run: ProgramCheck(identity, group, title, run)


def on_its_own(
    identity: str, group: int, title: str, *, item: str
) -> Callable[[Callable[[Setting], Finding]], OwnCheck]:
    """Make the decorated function a check that brings its own programs."""
    return lambda run: OwnCheck(identity, group, title, item, run)
