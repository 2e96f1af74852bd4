"""Nothing outlives the run that started it, however that ends."""

import os
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager

PR_SET_PDEATHSIG = 1


def tie_workers_to_this_process() -> None:
    """Let every process that is forked from now on get SIGTERM when this one is gone.

    Workers stop their commands at SIGTERM. Only Linux tells a process of its parent's end: where
    there is no prctl, and for workers that are not forked from doit ("forkserver"), a worker ends
    with the task that it is at, when it finds that nobody is at the other end of its pipe.
    """
    tie = _Tie()
    os.register_at_fork(before=tie.before, after_in_child=tie.in_child)


class _Tie:
    """What is done at each fork, in the parent and in its child."""

    def before(self) -> None:
        """Load what the child needs: where threads run, it cannot load anything safely."""
        self._parent = os.getpid()
        if sys.platform == "linux":
            import ctypes  # noqa: PLC0415 - 8 ms that a run without work can do without

            self._prctl = ctypes.CDLL(None).prctl

    def in_child(self) -> None:
        """Ask for SIGTERM at the parent's end, and leave Ctrl-C, which all get, to the parent."""
        signal.signal(signal.SIGINT, _ignore)
        if sys.platform == "linux":
            self._prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
            if os.getppid() != self._parent:  # it was gone before
                os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def killed_with_this_process(group: int) -> Iterator[None]:
    """Kill a process group if this process ends first, by whatever signal.

    A shell waits at the end of a pipe that only this process can write to: a line means that all
    is well, the end of the pipe that this process is gone. It needs no code between fork and exec,
    where other threads' locks may be held, and nothing that only one system has.
    """
    watch = ["/bin/sh", "-c", 'read -r _ || kill -s KILL -- "-$1"', "watch", str(group)]
    with subprocess.Popen(
        watch,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as shell:
        try:
            yield
        finally:
            shell.communicate(b"\n")


@contextmanager
def sigterm_raises() -> Iterator[None]:
    """Let SIGTERM raise SystemExit: it is how doit stops its workers, which must stop commands."""
    if threading.current_thread() is not threading.main_thread():  # with `doit -P thread`
        yield
        return
    previous = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _exit(number: int, frame: types.FrameType | None) -> None:
    del frame
    sys.exit(128 + number)  # as a shell reports it


def _ignore(number: int, frame: types.FrameType | None) -> None:
    """Do nothing; unlike SIG_IGN, this is not handed on to the commands that are run."""
