"""The programs that the checks are run on, and what they are differentiated with respect to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import yaml

from mgc.compile import read_source

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Program:
    """A row of pipeline.yaml: the source file, names of lets, and the print that is the loss."""

    name: str
    file: Path
    wrt: tuple[str, ...]
    loss: int = 0

    @property
    def source(self) -> str:
        """The text of the file; Diagnostic if it has none."""
        return _text(self.file, self.file.stat().st_mtime_ns)


@cache
def _text(file: Path, _written: int) -> str:
    return read_source(file)


def listed_programs(root: Path) -> list[Program]:
    """Return the programs of the pipeline.yaml in `root`, the top of the repository.

    A program of the book is read where the pipeline puts its excerpt. The file is taken to be
    valid: the pipeline says what is wrong with one that is not.
    """
    rows = yaml.safe_load((root / "pipeline.yaml").read_text(encoding="utf-8"))["programs"]
    return [
        Program(
            row["name"],
            root / row.get("source", f"examples/{row['name']}.mg"),
            tuple(row["wrt"]),
            row.get("loss", 0),
        )
        for row in rows
    ]
