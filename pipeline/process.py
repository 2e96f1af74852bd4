"""Commands run for a task: own process group, a timeout, everything they say in the task's log."""

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.errors import MakeError
from pipeline.lifetime import killed_with_this_process, sigterm_raises

STEP_SECONDS = 0.2


def run(argv: Sequence[str], log: Path, timeout: float) -> bytes:
    """Run a command to its end and return its standard output; the log gets its stderr.

    Raises MakeError if it cannot start, fails, dies of a signal or outlives timeout seconds.
    """
    program = Path(argv[0])
    shown = shlex.join([program.name if program.is_absolute() else argv[0], *argv[1:]])
    with log.open("ab") as stream:
        stream.write(f"$ {shown}\n".encode())
        stream.flush()
        start = stream.tell()
        output, status = _wait(argv, stream.fileno(), timeout)
        if status == 0:
            return output
    said = log.read_bytes()[start:]
    with log.open("ab") as stream:
        stream.write(output)
    outcome = f"took more than {timeout:g} s" if status is None else _outcome(status)
    reason = _reason(said.decode(errors="replace")) or _reason(output.decode(errors="replace"))
    message = f"{shown} {outcome}{reason}"
    raise MakeError(message)


def _wait(argv: Sequence[str], stderr: int, timeout: float) -> tuple[bytes, int | None]:
    """Return the command's output and its status, None for a timeout; leave no process behind."""
    with sigterm_raises():
        try:
            child = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,
            )
        except OSError as error:
            message = f"cannot run {argv[0]}: {error.strerror}"
            raise MakeError(message) from error
        try:
            with killed_with_this_process(child.pid):
                output = _output(child, time.monotonic() + timeout)
            if output is None:
                _kill(child)
                return child.communicate()[0], None
        except BaseException:  # Ctrl-C reaches doit only: the child has a session of its own
            _kill(child)
            raise
        return output, child.returncode


def _output(child: subprocess.Popen[bytes], deadline: float) -> bytes | None:
    """Return what a child writes until it ends, or None when the deadline comes first.

    Waits in short steps: a signal may reach another thread, and then does not wake this one.
    """
    while (left := deadline - time.monotonic()) > 0:
        try:
            return child.communicate(timeout=min(left, STEP_SECONDS))[0]
        except subprocess.TimeoutExpired:
            continue
    return None


def _kill(child: subprocess.Popen[bytes]) -> None:
    """End a child and all it started, unless it has ended."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def _outcome(status: int) -> str:
    """Say how a command ended, from its exit status; a negative one is minus the signal."""
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"failed with exit status {status}"


def _reason(said: str) -> str:
    """Return the line that says why: the first with `error:` in it, or else the last."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for line in lines:
        if "error:" in line:
            return f": {line}"
    return f": {lines[-1]}" if lines else ""
