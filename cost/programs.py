"""The programs of pipeline.yaml, as far as their cost is concerned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from cost.limits import Limit

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Program:
    """A source file, the lets to differentiate with respect to, and the print that is the loss.

    `limits` are those of pipeline.yaml; `listed` says that it is marked `cost: true` there.
    """

    name: str
    file: Path
    wrt: tuple[str, ...]
    loss: int = 0
    limits: tuple[Limit, ...] = ()
    listed: bool = False


def read_programs(settings: Path) -> list[Program]:
    """Return every program of a pipeline.yaml; their files are relative to its folder.

    A program of the book is read where the pipeline puts its excerpt. The file is taken to be
    valid: the pipeline says what is wrong with one that is not.
    """
    rows = yaml.safe_load(settings.read_text(encoding="utf-8"))["programs"]
    return [
        Program(
            row["name"],
            settings.parent / row.get("source", f"examples/{row['name']}.mg"),
            tuple(row["wrt"]),
            row.get("loss", 0),
            tuple(Limit(**limit) for limit in row.get("limits", ())),
            row.get("cost", False),
        )
        for row in rows
    ]
