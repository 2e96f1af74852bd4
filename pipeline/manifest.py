"""Removing what nothing makes any more, and nothing else.

The manifest is the table `made` of doit's database: every path that was ever written as a target,
the task that wrote it last and the digest of what it wrote.
"""

import glob
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from doit.task import Task

from pipeline.digest import file_digest
from pipeline.layout import LOGS


@dataclass(frozen=True)
class Pruned:
    """The paths that were removed, and those that were kept because they have been edited."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Yield what to tell the user; nothing if nothing was to be done."""
        for path in self.removed:
            yield f"removed: {path}, which nothing makes any more"
        if self.kept:
            paths = ", ".join(self.kept)
            yield f"kept: {paths}; nothing makes it any more, but it was edited: remove it yourself"


def prune(database: str, tasks: Collection[Task], owned: Sequence[str]) -> Pruned:
    """Remove the files that earlier runs made and no task makes now; call it after a run.

    `database` is doit's, closed; `tasks` are all there are, not only those of this run, else the
    files of the others would go. A path outside the `owned` folders, or read or made by a task, is
    never touched. Logs of artifacts that are gone go too. Raises OSError where a file may not be
    removed.
    """
    names = {task.name for task in tasks}
    inputs = {path for task in tasks for path in task.file_dep}
    targets = {path for task in tasks for path in task.targets}
    roots = [Path(folder).resolve() for folder in owned]
    removed: list[str] = []
    kept: list[str] = []
    with closing(sqlite3.connect(database)) as connection:
        made = connection.execute("select path, task, digest from made").fetchall()
        for path, _, digest in made:
            if path in targets or not _is_inside(Path(path), roots):
                continue
            if path not in inputs and _is_there(path):
                if not _is_as_made(path, digest):
                    kept.append(path)
                    continue
                _remove(Path(path), roots)
                removed.append(path)
            # An input is the user's from now on, whatever becomes of it.
            connection.execute("delete from made where path = ?", [path])
        gone = {task for _, task, _ in made} - names
        connection.executemany("delete from doit where task_id = ?", [(task,) for task in gone])
        connection.commit()
    _remove_logs(names)
    return Pruned(tuple(removed), tuple(kept))


def _is_inside(path: Path, roots: Iterable[Path]) -> bool:
    """Tell whether a file is in one of the folders, and is not by way of a link elsewhere."""
    folder = path.parent.resolve()
    return any(folder.is_relative_to(root) for root in roots)


def _is_there(path: str) -> bool:
    return os.path.lexists(path)


def _is_as_made(path: str, digest: str) -> bool:
    """Tell whether nobody has changed a file, or put something else in its place."""
    return Path(path).is_file() and not Path(path).is_symlink() and file_digest(path) == digest


def _remove(path: Path, roots: Collection[Path]) -> None:
    """Remove a file, and the folders that it leaves empty, but never the roots."""
    path.unlink()
    for folder in path.parents:
        if folder.resolve() in roots:
            return
        try:
            folder.rmdir()
        except OSError:  # it is not empty
            return


def _remove_logs(current: Collection[str]) -> None:
    """Remove the logs of artifacts that are gone; theirs alone are in folders."""
    for log in glob.iglob(f"{LOGS}/*/*.log"):  # noqa: PTH207 - a Path each costs ten times more
        group, item = log.removesuffix(".log").split("/")[-2:]
        if f"{group}:{item}" not in current:
            _remove(Path(log), [LOGS.resolve()])
