"""Running copies, so many at a time, and putting what came of them into rows."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from mutants.copies import DIFF, MANIFEST
from mutants.matrix import ORIGINAL_FAILS, SAME, Cell, Outcome, Row
from mutants.reuse import Known
from mutants.whereabouts import LOADING
from mutants.worker import Assignment, Ended, Limits, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path

    from mutants.baseline import Baseline
    from mutants.trial import Trial
    from mutants.trials import Suite
    from mutants.worker import Message


MANY = 4


@dataclass(slots=True)
class _Copy:
    """A copy while its trials are run; of the repeated ones it shows what the original does."""

    folder: Path
    known: Known
    left: list[Trial]
    repeated: set[str] = field(default_factory=set[str])
    cells: dict[str, Cell] = field(default_factory=dict[str, Cell])
    late: list[Trial] = field(default_factory=list["Trial"])
    problem: str = ""
    seconds: float = 0.0

    def note(self, trial: str, cell: Cell) -> None:
        """Keep the outcome of a trial; of loading, as that of every trial not yet over."""
        if trial == LOADING:
            self.cells |= dict.fromkeys(self.repeated, cell)
            self.repeated = set()
        for each in [each for each in self.left if trial in (each.id, LOADING)]:
            self.left.remove(each)
            self.cells[each.id] = cell
            if cell.outcome is Outcome.TIMEOUT:
                self.late.append(each)

    def hear(self, messages: Iterable[Message]) -> None:
        """Take in what a child says."""
        for message in messages:
            if isinstance(message, Ended):
                self.note(message.trial, message.cell)
            else:
                self.problem = message.problem
                self.left = []

    def row(self, baseline: Baseline) -> Row:
        """Return the finished row, its cells in the order of the trials."""
        manifest = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        order = [] if self.problem else [trial.id for trial in baseline.trials]
        return Row(
            id=manifest["id"],
            title=manifest["title"],
            kind=manifest["kind"],
            diff=(self.folder / DIFF).read_text(encoding="utf-8"),
            cells={trial: self._cell(trial) for trial in order},
            seconds=self.seconds,
            problem=self.problem,
        )

    def _cell(self, trial: str) -> Cell:
        return SAME if trial in self.repeated else self.cells[trial]


def failed_row(folder: Path, baseline: Baseline) -> Row:
    """Return the row of a copy of an original that does not pass: nothing is known of the copy."""
    trial, cell = next(iter(baseline.failed.items()))
    rest = len(baseline.failed) - 1
    more = f", and {rest} more" if rest else ""
    return _Copy(
        folder,
        Known(),
        [],
        problem=f"{ORIGINAL_FAILS} {trial}{more}: {cell.outcome}: {cell.detail}",
    ).row(baseline)


def run_copy(folder: Path, suite: Suite, baseline: Baseline, limits: Limits | None = None) -> Row:
    """Run every trial on the copy in a folder."""
    [row] = run_copies([folder], suite, baseline, workers=1, limits=limits)
    return row


def run_copies(  # noqa: PLR0913 - half of them have defaults and are named
    folders: Iterable[Path],
    suite: Suite,
    baseline: Baseline,
    *,
    workers: int = 2,
    limits: Limits | None = None,
    on_row: Callable[[Row], None] | None = None,
) -> list[Row]:
    """Run every trial on each copy, `workers` copies at a time; the rows are in their order.

    The baseline must be of this process, or one like it, and have no failed trials. `on_row` is
    called as each row is final. What took too long is run once more when everything else is
    done, alone, so that a busy machine makes no timeouts; but a copy that was late MANY times is
    late by itself.
    """
    assert not baseline.failed, "the original fails, so that copies prove nothing"
    copies = [_begun(folder, suite, baseline) for folder in folders]
    rows: dict[int, Row] = {}

    def finish(number: int) -> None:
        rows[number] = copies[number].row(baseline)
        if on_row is not None:
            on_row(rows[number])

    run = _Run(suite, baseline, limits or Limits())
    for number in run.through(copies, workers):
        if not 0 < len(copies[number].late) < MANY:
            finish(number)
    for number, copy in enumerate(copies):
        if 0 < len(copy.late) < MANY:
            copy.left, copy.late = copy.late, []
            list(run.through([copy], 1))
            finish(number)
    return [rows[number] for number in range(len(copies))]


def _begun(folder: Path, suite: Suite, baseline: Baseline) -> _Copy:
    changed = baseline.original.changed_in(suite.home(folder))
    repeated = baseline.repeated(changed)
    left = [trial for trial in baseline.trials if trial.id not in repeated]
    return _Copy(folder, baseline.original.known_of(changed), left, repeated)


@dataclass(frozen=True, slots=True)
class _Run:
    suite: Suite
    baseline: Baseline
    limits: Limits

    def through(self, copies: Sequence[_Copy], workers: int) -> Iterator[int]:
        """Run what is left of copies; yield the number of each when nothing is."""
        pending = deque(range(len(copies)))
        running: dict[Connection, tuple[int, Worker]] = {}
        try:
            while pending or running:
                while pending and len(running) < workers:
                    number = pending.popleft()
                    worker = self._worker(copies[number])
                    running[worker.messages] = number, worker
                for messages in self._ready(running):
                    number, worker = running[messages]
                    told = worker.receive()
                    if told is not None:
                        copies[number].hear(told)
                        continue
                    del running[messages]
                    self._bury(worker, copies[number])
                    if copies[number].left:
                        pending.appendleft(number)
                    else:
                        yield number
        finally:
            for _, worker in running.values():
                worker.wait()

    def _worker(self, copy: _Copy) -> Worker:
        limits = self.limits.tight if copy.late else self.limits
        settled = {
            trial.check
            for trial in self.baseline.trials
            if trial.id in copy.cells and copy.cells[trial.id].outcome is Outcome.VALUE
        }
        assignment = Assignment(copy.folder, copy.known, tuple(copy.left), settled)
        return Worker(assignment, self.suite, self.baseline, limits)

    def _ready(self, running: dict[Connection, tuple[int, Worker]]) -> list[Connection]:
        """Wait until a child says something or is dead, and end those that are silent too long."""
        patience = min(worker.seconds_left() for _, worker in running.values())
        ready = wait(list(running), patience)
        for _, worker in running.values():
            if worker.messages not in ready and not worker.seconds_left():
                worker.timed_out = True
                worker.kill()
        return [messages for messages in running if messages in ready]

    def _bury(self, worker: Worker, copy: _Copy) -> None:
        """Note what a dead child died of. What is left of the copy goes on in another child."""
        end = worker.wait()
        copy.seconds += worker.seconds
        if end is not None:
            copy.hear([end])
