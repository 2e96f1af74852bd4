"""One run at a time: two would make the same files, and each would hide the other's record."""

import fcntl
import os
import time

from doit.exceptions import InvalidCommand

from pipeline.layout import LOCK

ENDING_SECONDS = 10
STEP_SECONDS = 0.02


class RunLockedError(InvalidCommand):
    """Another run is at work; doit shows the message in one line and its exit status is 3."""


def hold_run_lock() -> None:
    """Hold the lock of this project until this process and its workers have ended.

    Nothing else releases it, so nothing stale can remain. Raises RunLockedError at once if a run
    is at work; the workers of a run that was killed get ENDING_SECONDS to stop.
    """
    LOCK.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(LOCK, os.O_RDWR | os.O_CREAT, 0o666)  # never closed: that would release it
    deadline = time.monotonic() + ENDING_SECONDS
    while not _is_taken(file):
        holder = os.pread(file, 32, 0).decode(errors="replace")
        if _is_running(holder) or time.monotonic() > deadline:
            os.close(file)
            raise RunLockedError(
                f"another run of doit is at work here (process {holder or 'just started'}); "
                "wait for its end, or stop it"
            )
        time.sleep(STEP_SECONDS)
    os.ftruncate(file, 0)
    os.pwrite(file, str(os.getpid()).encode(), 0)


def _is_taken(file: int) -> bool:
    """Take the lock unless another process has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_running(process: str) -> bool:
    """Tell whether there is a process of this number; one that is not yet known is running."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError):
        return True
    return True
