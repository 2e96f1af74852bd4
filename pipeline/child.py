"""Work that might take its process down with it, done in a forked child."""

import os
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pipeline.errors import MakeError
from pipeline.lifetime import killed_with_this_process, sigterm_raises

STEP_SECONDS = 0.005
DONE, RAISED = 0, 1


def in_child(work: Callable[[], None], log: Path, timeout: float) -> None:
    """Call a function in a child process; what it leaves behind are the files it writes.

    What is loaded already need not be loaded again, which is what makes this quick. Raises
    MakeError if the function raises (the traceback goes to the log), if a signal kills the child,
    or if it takes more than `timeout` seconds.
    """
    child = os.fork()
    if child == 0:
        os._exit(_work(work, log))
    with sigterm_raises(), killed_with_this_process(child):
        try:
            status = _status(child, time.monotonic() + timeout)
        except BaseException:
            _kill(child)
            raise
    if status is None:
        _kill(child)
        raise MakeError(f"took more than {timeout:g} s")
    if status < 0:
        raise MakeError(f"was killed by {signal.Signals(-status).name}")
    if status == RAISED:
        raise MakeError(log.read_text(errors="replace").strip().splitlines()[-1])


def _work(work: Callable[[], None], log: Path) -> int:
    """Run in the child, which must never come back to the caller's stack."""
    try:
        os.setsid()
        with log.open("a") as stream:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
        work()
    except BaseException:  # noqa: BLE001 - the parent is told, by the status and the log
        with log.open("a") as stream:
            traceback.print_exc(file=stream)
        return RAISED
    return DONE


def _status(child: int, deadline: float) -> int | None:
    """Return how the child ended, a signal as a negative number; None at the deadline."""
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(STEP_SECONDS)
    return None


def _kill(child: int) -> None:
    """End a child and all it started, also before it has a group of its own."""
    for end in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            end(child, signal.SIGKILL)
    os.waitpid(child, 0)
