"""The trials that the checks of this repository make, and how one is run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol, cast

from checks.catalogue import CHECKS, checks_of, items, run_check
from checks.check import Draw
from checks.comparison import first_error_settles
from checks.subject import ROOT, Subject, WrongSubject
from mutants.copies import MANIFEST, PACKAGE, files_hash, tree_hash
from mutants.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from checks.programs import Program
    from checks.verdict import Verdict
    from mutants.reuse import Staged

JUDGING = ("checks", "ground_truth", "mgc")
"""The folders of what leads from answers to a verdict."""

DRAW = Draw(examples=20)
"""Fewer random programs than the checks draw of the original: whatever these few catch, more
would catch too, and a program costs each of a hundred copies as much as the original."""


class Suite(Protocol):
    """All that is known here of the checks."""

    @property
    def trials(self) -> Sequence[Trial]:
        """All trials, in the order in which they are run."""
        ...

    @property
    def version(self) -> str:
        """What changes when a verdict on the same answers might."""
        ...

    def home(self, folder: Path) -> Path:
        """Return where in a folder the Python files of its autograd package are."""
        ...

    def load(self, folder: Path) -> Staged:
        """Load the autograd package in a folder; WrongSubject if it is not that one."""
        ...

    def run(self, trial: Trial, subject: object) -> Verdict | None:
        """Return the verdict, or None where the check does not apply to the item."""
        ...


class CheckSuite:
    """The checks of this repository, on these programs."""

    def __init__(self, programs: Sequence[Program]) -> None:
        """List the trials, those of a check by the size of the programs.

        What a small program can show need not be shown by a large one, which takes longer. The
        items that checks bring themselves have the smallest programs of all.
        """
        self._programs = programs
        self.version = _version(programs)
        self._checks = {check.id: check for check in CHECKS}
        sizes = {program.name: len(program.source) for program in programs}
        self.trials = [
            Trial(check.id, item, check.group, check.title)
            for item in sorted(items(programs), key=lambda item: sizes.get(item, 0))
            for check in checks_of(item)
        ]

    def home(self, folder: Path) -> Path:
        """Return where in a folder the Python files of its autograd package are."""
        return folder / PACKAGE

    def load(self, folder: Path) -> Staged:
        """Load the autograd package in a folder; a copy must be what its manifest says."""
        manifest = folder / MANIFEST
        if manifest.exists():
            wanted = json.loads(manifest.read_text(encoding="utf-8"))["copy_hash"]
            if tree_hash(folder / PACKAGE) != wanted:
                raise WrongSubject(f"{folder / PACKAGE} is not what {MANIFEST} says it is")
        return Subject(folder)

    def run(self, trial: Trial, subject: object) -> Verdict | None:
        """Return the verdict, or None where the check does not apply to the item."""
        check = self._checks[trial.check]
        with first_error_settles():
            return run_check(check, trial.item, self._programs, cast("Subject", subject), DRAW)


def files_of(folders: Iterable[str]) -> list[Path]:
    """Return the files of folders of this repository that are code, or what code reads."""
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.*")]
    return [file for file in files if file.suffix in (".py", ".json")]


def _version(programs: Sequence[Program]) -> str:
    judging = {str(each): each.read_bytes() for each in files_of(JUDGING)}
    return files_hash(judging | {each.name: each.source.encode() for each in programs})
