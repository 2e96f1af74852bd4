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
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import TYPE_CHECKING

from checks.subject import WrongSubject
from mutants.baseline import crashed, tried
from mutants.matrix import SAME, Cell, Outcome
from mutants.memory import Memory
from mutants.reuse import Recorder
from mutants.whereabouts import LOADING, Whereabouts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from mutants.baseline import Baseline
    from mutants.reuse import Known
    from mutants.trial import Trial
    from mutants.trials import Suite

ANSWERS = "answers.bin"
"""Beside a copy: what its answers led to when it was last run."""

FLUSH_SECONDS = 0.2
"""After so long a child tells what it has found; what it has not told is lost if it dies."""


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
    """A copy, what is known of it before it is asked, and what to try on it.

    `settled` are the ids of checks that have caught it by a value.
    """

    folder: Path
    known: Known
    trials: Sequence[Trial]
    settled: AbstractSet[str]


@dataclass(frozen=True, slots=True)
class Ended:
    """A trial is over; it is LOADING where the copy cannot be loaded, and so none can begin."""

    trial: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Unusable:
    """Nothing that this copy does counts: it is not what it should be, or the child is broken."""

    problem: str


Message = Ended | Unusable


class Worker:
    """The parent's end of a child that runs trials of a copy."""

    def __init__(
        self, assignment: Assignment, suite: Suite, baseline: Baseline, limits: Limits
    ) -> None:
        """Fork the child."""
        self._baseline = baseline
        self._limits = limits
        self._start = time.monotonic()
        self._place = Whereabouts(tuple(trial.id for trial in assignment.trials))
        self._place.load()
        self.timed_out = False
        self.messages, ours = Pipe(duplex=False)
        self._pid = os.fork()
        if self._pid == 0:
            report = Report(ours, self._place)
            _child(lambda: _Child(assignment, suite, baseline, limits, report).run(), ours)
        ours.close()  # now, so that no later child holds it open when this one is dead

    def receive(self) -> Sequence[Message] | None:
        """Return the next messages; None, at once or later, when the child is dead."""
        try:
            messages: Sequence[Message] = self.messages.recv()
        except (EOFError, OSError):
            return None
        return messages

    @property
    def seconds(self) -> float:
        """How long ago the child was forked."""
        return time.monotonic() - self._start

    def seconds_left(self) -> float:
        """Return how long the child may still be at what it does."""
        trial, since = self._place.now()
        cpu = self._limits.cpu_of(trial or LOADING, self._baseline)
        return max(0.0, since + self._limits.wall_factor * cpu - time.monotonic())

    def kill(self) -> None:
        """End the child and all that it started."""
        for end in (os.killpg, os.kill):  # it may not have a group of its own yet
            with suppress(ProcessLookupError, PermissionError):
                end(self._pid, signal.SIGKILL)

    def wait(self) -> Ended | None:
        """Wait for the death of the child; return the end of the trial that it died in."""
        self.kill()  # what it started may outlive it
        _, status = os.waitpid(self._pid, 0)
        self.messages.close()
        trial, _ = self._place.now()
        self._place.close()
        if trial is None:
            return None
        code = os.waitstatus_to_exitcode(status)
        if self.timed_out or code == -signal.SIGPROF:
            cpu = self._limits.cpu_of(trial, self._baseline)
            detail = f"more than {cpu:.0f} s of CPU time, or of waiting"
            return Ended(trial, Cell(Outcome.TIMEOUT, detail))
        how = f"status {code}" if code >= 0 else signal.Signals(-code).name
        return Ended(trial, Cell(Outcome.CRASH, f"the process ended with {how}"))


def _child(work: Callable[[], None], messages: Connection) -> None:
    """Run in the child, which must never come back to the stack of its parent."""
    try:
        work()
    except BaseException as error:  # noqa: BLE001 - a fault of this code, which is no catch
        with suppress(OSError):
            messages.send([Unusable(f"the worker failed: {crashed(error).detail}")])
    finally:
        os._exit(0)


@dataclass(slots=True)
class Report:
    """The child's end: where it is, and what it has found and not told yet."""

    messages: Connection
    place: Whereabouts
    _untold: list[Message] = field(default_factory=list["Message"])
    _told: float = field(default_factory=time.monotonic)

    def note(self, message: Message) -> None:
        """Keep a message, and tell all that are kept from time to time."""
        self._untold.append(message)
        if time.monotonic() - self._told > FLUSH_SECONDS:
            self.tell()

    def tell(self) -> None:
        """Tell what is kept."""
        self.messages.send(self._untold)
        self._untold = []
        self._told = time.monotonic()


@dataclass(frozen=True, slots=True)
class _Child:
    assignment: Assignment
    suite: Suite
    baseline: Baseline
    limits: Limits
    report: Report

    def run(self) -> None:
        """Load the copy and run trials of it, until one has used up the memory."""
        self._settle()
        last = self._run()
        self.report.place.end()
        if last is not None:
            self.report.note(last)
        self.report.tell()

    def _run(self) -> Message | None:
        """Return what there is to say in the end, if anything."""
        folder = self.assignment.folder
        self._limit(LOADING)
        try:
            subject = self.suite.load(folder)
        except WrongSubject as fault:
            return Unusable(str(fault))
        except BaseException as error:  # noqa: BLE001 - a copy may raise anything
            return Ended(LOADING, crashed(error))
        self.report.place.end()
        recorder = Recorder(subject, self.assignment.known)
        memory = Memory(folder / ANSWERS, self.suite.version, self.baseline.asked)
        settled = set(self.assignment.settled)
        for number, trial in enumerate(self.assignment.trials):
            if trial.check in settled:
                self.report.note(Ended(trial.id, Cell(Outcome.SETTLED)))
                continue
            self.report.place.begin(number)
            self._limit(trial.id)
            try:
                cell = self._cell(trial, recorder, memory)
            except WrongSubject as fault:
                return Unusable(str(fault))
            self.report.place.end()
            self.report.note(Ended(trial.id, cell))
            if cell.outcome is Outcome.VALUE:
                settled.add(trial.check)
            if cell.outcome is Outcome.CRASH and cell.detail.startswith(MemoryError.__name__):
                return None  # what is left is run in a child that has its memory still
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        memory.save()
        return None

    def _cell(self, trial: Trial, recorder: Recorder, memory: Memory) -> Cell:
        if recorder.repeats(self.baseline.calls[trial.id]):
            return SAME
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


def _address_space() -> int | None:
    """Return the bytes of address space in use; None where only Linux would say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return None
    return pages * resource.getpagesize()
