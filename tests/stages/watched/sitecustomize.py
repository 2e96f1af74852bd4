"""Notes which files each Python process below a folder opens: Python imports it at its start.

To be copied to the root of a copy of the project, and that to be on PYTHONPATH. What is opened for
reading, and each argument of a command that is run, is a line of `opened.log`, while there is one.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
LOG = str(ROOT / "opened.log")


class Watch:
    """An audit hook, which lasts as long as the process and those that it forks."""

    def __init__(self) -> None:
        """Begin."""
        self._at_work = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Note an event; what this does itself are events too."""
        if event not in {"open", "subprocess.Popen"} or self._at_work:
            return
        self._at_work = True
        try:
            paths = _read(arguments) if event == "open" else _named(arguments)
            lines = [f"{path}\n" for path in map(os.path.realpath, paths) if _is_ours(path)]
            self._write(lines)
        finally:
            self._at_work = False

    def _write(self, lines: list[str]) -> None:
        try:
            log = os.open(LOG, os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError:  # nothing is being made
            return
        os.write(log, "".join(lines).encode())
        os.close(log)


def _read(arguments: tuple[object, ...]) -> list[str]:
    """Return the file of an `open`, unless that is only written."""
    path, _, flags = arguments
    if not isinstance(path, str | bytes | os.PathLike) or not isinstance(flags, int):
        return []
    return [] if flags & os.O_ACCMODE == os.O_WRONLY else [os.fsdecode(path)]


def _named(arguments: tuple[object, ...]) -> list[str]:
    """Return the files among the arguments of a command: it may read them, whatever it is."""
    command = arguments[1]
    if isinstance(command, str | bytes | os.PathLike):
        return [os.fsdecode(command)]
    words = command if isinstance(command, list | tuple) else []
    return [os.fsdecode(word) for word in words if isinstance(word, str | bytes | os.PathLike)]


def _is_ours(path: str) -> bool:
    return path.startswith(f"{ROOT}/") and path != LOG and os.path.isfile(path)  # noqa: PTH113


sys.addaudithook(Watch())
