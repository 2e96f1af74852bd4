"""The three chapter programs as files of the repository."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

from ground_truth import attention, layer_norm, transformer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Chapter:
    """A program: where it is, from the top of the repository, and what writes its text."""

    path: str
    program: Callable[[], str]


CHAPTERS = {
    name: Chapter(f"examples/chapters/{name}.mg", program)
    for name, program in (
        ("ch33_attention", attention.program),
        ("ch34_layer_norm", layer_norm.program),
        ("ch35_transformer", transformer.program),
    )
}


def write(root: Path) -> None:
    """Write every chapter program under `root`, the top of the repository."""
    for chapter in CHAPTERS.values():
        path = root / chapter.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(chapter.program(), encoding="utf-8", newline="\n")


def staleness(root: Path) -> str:
    """Return a diff from the files under `root` to what `write` would write; empty if none."""
    differences: list[str] = []
    for chapter in CHAPTERS.values():
        path = root / chapter.path
        # Bytes: a line end that is not the generator's is a difference too.
        found = path.read_bytes().decode("utf-8") if path.exists() else ""
        differences += unified_diff(
            found.splitlines(keepends=True),
            chapter.program().splitlines(keepends=True),
            chapter.path,
            f"{chapter.path} (generated)",
        )
    return "".join(differences)
