"""What the warm process does: it runs all trials on the original, then copies for whoever asks."""

from __future__ import annotations

import gc
import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import TYPE_CHECKING

from checks.subject import ROOT
from checks.warmth import warm
from mutants.baseline import baseline_of, crashed
from mutants.run import failed_row, run_copy
from mutants.trials import CheckSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from socket import socket
    from typing import NoReturn

    from checks.programs import Program
    from mutants.baseline import Baseline
    from mutants.matrix import Cell, Row
    from mutants.trial import Trial

    Lock = Callable[[], AbstractContextManager[object]]
    """Held while somebody joins."""

PATIENCE_SECONDS = 60
"""How long nobody may come who has not come yet: whoever started the process was killed then."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The trials that the original was put through, and the cells of those that it failed."""

    trials: Sequence[Trial]
    failed: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Grown:
    """What came of a copy, and the trials that it was put through."""

    row: Row
    trials: Sequence[Trial]


@dataclass(frozen=True, slots=True)
class Failed:
    """A row could not be made."""

    reason: str


Answer = Shown | Grown | Failed


def live(listener: socket, programs: Sequence[Program], lock: Lock) -> NoReturn:
    """Run in the process, which must never come back to the stack of its parent."""
    address = Path(listener.getsockname())

    def leave(*_: object) -> NoReturn:
        # Nothing is raised: a trial that is under way would take it for its own failure.
        with suppress(OSError):
            address.unlink()
            address.parent.rmdir()
        os._exit(0)

    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, leave)
        _serve(listener, programs, lock)
    except Exception as error:  # noqa: BLE001 - told to whoever has joined
        _disappoint(listener, crashed(error).detail, lock)
    finally:
        leave()


def _disappoint(listener: socket, reason: str, lock: Lock) -> None:
    """Tell all who have joined why the original cannot be run; nobody joins from then on."""
    joined: list[Connection] = []
    with lock():
        while wait([listener], 0):
            client, _ = listener.accept()
            joined.append(Connection(client.detach()))
        listener.close()
    for client in joined:
        with suppress(EOFError, OSError):
            client.recv()  # who has not asked yet would not be told, if this end were closed
            client.send(Failed(f"the original cannot be run: {reason}"))


def _serve(listener: socket, programs: Sequence[Program], lock: Lock) -> None:
    suite = CheckSuite(programs)
    with warm():
        baseline = baseline_of(suite, ROOT)
        gc.freeze()  # what a child does not touch need not be copied for it
        clients: dict[Connection, int] = {}
        patience: float | None = PATIENCE_SECONDS
        while True:
            ready = wait([listener, *clients], patience)
            if listener in ready:
                end, pid = _taken_on(listener, suite, baseline)
                clients[end] = pid
            for end in [each for each in clients if each in ready]:
                os.waitpid(clients.pop(end), 0)
                end.close()
            patience = None
            if not clients:
                with lock():  # whoever joins meanwhile finds that nobody listens any more
                    if not wait([listener], 0):
                        listener.close()
                        return


def _taken_on(listener: socket, suite: CheckSuite, baseline: Baseline) -> tuple[Connection, int]:
    """Fork a process for the next who joins; return the end of a pipe that ends with it."""
    client, _ = listener.accept()
    ours, theirs = Pipe(duplex=False)
    pid = os.fork()
    if pid == 0:
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            listener.close()
            ours.close()
            _answer(Connection(client.detach()), suite, baseline)
        finally:
            os._exit(0)
    client.close()
    theirs.close()
    return ours, pid


def _answer(client: Connection, suite: CheckSuite, baseline: Baseline) -> None:
    """Answer one of those who joined, until it is gone."""
    with suppress(EOFError, OSError):
        while True:
            client.send(_answer_to(client.recv(), suite, baseline))


def _answer_to(folder: Path | None, suite: CheckSuite, baseline: Baseline) -> Answer:
    """Return the row of the copy in a folder, or what the original showed where there is none."""
    if folder is None:
        return Shown(list(baseline.trials), dict(baseline.failed))
    try:
        row = failed_row(folder, baseline) if baseline.failed else run_copy(folder, suite, baseline)
    except Exception as error:  # noqa: BLE001 - told to whoever asked
        return Failed(f"{type(error).__name__}: {error}")
    return Grown(row, list(baseline.trials))
