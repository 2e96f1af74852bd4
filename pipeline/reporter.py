"""What a run prints: progress while it works, then the stage tables, the failures and a count.

A stage's tables are printed where the run has news of it: where one of its artifacts was made or
failed, or a gate over them did. They are printed in any case where the stage was asked for by name,
as in `doit check`. They come from the result files, so they do not depend on what was made.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar, TextIO

from doit.exceptions import BaseFail, UnmetDependency

from pipeline.failures import forget_failure, note_failure
from pipeline.layout import log_path
from pipeline.progress import progress_on
from pipeline.records import (
    BLOCKED,
    FAILED,
    FRESH,
    IGNORED,
    MADE,
    PASSED,
    UNREACHED,
    RunRecord,
    TaskRecord,
    write_json,
)
from pipeline.request import asked
from pipeline.run import ExclusiveRun
from pipeline.selection import artifact_of, is_artifact, makers, nearest, needed
from pipeline.spec import Artifact, Stage
from pipeline.stage_table import print_stage

if TYPE_CHECKING:
    from doit.task import Task

NEWS = frozenset({MADE, FAILED, BLOCKED})


class StageReporter:
    """The reporter to name in DOIT_CONFIG; doit calls its methods, in the main process only."""

    desc = "progress, then the stage tables and one line of summary"

    owned: ClassVar[tuple[str, ...]] = ("generated",)
    """Folders in which what no task makes any more is removed; a subclass may name others."""

    def __init__(self, outstream: TextIO, options: Mapping[str, object]) -> None:
        """Take what doit hands to every reporter."""
        del options
        self._run: ExclusiveRun | None = None
        self._stream = outstream
        self._progress = progress_on(outstream, 0)
        self._started = datetime.now(UTC)
        self._clock: dict[str, float] = {}
        self._tasks: Mapping[str, Task] = {}
        self._artifacts: dict[str, Artifact] = {}
        self._records: dict[str, TaskRecord] = {}
        self._shown: set[str] = set()
        self._problems: list[str] = []

    def initialize(self, tasks: "Mapping[str, Task]", selected_tasks: Iterable[str]) -> None:
        """Note the artifacts of this run: those selected and all that they need.

        Raises RunLockedError if another run is at work.
        """
        self._run = ExclusiveRun()
        names = list(selected_tasks)
        self._tasks = tasks
        for name in needed(tasks, names):
            spec = artifact_of(tasks[name])
            if spec is not None:
                self._artifacts[name] = spec
                self._records[name] = TaskRecord(name)
        if asked().by_name:
            self._shown.update(nearest(tasks, names, is_artifact))
        self._progress = progress_on(self._stream, len(self._artifacts))

    def get_status(self, task: "Task") -> None:
        """Say nothing: doit is about to test whether the task is up to date."""

    def execute_task(self, task: "Task") -> None:
        """Show that a task started."""
        self._clock[task.name] = time.monotonic()
        if task.name in self._artifacts:
            self._progress.begin(task.name)

    def add_success(self, task: "Task") -> None:
        """Note that a task was made, or that a gate held."""
        if task.name in self._artifacts:
            forget_failure(task.name)
            self._settle(task, MADE)
        else:
            self._settle(task, PASSED)

    def skip_uptodate(self, task: "Task") -> None:
        """Note that there was nothing to do."""
        self._settle(task, FRESH)

    def skip_ignore(self, task: "Task") -> None:
        """Note that the user told doit to ignore the task."""
        self._settle(task, IGNORED)

    def add_failure(self, task: "Task", fail: BaseFail) -> None:
        """Note why a task failed; the traceback of a fault in a task's code goes to its log."""
        if isinstance(fail, UnmetDependency):
            reason = f"{fail.message} failed"
            self._settle(task, BLOCKED, reason)
        else:
            reason = self._reason(task, fail)
            self._settle(task, FAILED, reason)
            problem = f"failed: {task.name}: {reason}"
            if task.executed and task.name in self._artifacts:
                problem += f"\n  log: {log_path(task.name)}"
            self._problems.append(problem)
        if task.name in self._artifacts:
            note_failure(task.name, reason)

    def cleanup_error(self, exception: BaseFail) -> None:
        """Note a failed teardown."""
        self._problems.append(f"failed: {exception.message}")

    def runtime_error(self, msg: str) -> None:
        """Note an error of doit itself."""
        self._problems.append(f"failed: {msg}")

    def teardown_task(self, task: "Task") -> None:
        """Say nothing: artifacts have no teardown."""

    def complete_run(self) -> None:
        """Print the tables, why what failed failed, and the summary; write the reports."""
        self._progress.stop()
        outcomes = {name: self._records[name].outcome for name in self._artifacts}
        for stage, artifacts in self._stages().items():
            print_stage(self._stream, stage, artifacts, outcomes)
        for problem in self._problems:
            self._stream.write(f"{problem}\n")
        if self._artifacts:
            self._stream.write(f"{_summary(outcomes)}\n")
        if self._run is not None:
            self._end(self._run)

    def _end(self, run: ExclusiveRun) -> None:
        """Remove what is of no use any more, and write the reports."""
        bad = {FAILED, BLOCKED, UNREACHED}
        outcomes = {each.outcome for each in self._records.values()}
        pruned = run.end(
            self._tasks.values(),
            self.owned,
            made=MADE in outcomes,
            succeeded=bad.isdisjoint(outcomes),
        )
        self._stream.writelines(f"{line}\n" for line in pruned.lines())
        self._write_reports()

    def _reason(self, task: "Task", fail: BaseFail) -> str:
        """Return why a task failed, in a line unless it is a gate's list; log a traceback."""
        if not fail.traceback:
            return fail.message
        if task.name in self._artifacts:
            log = log_path(task.name)
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("a") as stream:
                stream.writelines(fail.traceback)
        return " ".join(fail.traceback[-1].split())

    def _settle(self, task: "Task", outcome: str, reason: str = "") -> None:
        """Note the outcome of an artifact or a gate; doit's groups have none."""
        if task.name not in self._artifacts and not task.actions:  # doit makes actions when asked
            return
        started = self._clock.get(task.name)
        seconds = 0.0 if started is None else round(time.monotonic() - started, 3)
        self._records[task.name] = TaskRecord(task.name, outcome, seconds, reason)
        if task.name in self._artifacts:
            self._progress.end(task.name, outcome)
        elif outcome == FAILED:
            self._shown.update(makers(self._tasks, task.name))

    def _stages(self) -> dict[Stage, list[Artifact]]:
        """Group the artifacts by their stage, for each stage to show."""
        stages: dict[Stage, list[Artifact]] = {}
        shown: set[Stage] = set()
        for name, spec in self._artifacts.items():
            if spec.stage is not None:
                stages.setdefault(spec.stage, []).append(spec)
                if name in self._shown or self._records[name].outcome in NEWS:
                    shown.add(spec.stage)
        return {stage: specs for stage, specs in stages.items() if stage in shown}

    def _write_reports(self) -> None:
        """Write the files that the command line asks for."""
        seconds = (datetime.now(UTC) - self._started).total_seconds()
        tasks = [self._records[name] for name in self._tasks if name in self._records]
        run = RunRecord(self._started, seconds, tasks)
        request = asked()
        if request.json is not None:
            write_json(run, request.json)
        if request.junit is not None:
            from pipeline.junit import write_junit  # noqa: PLC0415 - XML, which few runs write

            write_junit(run, request.junit)


def _summary(outcomes: Mapping[str, str]) -> str:
    """Count the outcomes: the two good ones always, the others where there are any."""
    counts = Counter(outcomes.values())
    total = len(outcomes)
    if counts[FRESH] == total:
        return f"{total} artifacts: all up to date" if total > 1 else "1 artifact: up to date"
    bad = [each for each in (FAILED, BLOCKED, IGNORED, UNREACHED) if counts[each]]
    parts = [f"{counts[each]} {each}" for each in (MADE, FRESH, *bad)]
    return f"{total} artifact{'' if total == 1 else 's'}: {', '.join(parts)}"
