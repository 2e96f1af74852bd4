"""A warm process that brings up copies: it has run all trials on the original, and then waits.

Whoever has one asks for the rows of folders, one after the other. It ends with whoever started it,
also where that one is killed.
"""

from __future__ import annotations

import gc
import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import TYPE_CHECKING

from checks.subject import ROOT
from checks.warmth import warm
from mutants.baseline import baseline_of
from mutants.run import failed_row, run_copy
from mutants.trials import CheckSuite

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from checks.programs import Program
    from mutants.matrix import Row
    from mutants.trial import Trial


class NurseryError(Exception):
    """The process is dead, or what it does failed; the message says which."""


@dataclass(frozen=True, slots=True)
class Grown:
    """What came of a copy, and the trials that it was put through."""

    row: Row
    trials: Sequence[Trial]


@dataclass(frozen=True, slots=True)
class _Failed:
    reason: str


class Nursery:
    """A warm process for the autograd of this repository, on these programs."""

    def __init__(self, programs: Sequence[Program]) -> None:
        """Start it; it goes on to run the trials on the original."""
        self._pipe, theirs = Pipe()
        self._pid = os.fork()
        if self._pid == 0:
            self._pipe.close()
            _live(theirs, programs)
        theirs.close()

    def grow(self, folder: Path) -> Grown:
        """Return what comes of the copy in a folder, as soon as it is known.

        NurseryError if the process fails or is dead. Of an original that does not pass its own
        trials every row says so.
        """
        try:
            self._pipe.send(folder)
            answer: Grown | _Failed = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise NurseryError("the process that runs copies died") from error
        if isinstance(answer, _Failed):
            raise NurseryError(answer.reason)
        return answer

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGTERM)
        os.waitpid(self._pid, 0)


def _live(pipe: Connection, programs: Sequence[Program]) -> None:
    """Run in the process, which must never come back to the stack of its parent."""
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _serve(pipe, programs)
    finally:
        os._exit(0)


def _serve(pipe: Connection, programs: Sequence[Program]) -> None:
    suite = CheckSuite(programs)
    with warm(), suppress(EOFError, OSError):
        baseline = baseline_of(suite, ROOT)
        gc.freeze()  # what a child does not touch need not be copied for it
        while True:
            folder: Path = pipe.recv()
            try:
                if baseline.failed:
                    row = failed_row(folder, baseline)
                else:
                    row = run_copy(folder, suite, baseline)
                pipe.send(Grown(row, list(baseline.trials)))
            except Exception as error:  # noqa: BLE001 - told to whoever asked
                pipe.send(_Failed(f"{type(error).__name__}: {error}"))
