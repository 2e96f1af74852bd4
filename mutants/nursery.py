"""A warm process that brings up copies: it has run all trials on the original, and then waits.

All processes of a run share one: who needs it first starts it. Each asks it for the rows of
folders, one after the other. It ends when the last of them has, also where they are killed.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Client
from socket import AF_UNIX, SOCK_STREAM, socket
from typing import TYPE_CHECKING

from mutants.meaning import digest
from mutants.serving import Failed, Grown, Shown, live
from mutants.trials import JUDGING, files_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path
    from typing import TextIO

    from checks.programs import Program
    from mutants.serving import Answer

NOTE = "nursery"
"""The file that says where the process listens, and what it has loaded."""

LOADED = (*JUDGING, "autograd", "mutants")
"""The folders of what the process has in memory: one of another state of them is not joined."""


class NurseryError(Exception):
    """The process is dead, or what it does failed; the message says which."""


@dataclass(frozen=True, slots=True)
class _Note:
    """What the file holds: the process has loaded this state, and listens there."""

    state: str
    address: str


class Nursery:
    """A connection to the warm process for the autograd of this repository, on these programs."""

    def __init__(self, programs: Sequence[Program], folder: Path) -> None:
        """Join the process that is noted in a folder, or start one, which begins to get warm."""
        folder.mkdir(parents=True, exist_ok=True)
        state = _state(programs)
        with _locked(folder / NOTE) as file:
            note = _read(file)
            connection = _joined(note.address) if note.state == state else None
            if connection is None:
                note = _Note(state, _started(programs, folder / NOTE))
                _write(file, note)
                connection = _joined(note.address)
        if connection is None:
            raise NurseryError("the process that runs copies died when it was started")
        self._connection = connection

    def grow(self, folder: Path) -> Grown:
        """Return what comes of the copy in a folder, as soon as it is known.

        NurseryError if the process fails or is dead. Of an original that does not pass its own
        trials every row says so.
        """
        answer = self._answer(folder)
        assert isinstance(answer, Grown)
        return answer

    def original(self) -> Shown:
        """Return what the trials of the original showed; NurseryError as for a copy."""
        answer = self._answer(None)
        assert isinstance(answer, Shown)
        return answer

    def close(self) -> None:
        """Leave the process, which ends if nobody else is there."""
        self._connection.close()

    def _answer(self, request: Path | None) -> Answer:
        try:
            self._connection.send(request)
            answer: Answer = self._connection.recv()
        except (EOFError, OSError) as error:
            raise NurseryError("the process that runs copies died") from error
        if isinstance(answer, Failed):
            raise NurseryError(answer.reason)
        return answer


def _state(programs: Sequence[Program]) -> str:
    """Return a digest of what a process for these programs has loaded, by the times of the files.

    If those who ask are killed the process outlives them by some seconds. A file that is changed
    meanwhile has another time.
    """
    files = [*files_of(LOADED), *(program.file for program in programs)]
    lines = [f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}" for file in sorted(files)]
    return digest("\n".join([*lines, *map(repr, programs)]).encode())


@contextmanager
def _locked(path: Path) -> Iterator[TextIO]:
    """Open a file that nobody else has open in this way."""
    with path.open("a+", encoding="utf-8") as file:
        # A lock of this process alone: one that is forked meanwhile does not hold it.
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield file


def _read(file: TextIO) -> _Note:
    file.seek(0)
    state, _, address = file.read().partition("\n")
    return _Note(state, address)


def _write(file: TextIO, note: _Note) -> None:
    file.truncate(0)
    file.write(f"{note.state}\n{note.address}")
    file.flush()


def _joined(address: str) -> Connection | None:
    """Connect with the process that listens at an address, None if there is none."""
    try:
        return Client(address, "AF_UNIX")
    except OSError:
        return None


def _started(programs: Sequence[Program], note: Path) -> str:
    """Start a process and return the address at which it listens."""
    folder = tempfile.mkdtemp(prefix="nursery-")  # a path that is short enough for a socket
    address = f"{folder}/socket"
    with socket(AF_UNIX, SOCK_STREAM) as listener:
        listener.bind(address)
        listener.listen()
        if os.fork() == 0:
            live(listener, programs, lambda: _locked(note))
    return address
