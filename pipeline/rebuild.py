"""Copies of a project, each rebuilt from nothing in an environment of its own."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.layout import BUILD
from pipeline.lifetime import sigterm_raises

ENVIRONMENTS: Mapping[str, Mapping[str, str]] = {
    "first": {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "JST-9"},
    "second copy": {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "NST3:30"},
}
"""The folder of each copy, one with a space in its name, and what differs when it is built."""


class GitError(Exception):
    """git cannot say which files belong to the project; the message is one line."""


@dataclass(frozen=True)
class Rebuild:
    """A copy and how its run of doit ended; `said` are the lines that it printed."""

    folder: Path
    status: int
    said: Sequence[str]


def published(paths: Sequence[str]) -> list[str]:
    """Return those of the paths that are committed, or would be: git does not ignore them.

    Raises GitError.
    """
    given = "".join(f"{path}\0" for path in paths)
    ignored = set(_git(["check-ignore", "-z", "--stdin"], given, good=(0, 1)))
    return [path for path in paths if path not in ignored]


def copy_project(target: Path) -> None:
    """Copy the files that git knows or would add, as a clone has them. Raises GitError."""
    listed = _git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], "", good=(0,))
    for name in listed:
        if Path(name).is_relative_to(BUILD) or not os.path.lexists(name):
            continue
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(name, place, follow_symlinks=False)


def rebuild(
    folders: Mapping[Path, Mapping[str, str]],
    arguments: Sequence[str],
    tell: Callable[[str], None],
) -> list[Rebuild]:
    """Run doit in all copies at once, one process each; `tell` gets each line when it is printed.

    The state of each copy is a file beside it, whatever dodo.py says, so that nothing is taken for
    done that was done elsewhere.
    """
    runs = [_start(folder, changes, arguments) for folder, changes in folders.items()]
    said: list[list[str]] = [[] for _ in runs]
    readers = [
        threading.Thread(target=_read, args=(run, lines, tell))
        for run, lines in zip(runs, said, strict=True)
    ]
    with sigterm_raises():
        try:
            for reader in readers:
                reader.start()
            for reader in readers:
                reader.join()
            return [
                Rebuild(folder, run.wait(), lines)
                for folder, run, lines in zip(folders, runs, said, strict=True)
            ]
        finally:
            for run in runs:
                run.terminate()
                run.wait()


def _start(
    folder: Path, changes: Mapping[str, str], arguments: Sequence[str]
) -> subprocess.Popen[str]:
    state = folder.with_name(f"{folder.name}.state")
    options = ["-n", "0", "--continue", "--db-file", str(state)]
    return subprocess.Popen(
        [sys.executable, "-m", "doit", "run", *options, *arguments],
        cwd=folder,
        env=os.environ | changes,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )


def _read(run: subprocess.Popen[str], lines: list[str], tell: Callable[[str], None]) -> None:
    """Collect what a run prints."""
    assert run.stdout is not None  # it is a pipe
    for line in run.stdout:
        lines.append(line.rstrip("\n"))
        tell(lines[-1])


def _git(arguments: Sequence[str], given: str, good: Sequence[int]) -> list[str]:
    """Return the names that git prints, each ended by a NUL."""
    try:
        done = subprocess.run(
            ["git", *arguments], input=given, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise GitError("git is not on PATH; install it with: apt-get install git") from error
    if done.returncode not in good:
        said = done.stderr.strip().splitlines()
        raise GitError(f"git {arguments[0]} failed: {said[-1] if said else done.returncode}")
    return done.stdout.split("\0")[:-1]
