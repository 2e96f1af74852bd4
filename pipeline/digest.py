"""Digests of settings and of files; a file that has not changed is read once, not in each run.

What is remembered of a file holds as long as its device, inode, size, mtime and ctime do. No
program can set ctime, so an edit that restores the mtime is noticed too.
"""

import functools
import hashlib
import json
import os
import time
from pathlib import Path

from pipeline.layout import DIGESTS

REMEMBERED = DIGESTS / "files.json"

SETTLED_NS = 2_000_000_000
"""A file is remembered once it is this old, in nanoseconds: the coarsest clock of a file system.

In a younger one, an edit of the same size could leave its times as they are (git calls such a file
racily clean).
"""

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(config: object) -> str:
    """Return JSON text that does not depend on the order of keys.

    Raises TypeError where config is not plain data, ValueError for a NaN or an infinity.
    """
    return _CANONICAL.encode(config)


def file_digest(path: str | Path) -> str:
    """Return the sha256 of a file's bytes, in hexadecimal; raises OSError if it cannot be read."""
    return _MEMORY.digest(os.fspath(path))


def file_state(path: str) -> os.stat_result:
    """Return what the system says of a file; raises OSError."""
    return _MEMORY.state(path)


def hold_states() -> None:
    """Look at each file once from now on: nothing is being made yet."""
    _MEMORY.hold()


def release_states() -> None:
    """Look at a file each time that it is asked for."""
    _MEMORY.release()


def save_digests() -> None:
    """Keep what is known of files for the next run."""
    _MEMORY.save()


def file_identity(path: str) -> list[int]:
    """Return what changes whenever a file does; raises OSError."""
    return _identity(file_state(path))


def _identity(state: os.stat_result) -> list[int]:
    return [state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]


def replace_text(path: Path, text: str) -> None:
    """Write a file in one step, so that a second process never reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(text)
    fresh.replace(path)


def read_remembered(path: Path) -> dict[str, object]:
    """Return what `replace_text` wrote as JSON; nothing if it is absent or was damaged."""
    try:
        content = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):  # all of it can be found out again
        return {}
    return content if isinstance(content, dict) else {}


class _Memory:
    """For each path, the identity of the file and its digest."""

    def __init__(self) -> None:
        """Begin with no state held."""
        self._new: set[str] = set()
        self._holds = False
        self._states: dict[str, os.stat_result] = {}
        self._digests: dict[str, str] = {}

    @functools.cached_property
    def _known(self) -> dict[str, object]:
        """What the last run kept, read where dodo.py is: doit changes to its folder."""
        return read_remembered(REMEMBERED)

    def hold(self) -> None:
        """Keep the state and digest of each file from now on."""
        self._holds = True

    def release(self) -> None:
        """Forget the states and digests, and keep none."""
        self._holds = False
        self._states.clear()
        self._digests.clear()

    def state(self, path: str) -> os.stat_result:
        """Return the state of a file, that on the first call if states are held."""
        state = self._states.get(path)
        if state is None:
            state = os.stat(path)  # noqa: PTH116 - a Path costs more than the call, thousands of times
            if self._holds:
                self._states[path] = state
        return state

    def digest(self, path: str) -> str:
        """Return the digest of a file, read only if it is not the one that is remembered."""
        digest = self._digests.get(path)
        if digest is None:
            digest = self._digest(path)
            if self._holds:
                self._digests[path] = digest
        return digest

    def _digest(self, path: str) -> str:
        identity = _identity(self.state(path))
        match self._known.get(path):
            case [known, str(digest)] if known == identity:
                return digest
        now = time.time_ns()
        with open(path, "rb") as stream:  # noqa: PTH123 - as for stat
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if max(identity[-2:]) + SETTLED_NS < now:
            self._known[path] = [identity, digest]
            self._new.add(path)
        return digest

    def save(self) -> None:
        """Write the file, without what is no longer there."""
        if self._new:
            there = os.path.exists  # a Path would cost more, as for stat
            known = {path: entry for path, entry in self._known.items() if there(path)}
            replace_text(REMEMBERED, json.dumps(known))
            self._new.clear()


_MEMORY = _Memory()
