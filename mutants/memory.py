"""What earlier runs of a copy led to: the same answers to the same calls, the same verdict.

After a rule of autograd was edited every copy has to be asked again. Where a copy answers a trial's
calls as it did before, the trial need not be run. Kept are the calls, as far as the original is not
asked them too, and digests of the answers; what the verdicts depend on besides is the `version`.
"""

from __future__ import annotations

import os
import pickle
import zlib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from mutants.matrix import Cell, Outcome
from mutants.meaning import digest
from mutants.reuse import RAISED, Answered, Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mutants.reuse import Key, Recorder

_LEVEL = 1
"""Of compression: programs shrink tenfold by the least of it."""


@dataclass(slots=True)
class _Content:
    """What a file holds; calls are named by digests of their keys, with those of the answers."""

    version: str
    calls: dict[str, Call] = field(default_factory=dict[str, Call])
    trials: dict[str, tuple[list[tuple[str, str]], Cell]] = field(
        default_factory=dict[str, tuple[list[tuple[str, str]], Cell]]
    )


class Memory:
    """The memory of one copy, in a file; `known` are the calls that the original is asked."""

    def __init__(self, path: Path, version: str, known: Mapping[str, Call]) -> None:
        """Read the file; one of another version, or a damaged one, holds nothing."""
        self._path = path
        self._known = known
        self._old = _read(path, version)
        self._new = _Content(version)

    def find(self, trial: str, recorder: Recorder) -> Cell | None:
        """Return the verdict of a trial whose calls are answered as they were, None if not."""
        if trial not in self._old.trials:
            return None
        answered, cell = self._old.trials[trial]
        calls = [Answered(self._call(call), answer) for call, answer in answered]
        if not recorder.repeats(calls):
            return None
        self.note(trial, calls, cell)
        return cell

    def note(self, trial: str, calls: Sequence[Answered], cell: Cell) -> None:
        """Keep a verdict, but none of a crash, which may have had other causes than the answers."""
        crashed = cell.outcome in (Outcome.CRASH, Outcome.TIMEOUT)
        if crashed or any(each.digest == RAISED for each in calls):
            return
        answered: list[tuple[str, str]] = []
        for each in calls:
            name = call_digest(each.call)
            if name not in self._known:
                self._new.calls[name] = each.call
            answered.append((name, each.digest))
        self._new.trials[trial] = answered, cell

    def save(self) -> None:
        """Write the file, in one step."""
        fresh = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        fresh.write_bytes(zlib.compress(pickle.dumps(self._new), _LEVEL))
        fresh.replace(self._path)

    def _call(self, name: str) -> Call:
        return self._known[name] if name in self._known else self._old.calls[name]


def call_digest(call: Call) -> str:
    """Return a short name for a call; those of the original's calls are made before any copy."""
    return _key_digest(call.key)


@cache
def _key_digest(key: Key) -> str:
    return digest(repr(key).encode("utf-8", "surrogatepass"))


def _read(path: Path, version: str) -> _Content:
    try:
        content = pickle.loads(zlib.decompress(path.read_bytes()))  # noqa: S301 - our own file
    except (OSError, zlib.error, pickle.UnpicklingError, AttributeError, EOFError):
        return _Content(version)
    if isinstance(content, _Content) and content.version == version:
        return content
    return _Content(version)
