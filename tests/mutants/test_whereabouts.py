"""Where a child is, as its parent reads it at any moment."""

import os
import signal
import time

from mutants.whereabouts import LOADING, Whereabouts

TRIALS = ("a:one", "b:two")
READS = 100_000


def test_a_parent_reads_what_was_noted() -> None:
    place = Whereabouts(TRIALS)
    start = time.monotonic()
    seen: list[str | None] = []
    for note in (place.load, lambda: place.begin(0), place.end, lambda: place.begin(1)):
        note()
        trial, since = place.now()
        assert start <= since <= time.monotonic()
        seen.append(trial)
    assert seen == [LOADING, "a:one", None, "b:two"]
    place.close()


def test_a_parent_never_reads_half_a_note() -> None:
    place = Whereabouts(TRIALS)
    start = time.monotonic()
    place.load()
    child = os.fork()
    if child == 0:
        while True:
            place.begin(0)
            place.begin(1)
    try:
        for _ in range(READS):
            trial, since = place.now()
            assert trial in (LOADING, *TRIALS)
            assert start <= since <= time.monotonic()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert place.now()[0] in TRIALS
