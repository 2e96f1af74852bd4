"""Where a child is, as its parent reads it at any moment."""

import os
import time

from mutants.whereabouts import LOADING, Whereabouts

TRIALS = ("a:one", "b:two")
NOTES = 100_000


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
        for number in range(NOTES):
            place.begin(number % 2)
        place.end()
        os._exit(0)
    reads = 0
    while not os.waitpid(child, os.WNOHANG)[0]:
        for _ in range(1000):
            trial, since = place.now()
            assert trial in (LOADING, None, *TRIALS)
            assert start <= since <= time.monotonic()
            reads += 1
    assert reads > 1000
    assert place.now()[0] is None
