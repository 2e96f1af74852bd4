"""What a run prints: progress while it works, then the stage tables, the failures and a count.

The tables come from the result files, so they are the same whether a stage ran or was up to date.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from doit.exceptions import BaseFail, UnmetDependency

from pipeline.layout import log_path
from pipeline.progress import progress_on
from pipeline.spec import Artifact, Stage
from pipeline.table import print_table

if TYPE_CHECKING:
    from doit.task import Task

MADE = "made"
FRESH = "up to date"
FAILED = "failed"
BLOCKED = "blocked"  # an artifact it is made from failed
IGNORED = "ignored"  # by `doit ignore`
UNREACHED = "not reached"


class StageReporter:
    """The reporter to name in DOIT_CONFIG; doit calls its methods, in the main process only."""

    desc = "progress, then the stage tables and one line of summary"

    def __init__(self, outstream: TextIO, options: Mapping[str, object]) -> None:
        """Take what doit hands to every reporter."""
        del options
        self._stream = outstream
        self._progress = progress_on(outstream, 0)
        self._artifacts: dict[str, Artifact] = {}
        self._outcomes: dict[str, str] = {}
        self._problems: list[str] = []

    def initialize(self, tasks: "Mapping[str, Task]", selected_tasks: Iterable[str]) -> None:
        """Note the artifacts of this run: those selected and all that they need."""
        for name in _needed(tasks, selected_tasks):
            meta = tasks[name].meta
            if meta is not None and isinstance(meta.get("artifact"), Artifact):
                self._artifacts[name] = meta["artifact"]
                self._outcomes[name] = UNREACHED
        self._progress = progress_on(self._stream, len(self._artifacts))

    def get_status(self, task: "Task") -> None:
        """Say nothing: doit is about to test whether the task is up to date."""

    def execute_task(self, task: "Task") -> None:
        """Show that a task started."""
        if task.name in self._artifacts:
            self._progress.begin(task.name)

    def add_success(self, task: "Task") -> None:
        """Note that a task was made."""
        self._settle(task, MADE)

    def skip_uptodate(self, task: "Task") -> None:
        """Note that there was nothing to do."""
        self._settle(task, FRESH)

    def skip_ignore(self, task: "Task") -> None:
        """Note that the user told doit to ignore the task."""
        self._settle(task, IGNORED)

    def add_failure(self, task: "Task", fail: BaseFail) -> None:
        """Note why a task failed; the traceback of a fault in a task's code goes to its log."""
        if isinstance(fail, UnmetDependency):
            self._settle(task, BLOCKED)
            return
        self._settle(task, FAILED)
        message = fail.message
        if fail.traceback:
            message = " ".join(fail.traceback[-1].split())
            with log_path(task.name).open("a") as log:
                log.writelines(fail.traceback)
        problem = f"failed: {task.name}: {message}"
        if task.executed and task.name in self._artifacts:
            problem += f"\n  log: {log_path(task.name)}"
        self._problems.append(problem)

    def cleanup_error(self, exception: BaseFail) -> None:
        """Note a failed teardown."""
        self._problems.append(f"failed: {exception.message}")

    def runtime_error(self, msg: str) -> None:
        """Note an error of doit itself."""
        self._problems.append(f"failed: {msg}")

    def teardown_task(self, task: "Task") -> None:
        """Say nothing: artifacts have no teardown."""

    def complete_run(self) -> None:
        """Print the tables, why what failed failed, and the summary."""
        self._progress.stop()
        for stage, names in self._stages().items():
            self._print_stage(stage, names)
        for problem in self._problems:
            self._stream.write(f"{problem}\n")
        if self._artifacts:
            self._stream.write(f"{self._summary()}\n")

    def _settle(self, task: "Task", outcome: str) -> None:
        """Note the outcome of an artifact; doit's groups have none."""
        if task.name in self._artifacts:
            self._outcomes[task.name] = outcome
            self._progress.end(task.name, outcome)

    def _stages(self) -> dict[Stage, list[str]]:
        """Group the artifacts that have a row in a table by its stage."""
        stages: dict[Stage, list[str]] = {}
        for name, spec in self._artifacts.items():
            if spec.stage is not None:
                stages.setdefault(spec.stage, []).append(name)
        return stages

    def _print_stage(self, stage: Stage, names: Sequence[str]) -> None:
        results = {name: self._result(name) for name in names}
        tables: dict[str, list[list[str]]] = {}
        for name, result in results.items():
            for title, row in self._rows(stage, name, result):
                tables.setdefault(title, []).append(row)
        columns = [column for column in stage.columns if column != stage.by]
        for title in sorted(tables):
            print_table(self._stream, title, columns, without_repeats(tables[title]))
        if stage.summary is not None:
            known = [result for result in results.values() if result is not None]
            self._stream.write(f"{stage.summary(known)}\n")

    def _result(self, name: str) -> Mapping[str, object] | None:
        """Return the content of an artifact's result file, None if this run has no good one."""
        result = self._artifacts[name].result
        if result is None or self._outcomes[name] not in {MADE, FRESH}:
            return None
        content: Mapping[str, object] = json.loads(Path(result).read_text())
        return content

    def _rows(
        self, stage: Stage, name: str, result: Mapping[str, object] | None
    ) -> Iterator[tuple[str, list[str]]]:
        """Yield the title of a table and a row for it; without a result, a row that says so."""
        item = name.partition(":")[2]
        if result is None:
            shown = len(stage.columns) - (2 if stage.by is None else 3)
            yield stage.name, [item, self._outcomes[name], *[""] * shown]
            return
        for cells in stage.rows(result):
            row = [item, *cells]
            title = stage.name if stage.by is None else row.pop(stage.columns.index(stage.by))
            yield title, row

    def _summary(self) -> str:
        """Count the outcomes: the two good ones always, the others where there are any."""
        counts = Counter(self._outcomes.values())
        bad = [each for each in (FAILED, BLOCKED, IGNORED, UNREACHED) if counts[each]]
        parts = [f"{counts[each]} {each}" for each in (MADE, FRESH, *bad)]
        total = len(self._artifacts)
        return f"{total} artifact{'' if total == 1 else 's'}: {', '.join(parts)}"


def without_repeats(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows with an item's name in its first row alone."""
    shown: list[list[str]] = []
    last = None
    for item, *cells in rows:
        shown.append(["" if item == last else item, *cells])
        last = item
    return shown


def _needed(tasks: "Mapping[str, Task]", selected: Iterable[str]) -> list[str]:
    """Return the selected tasks and all they depend on, in the order of dodo.py."""
    waiting = list(selected)
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [*tasks[name].task_dep, *tasks[name].setup_tasks]
    return [name for name in tasks if name in found]
