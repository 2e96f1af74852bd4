"""Real copies of the autograd package, each with one mutant in it."""

from __future__ import annotations

import difflib
import json
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mutants.meaning import digest, meaning
from mutants.pattern import mutated
from mutants.spec import Mutant, MutantError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PACKAGE = "autograd"
DIFF = "mutant.diff"
MANIFEST = "manifest.json"

READ_ONLY = 0o444
"""The mode of the files of a copy."""

Files = dict[str, bytes]
"""The content of the files of a package, by path relative to it."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A mutant and what its copy of the package holds."""

    mutant: Mutant
    original: Files
    changed: bytes

    @property
    def files(self) -> Files:
        """What the copy holds."""
        return {**self.original, self.mutant.file: self.changed}

    @property
    def diff(self) -> str:
        """The unified diff from the original, with paths from the folder of the package."""
        name = f"{PACKAGE}/{self.mutant.file}"
        before = self.original[self.mutant.file].decode().splitlines(keepends=True)
        after = self.changed.decode().splitlines(keepends=True)
        return "".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"))

    @property
    def ast_hash(self) -> str:
        """A hash of what the copy means, by its syntax trees without comments and docstrings."""
        return files_ast_hash(self.files)

    @property
    def manifest(self) -> dict[str, str]:
        """What is written beside the copy, so that a run can prove what it has loaded."""
        return {
            "id": self.mutant.id,
            "title": self.mutant.title,
            "kind": self.mutant.kind,
            "base_hash": files_hash(self.original),
            "copy_hash": files_hash(self.files),
            "ast_hash": self.ast_hash,
        }


def write_copy(mutant: Mutant, original: Path, folder: Path) -> None:
    """Write a whole, read-only copy of a package with a mutant in it, its diff and its manifest.

    `original` is the package, `folder` where the copy comes to stand as `autograd`, in the place
    of whatever is there. It is either not there or complete. MutantError if the mutant does not
    apply, or changes nothing.
    """
    copy = copy_of(mutant, read_package(original))
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}")
    old = fresh.with_name(f"{fresh.name}.old")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        for inner in sorted({Path(name).parent for name in copy.files}):
            (fresh / PACKAGE / inner).mkdir(parents=True)
        for name, content in copy.files.items():
            _write(fresh / PACKAGE / name, content)
        _write(fresh / DIFF, copy.diff.encode())
        _write(fresh / MANIFEST, (json.dumps(copy.manifest, indent=2) + "\n").encode())
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    finally:
        for left in (fresh, old):
            shutil.rmtree(left, ignore_errors=True)


def copy_of(mutant: Mutant, original: Files) -> Copy:
    """Return the copy of a package that a mutant makes; MutantError if it makes none.

    A mutant that changes nothing but comments and docstrings is an error unless it is harmless.
    """
    if mutant.file not in original:
        raise MutantError(f"{mutant.id}: the package has no {mutant.file}")
    copy = Copy(mutant, original, mutated(original[mutant.file], mutant))
    if copy.changed == original[mutant.file]:
        raise MutantError(f"{mutant.id}: the copy is the same as the original")
    if mutant.kind != "harmless" and meaning(copy.changed) == meaning(original[mutant.file]):
        raise MutantError(f"{mutant.id}: the copy means the same as the original")
    return copy


def distinct_copies(mutants: Iterable[Mutant], original: Files) -> list[Copy]:
    """Return the copies that mutants make; MutantError if two have an id or a meaning in common.

    Harmless ones may mean the same as each other, as they may mean the same as the original.
    """
    copies = [copy_of(mutant, original) for mutant in mutants]
    ids: set[str] = set()
    meanings: dict[str, str] = {}
    for copy in copies:
        mutant = copy.mutant
        if mutant.id in ids:
            raise MutantError(f"{mutant.id}: another mutant has this id")
        ids.add(mutant.id)
        if mutant.kind == "harmless":
            continue
        known = meanings.setdefault(f"{mutant.file} {meaning(copy.changed)}", mutant.id)
        if known != mutant.id:
            raise MutantError(f"{mutant.id}: the copy means the same as that of {known}")
    return copies


def read_package(folder: Path) -> Files:
    """Return the files of a package; compiled ones are not part of it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    if "__init__.py" not in files:
        raise MutantError(f"there is no package in {folder}")
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if "__pycache__" not in Path(name).parts
    }


def tree_hash(folder: Path) -> str:
    """Return a hash of the files of a package, by their names and content, wherever it is."""
    return files_hash(read_package(folder))


def files_hash(files: Mapping[str, bytes]) -> str:
    """Return the hash of names and contents."""
    lines = [f"{name} {digest(content)}" for name, content in sorted(files.items())]
    return digest("\n".join(lines).encode())


def files_ast_hash(files: Mapping[str, bytes]) -> str:
    """Return the hash of names and of what the Python files mean."""
    lines = [
        f"{name} {meaning(content) if name.endswith('.py') else digest(content)}"
        for name, content in sorted(files.items())
    ]
    return digest("\n".join(lines).encode())


@contextmanager
def prove_unchanged(folder: Path) -> Iterator[str]:
    """Give the hash of a package, and prove afterwards, however it ended, that it is the same.

    MutantError if it is not.
    """
    before = tree_hash(folder)
    try:
        yield before
    finally:
        if tree_hash(folder) != before:
            raise MutantError(f"the original in {folder} was changed while its copies were tested")


def _write(path: Path, content: bytes) -> None:
    """Write a file that nobody is to write to afterwards."""
    path.write_bytes(content)
    path.chmod(READ_ONLY)
