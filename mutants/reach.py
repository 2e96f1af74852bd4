"""What a call of the original executes: a change elsewhere cannot change what comes of it.

A copy differs from the original in some segments of its text. The tool is deterministic, so a call
that begins none of them goes the same way in both, and need not be made of the copy. To know which
ones a call begins, the original is run from a copy of its own, which notes each.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar

from mutants.segments import Reading, changed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mutants.segments import Segment

_begun: set[int] = set()

note = _begun.add
"""What a marked copy calls with the number of a segment that it begins."""


class Rows(MutableMapping[object, object]):
    """A table of a marked copy: what reads a row begins the segment that is in it."""

    filling: ClassVar[int]
    """What is filled in now."""

    def __init__(self) -> None:
        """Start without rows."""
        self._rows: dict[object, tuple[int, object]] = {}

    def __getitem__(self, row: object) -> object:
        """Return what stands in a row; KeyError if it is not filled."""
        number, entry = self._rows[row]
        note(number)
        return entry

    def __setitem__(self, row: object, entry: object) -> None:
        """Fill a row."""
        self._rows[row] = self.filling, entry

    def __delitem__(self, row: object) -> None:
        """Refuse: no row is ever taken back."""
        raise NotImplementedError(row)

    def __iter__(self) -> Iterator[object]:
        """Yield all rows, which reads them."""
        for number, _ in self._rows.values():
            note(number)
        return iter(self._rows)

    def __len__(self) -> int:
        """Return how many rows are filled, which are as many in every copy that has the same."""
        return len(self._rows)


def fill(number: int) -> None:
    """Note which segment is filled in from now on."""
    Rows.filling = number


def begun() -> frozenset[int]:
    """Return the segments that were begun since this was last called."""
    found = frozenset(_begun)
    _begun.clear()
    return found


def mask(segments: Iterable[int]) -> int:
    """Return a number with a bit for each of the segments, which takes less memory than a set."""
    return reduce(or_, [1 << segment for segment in segments], 0)


@dataclass(frozen=True, slots=True)
class Text:
    """The Python files of a tool, by their paths in it, and their segments."""

    files: Mapping[str, bytes]
    segments: Mapping[str, tuple[Segment, ...]]
    _copies: Reading = field(default_factory=Reading)

    def changed_in(self, home: Path) -> set[int] | None:
        """Return the segments in which the files of a copy differ.

        None if it has other files, or one that is no Python.
        """
        others = python_files(home)
        if others.keys() != self.files.keys():
            return None
        found: set[int] = set()
        for name, content in others.items():
            if content == self.files[name]:
                continue
            try:
                segments = self._copies.segments(content)
            except SyntaxError:
                return None
            found |= changed(self.segments[name], segments)
        return found


@contextmanager
def marked(original: Path, home: Path) -> Iterator[tuple[Path, Text]]:
    """Write a marked copy of a tool for as long as it is needed; yield its folder and its text.

    `home` is the folder of the tool's Python files in the folder `original`, or that folder itself.
    """
    files = python_files(home)
    segments: dict[str, tuple[Segment, ...]] = {}
    reading = Reading()
    with TemporaryDirectory(prefix="marked-") as folder:
        copy = Path(folder) / home.relative_to(original)
        for name, content in files.items():
            segments[name], text = reading.marked(content)
            file = copy / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        yield Path(folder), Text(files, segments)


def python_files(home: Path) -> dict[str, bytes]:
    """Return the contents of the Python files below a folder, by their paths in it."""
    files = sorted(home.rglob("*.py"))
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in files}
