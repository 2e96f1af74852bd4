"""`doit verify`: rebuild what is committed twice, elsewhere, and compare the bytes."""

import re
import shlex
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pipeline.commands.command import PluginCommand
from pipeline.differences import difference
from pipeline.progress import LineProgress, Progress, progress_on
from pipeline.rebuild import ENVIRONMENTS, GitError, Rebuild, copy_project, published, rebuild
from pipeline.selection import Selection, artifact_of, needed, select

GOOD, DIFFERENT, MACHINERY = 0, 1, 2
SETTLED = re.compile(r"(made|failed|blocked)  (\S+)  ")
HIDDEN_CAUSE = (
    "Two rebuilds from the same files differ, in: the folder's path, PYTHONHASHSEED, LC_ALL, TZ,"
    " or the time."
)


@dataclass(frozen=True)
class Change:
    """A committed file that differs: its artifact, where it first differs, and the diff."""

    task: str
    path: str
    where: str
    diff: str


class Verify(PluginCommand):
    """The command; nothing in the project's folder changes."""

    name = "verify"
    doc_purpose = "rebuild what is committed twice, in copies, and compare the bytes"
    doc_usage = "[TASK/TARGET...]"
    doc_description = (
        "Committed is what git does not ignore. The copies differ in their path, the seed of"
        " hashes, the locale and the time zone. Exit status 1 says that bytes differ."
    )

    def _execute(  # pyright: ignore[reportIncompatibleMethodOverride] - doit looks at the names
        self,
        dodoFile: str,  # noqa: N803 - and passes the option of that name
    ) -> int:
        selection = select(self.task_list, self.sel_tasks)
        try:
            targets = _committed_targets(selection)
            if not targets:
                self.outstream.write("nothing to verify: no target is committed\n")
                return GOOD
            with tempfile.TemporaryDirectory(prefix="verify-") as folder:
                return self._verify(selection, targets, Path(folder), Path(dodoFile).name)
        except GitError as error:
            sys.stderr.write(f"{error}\n")
            return MACHINERY

    def _verify(
        self, selection: Selection, targets: Mapping[str, str], folder: Path, dodo: str
    ) -> int:
        """Rebuild the targets, each of which has the name of its task, and report."""
        names = list(dict.fromkeys(targets.values()))
        copies = {folder / name: changes for name, changes in ENVIRONMENTS.items()}
        for copy in copies:
            copy_project(copy)
        artifacts = [
            name
            for name in needed(selection.tasks, names)
            if artifact_of(selection.tasks[name]) is not None
        ]
        progress = progress_on(self.outstream, len(copies) * len(artifacts))
        runs = rebuild(copies, ["-f", dodo, *names], _teller(self.outstream, progress))
        progress.stop()
        broken = [run for run in runs if run.status]
        if broken:
            self.outstream.write(_failure(broken[0]))
            return MACHINERY
        first, second = copies
        unstable = _changes(targets, first, second, ("first rebuild", "second rebuild"))
        changed = _changes(targets, Path(), first, ("committed", "rebuilt"))
        if not unstable and not changed:
            self.outstream.write(
                f"{len(targets)} committed files of {len(names)} artifacts: rebuilt twice, the same"
                " bytes\n"
            )
            return GOOD
        fix = HIDDEN_CAUSE if unstable else self._update(selection, changed)
        self.outstream.write(_report(unstable or changed, len(targets), fix))
        return DIFFERENT

    def _update(self, selection: Selection, changes: Sequence[Change]) -> str:
        """Return how to update; where doit sees nothing to do, it has to forget."""
        names = list(dict.fromkeys(change.task for change in changes))
        update = f"doit {shlex.join(names)}"
        settled = [name for name in names if self._is_up_to_date(selection, name)]
        if not settled:
            return f"To update: {update}"
        return (
            f"doit takes {' '.join(settled)} for up to date, so there is a dependency that is not"
            f" declared. To update: doit forget {shlex.join(settled)} && {update}"
        )

    def _is_up_to_date(self, selection: Selection, name: str) -> bool:
        """Say whether doit sees nothing to do for a task and for all that it needs."""
        tasks = [selection.tasks[each] for each in needed(selection.tasks, [name])]
        statuses = [
            self.state.get_status(task, selection.tasks).status for task in tasks if task.actions
        ]
        return set(statuses) == {"up-to-date"}


def _committed_targets(selection: Selection) -> dict[str, str]:
    """Map each committed target of the selected artifacts to the name of its task."""
    makers = {
        target: task.name
        for task in selection.needed()
        if artifact_of(task) is not None
        for target in task.targets
    }
    return {path: makers[path] for path in published(list(makers))}


def _teller(stream: TextIO, progress: Progress) -> Callable[[str], None]:
    """Return what turns the lines of both runs into progress; each run has its own thread."""
    lock = threading.Lock()

    def tell(line: str) -> None:
        settled = SETTLED.match(line)
        if settled is None:
            return
        with lock:
            if isinstance(progress, LineProgress):
                stream.write(f"{line}\n")  # with the seconds that the run measured
                return
            progress.begin(settled[2])
            progress.end(settled[2], settled[1])

    return tell


def _changes(
    targets: Mapping[str, str], old: Path, new: Path, names: tuple[str, str]
) -> list[Change]:
    """Return the targets whose bytes differ between two folders, in the order of dodo.py."""
    changes: list[Change] = []
    for path, task in targets.items():
        found = difference(old / path, new / path, *(f"{path} ({name})" for name in names))
        if found is not None:
            changes.append(Change(task, path, found.where, found.diff))
    return changes


def _report(changes: Sequence[Change], total: int, fix: str) -> str:
    """Return the diff of the first difference, the names of the others, and what to do."""
    first, *others = changes
    lines = [first.diff, "", f"{first.task}: {first.path} differs {first.where}"]
    lines += [f"{each.task}: {each.path} differs too" for each in others]
    lines.append(f"{len(changes)} of {total} committed files differ. {fix}")
    return "\n".join(lines) + "\n"


def _failure(run: Rebuild) -> str:
    """Return why a copy could not be rebuilt, in doit's words about its own failure."""
    failed = [line for line in run.said if line.startswith("failed: ")] or list(run.said[-5:])
    lines = "\n".join(failed)
    return f"The copy in {run.folder.name!r} could not be rebuilt (doit: {run.status}).\n{lines}\n"
