"""One copy in a forked child of a warm parent: no copy can hang it or take it down.

The child has everything loaded and compiled that the parent has, loads the copy, and tells the
parent of each trial that it is given before it begins and when it is over. So the parent knows what
a child that dies was doing.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import TYPE_CHECKING

from checks.subject import WrongSubject
from mutants.baseline import crashed, tried
from mutants.matrix import Cell, Outcome
from mutants.memory import Memory
from mutants.reuse import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from mutants.baseline import Baseline
    from mutants.trial import Trial
    from mutants.trials import Suite

ANSWERS = "answers.bin"
"""Beside a copy: what its answers led to when it was last run."""

LOADING = "loading"
"""Stands for a trial while the copy is loaded."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a trial of a copy may take.

    CPU seconds are the larger of `cpu_seconds` and `times_baseline` times what the original took;
    seconds on the clock `wall_factor` times that, for a copy that waits; `memory` is in bytes
    beyond what the parent has.
    """

    cpu_seconds: float = 5.0
    times_baseline: float = 10.0
    wall_factor: float = 6.0
    memory: int = 2 << 30

    @property
    def tight(self) -> Limits:
        """The limits of a copy that has taken too long already, and will for the same cause."""
        return replace(self, cpu_seconds=self.cpu_seconds / 5, times_baseline=3.0)

    def cpu_of(self, trial: str, baseline: Baseline) -> float:
        """Return the CPU seconds that a trial may take."""
        return max(self.cpu_seconds, self.times_baseline * baseline.cpu_seconds.get(trial, 0.0))


@dataclass(frozen=True, slots=True)
class Assignment:
    """A copy, in which segments of the original it differs (None: any), and what to try on it."""

    folder: Path
    changed: AbstractSet[int] | None
    trials: Sequence[Trial]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The copy is loaded, and was the right one."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The child begins a trial."""

    trial: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A trial is over; it is LOADING where the copy cannot be loaded, and so none can begin."""

    trial: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Unusable:
    """Nothing that this copy does counts: it is not what it should be, or the child is broken."""

    problem: str


Message = Loaded | Begun | Ended | Unusable


class Worker:
    """The parent's end of a child that runs trials of a copy."""

    def __init__(
        self, assignment: Assignment, suite: Suite, baseline: Baseline, limits: Limits
    ) -> None:
        """Fork the child."""
        self._baseline = baseline
        self._limits = limits
        self._start = time.monotonic()
        self.current: str | None = LOADING
        self.timed_out = False
        self._expect_an_end()
        self.messages, ours = Pipe(duplex=False)
        self._pid = os.fork()
        if self._pid == 0:
            _child(lambda: _Child(assignment, suite, baseline, limits, ours).run(), ours)
        ours.close()  # now, so that no later child holds it open when this one is dead

    def receive(self) -> Message | None:
        """Return the next message; None, at once or later, when the child is dead."""
        try:
            message: Message = self.messages.recv()
        except (EOFError, OSError):
            return None
        self.current = message.trial if isinstance(message, Begun) else None
        self._expect_an_end()
        return message

    @property
    def seconds(self) -> float:
        """How long ago the child was forked."""
        return time.monotonic() - self._start

    def seconds_left(self) -> float:
        """Return how long the child may still be silent."""
        return max(0.0, self._deadline - time.monotonic())

    def kill(self) -> None:
        """End the child and all that it started."""
        for end in (os.killpg, os.kill):  # it may not have a group of its own yet
            with suppress(ProcessLookupError, PermissionError):
                end(self._pid, signal.SIGKILL)

    def wait(self) -> Cell | None:
        """Wait for the death of the child; return the cell of the trial that it died in."""
        self.kill()  # what it started may outlive it
        _, status = os.waitpid(self._pid, 0)
        self.messages.close()
        if self.current is None:
            return None
        code = os.waitstatus_to_exitcode(status)
        if self.timed_out or code == -signal.SIGPROF:
            cpu = self._limits.cpu_of(self.current, self._baseline)
            return Cell(Outcome.TIMEOUT, f"more than {cpu:.0f} s of CPU time, or of waiting")
        how = f"status {code}" if code >= 0 else signal.Signals(-code).name
        return Cell(Outcome.CRASH, f"the process ended with {how}")

    def _expect_an_end(self) -> None:
        cpu = self._limits.cpu_of(self.current or LOADING, self._baseline)
        self._deadline = time.monotonic() + self._limits.wall_factor * cpu


def _child(work: Callable[[], None], messages: Connection) -> None:
    """Run in the child, which must never come back to the stack of its parent."""
    try:
        work()
    except BaseException as error:  # noqa: BLE001 - a fault of this code, which is no catch
        with suppress(OSError):
            messages.send(Unusable(f"the worker failed: {crashed(error).detail}"))
    finally:
        os._exit(0)


@dataclass(frozen=True, slots=True)
class _Child:
    assignment: Assignment
    suite: Suite
    baseline: Baseline
    limits: Limits
    messages: Connection

    def run(self) -> None:
        """Load the copy and run trials of it, until one has used up the memory."""
        folder = self.assignment.folder
        self._settle()
        self._limit(LOADING)
        try:
            subject = self.suite.load(folder)
        except WrongSubject as fault:
            self._send(Unusable(str(fault)))
            return
        except BaseException as error:  # noqa: BLE001 - a copy may raise anything
            self._send(Ended(LOADING, crashed(error)))
            return
        self._send(Loaded())
        recorder = Recorder(subject, self.baseline.original.known_of(self.assignment.changed))
        memory = Memory(folder / ANSWERS, self.suite.version, self.baseline.asked)
        for trial in self.assignment.trials:
            self._send(Begun(trial.id))
            self._limit(trial.id)
            try:
                cell = self._cell(trial, recorder, memory)
            except WrongSubject as fault:
                self._send(Unusable(str(fault)))
                return
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            self._send(Ended(trial.id, cell))
            if cell.outcome is Outcome.CRASH and cell.detail.startswith(MemoryError.__name__):
                return  # what is left is run in a child that has its memory still
        memory.save()

    def _cell(self, trial: Trial, recorder: Recorder, memory: Memory) -> Cell:
        if recorder.repeats(self.baseline.calls[trial.id]):
            return Cell(Outcome.SAME)
        remembered = memory.find(trial.id, recorder)
        if remembered is not None:
            return remembered
        recorder.start()
        cell = tried(trial, self.suite, recorder)
        if cell is not None:
            memory.note(trial.id, recorder.calls, cell)
        return cell or Cell(Outcome.PASS, "the check does not apply to what this copy writes")

    def _settle(self) -> None:
        """Make the process one that can be killed as a group, says nothing and leaves nothing."""
        os.setsid()
        gc.disable()  # the process is over before it has much
        faulthandler.disable()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.dont_write_bytecode = True
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))
        used = _address_space()
        if used is not None:
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (used + self.limits.memory, most))

    def _limit(self, trial: str) -> None:
        """Let the kernel end this process by SIGPROF when the trial has used its CPU time."""
        signal.setitimer(signal.ITIMER_PROF, self.limits.cpu_of(trial, self.baseline))

    def _send(self, message: Message) -> None:
        self.messages.send(message)


def _address_space() -> int | None:
    """Return the bytes of address space in use; None where only Linux would say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return None
    return pages * resource.getpagesize()
