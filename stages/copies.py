"""The copies of autograd: one without a change, and one for each mutant."""

import json
import shutil
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, cast

from mutants.spec import Mutant, MutantError
from pipeline.errors import MakeError
from pipeline.layout import BUILD
from pipeline.spec import Artifact, Job

PACKAGE = "autograd"
FOLDER = BUILD / "mutants"
ORIGINAL = str(FOLDER / "original.txt")
PRISTINE = FOLDER / "original" / PACKAGE
"""A copy of autograd without a change, which the others have their unchanged files from."""

DIFF, MANIFEST, MEANING = "mutant.diff", "manifest.json", "meaning.txt"
"""Beside a copy. The meaning is a hash: a comment changes the copy and not that, and so no row."""

COPYING = tuple(
    f"mutants/{each}.py"
    for each in ("copies", "matching", "meaning", "pattern", "scope", "splice", "tree")
)
"""What makes a copy of a mutant; a test compares with what that imports."""


@cache
def sources() -> tuple[str, ...]:
    """Return the files of autograd, relative to its folder."""
    files = (file.relative_to(PACKAGE).as_posix() for file in Path(PACKAGE).rglob("*.py"))
    return tuple(sorted(files))


def original() -> Artifact:
    """Copy autograd as it is; its hash stands for all of its files where a copy depends on them."""
    return Artifact(
        name="basis:original",
        doc=f"Copy {PACKAGE} to {PRISTINE}, and write its hash to {ORIGINAL}.",
        make=write_original,
        inputs=tuple(f"{PACKAGE}/{name}" for name in sources()),
        targets=(ORIGINAL, *(f"{PRISTINE}/{name}" for name in sources())),
        code=COPYING,
    )


def copy(mutant: Mutant) -> Artifact:
    """Write a copy of autograd with one thing wrong, its diff and its manifest."""
    folder = f"{FOLDER}/{mutant.id}"  # a Path of each file would take longer than all else here
    files = [f"{PACKAGE}/{name}" for name in sources()]
    return Artifact(
        name=f"copy:{mutant.id}",
        doc=f"Copy {PACKAGE} to {folder} with this change: {mutant.title}.",
        make=write_copy,
        inputs=(ORIGINAL,),
        targets=tuple(f"{folder}/{name}" for name in (*files, DIFF, MANIFEST, MEANING)),
        code=COPYING,
        config={"mutant": asdict(mutant)},
    )


def write_original(job: Job) -> None:
    """Make the targets of `original`; nobody is to write to the files, which others share."""
    # None of it is of use to doit itself.
    from mutants.copies import READ_ONLY, files_hash, read_package  # noqa: PLC0415

    files = read_package(Path(PACKAGE))
    name_of_state, *places = job.targets
    name_of_state.write_text(f"{files_hash(files)}\n")
    for name, place in zip(sources(), places, strict=True):
        place.write_bytes(files[name])
        place.chmod(READ_ONLY)


def write_copy(job: Job) -> None:
    """Make the targets of `copy`.

    Its unchanged files are links to those of the copy without a change, of which there would be
    thousands, and a link is made more quickly than a file.
    """
    from mutants.copies import READ_ONLY, copy_of, files_hash, read_package  # noqa: PLC0415

    mutant = Mutant(**cast("dict[str, Any]", job.config["mutant"]))
    files = read_package(PRISTINE)
    if files_hash(files) != Path(job.inputs[0]).read_text().strip():
        raise MakeError(f"{PRISTINE} has changed since this run began; run doit again")
    try:
        made = copy_of(mutant, files)
    except MutantError as error:
        raise MakeError(str(error)) from error
    *places, diff, manifest, meaning = job.targets
    for name, place in zip(sources(), places, strict=True):
        if name != mutant.file:
            _link(PRISTINE / name, place)
            continue
        place.write_bytes(made.changed)
        place.chmod(READ_ONLY)
    diff.write_text(made.diff)
    manifest.write_text(f"{json.dumps(made.manifest, indent=2)}\n")
    meaning.write_text(f"{made.ast_hash}\n")


def _link(file: Path, place: Path) -> None:
    """Let a file be at another place too."""
    try:
        place.hardlink_to(file)
    except OSError:  # of a file system that has no such links
        shutil.copy(file, place)
