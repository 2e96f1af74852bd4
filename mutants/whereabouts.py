"""What a child is doing, in memory that it shares with its parent: to say so costs no call.

A message for each trial would take longer than many a trial does, since it wakes the parent.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from mmap import mmap
from struct import Struct

LOADING = "loading"
"""Stands for a trial while the copy is loaded."""

_LAYOUT = Struct("qd")
_LOADING = 0
_BETWEEN = -1


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Which of these trials a child runs, and since when; it must be made before the fork."""

    trials: tuple[str, ...]
    _memory: mmap = field(default_factory=lambda: mmap(-1, _LAYOUT.size))

    def load(self) -> None:
        """Note that the copy is loaded from now on."""
        self._note(_LOADING)

    def begin(self, number: int) -> None:
        """Note that the trial of this number, from 0, is run from now on."""
        self._note(number + 1)

    def end(self) -> None:
        """Note that no trial is run, and that a death has nothing to do with the copy."""
        self._note(_BETWEEN)

    def now(self) -> tuple[str | None, float]:
        """Return LOADING, a trial's id or None for none, and the monotonic time of its begin."""
        number, since = _LAYOUT.unpack_from(self._memory)
        if number == _LOADING:
            return LOADING, since
        return (None if number == _BETWEEN else self.trials[number - 1]), since

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()

    def _note(self, number: int) -> None:
        # In one step: pack_into fills the memory with zeros first, and a parent would read them.
        self._memory[:] = _LAYOUT.pack(number, time.monotonic())
