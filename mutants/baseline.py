"""The trials of the original: what they saw of it, and that it passes them all."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING

from checks.subject import WrongSubject
from checks.writing import NOT_A_PROGRAM, REFUSED
from mutants import reach
from mutants.matrix import Cell, Outcome
from mutants.memory import call_digest
from mutants.reuse import Known, Tracer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from checks.verdict import Verdict
    from mutants.reach import Text
    from mutants.reuse import Answered, Call, Recorder
    from mutants.trial import Trial
    from mutants.trials import Suite

OUTCOME_OF_CAUSE = {
    "": Outcome.PASS,
    "value": Outcome.VALUE,
    REFUSED: Outcome.REFUSAL,
    NOT_A_PROGRAM: Outcome.CRASH,
}


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the original did; trials are named by their ids.

    `trials` are those that apply; `calls` is what each saw of the original, `begun` are the
    segments of it that these calls began, `cpu_seconds` is what it took; `asked` are all the calls
    by their digests. `failed` are the cells of those that it did not pass: nothing can be said of
    copies then.
    """

    original: Original
    trials: Sequence[Trial]
    calls: Mapping[str, Sequence[Answered]]
    begun: Mapping[str, frozenset[int]]
    asked: Mapping[str, Call]
    cpu_seconds: Mapping[str, float]
    failed: Mapping[str, Cell]

    def repeated(self, changed: AbstractSet[int] | None) -> set[str]:
        """Return the trials of which a copy that differs there sees all that the original did."""
        if changed is None:
            return set()
        return {trial for trial, begun in self.begun.items() if begun.isdisjoint(changed)}


@dataclass(frozen=True, slots=True)
class Original:
    """The original: what it consists of, what loading it executed, and what it was asked."""

    text: Text
    loading: frozenset[int]
    asked: Tracer

    def changed_in(self, home: Path) -> set[int] | None:
        """Return the segments in which a copy differs whose Python files are in `home`.

        None where any call may go another way: where they differ in what happens on import.
        """
        changed = self.text.changed_in(home)
        return None if changed is None or not self.loading.isdisjoint(changed) else changed

    def known_of(self, changed: AbstractSet[int] | None) -> Known:
        """Return what is known of a copy that differs there."""
        return Known() if changed is None else self.asked.elsewhere(changed)


def baseline_of(suite: Suite, original: Path) -> Baseline:
    """Run every trial on the original, in this process, and so make it warm for its children."""
    suite.load(original)  # what a copy has in common with it is compiled then
    with reach.marked(original, suite.home(original)) as (copy, text):
        reach.begun()
        subject = suite.load(copy)
        return _baseline(suite, Original(text, reach.begun(), Tracer(subject)))


def _baseline(suite: Suite, original: Original) -> Baseline:
    recorder = original.asked
    trials: list[Trial] = []
    calls: dict[str, Sequence[Answered]] = {}
    begun: dict[str, frozenset[int]] = {}
    cpu_seconds: dict[str, float] = {}
    failed: dict[str, Cell] = {}
    for trial in suite.trials:
        recorder.start()
        start = process_time()
        cell = tried(trial, suite, recorder)
        if cell is None:
            continue
        trials.append(trial)
        calls[trial.id] = recorder.calls
        begun[trial.id] = recorder.begun_by(recorder.calls)
        cpu_seconds[trial.id] = process_time() - start
        if cell.outcome is not Outcome.PASS:
            failed[trial.id] = cell
    asked = {call_digest(each.call): each.call for row in calls.values() for each in row}
    return Baseline(original, trials, calls, begun, asked, cpu_seconds, failed)


def tried(trial: Trial, suite: Suite, recorder: Recorder) -> Cell | None:
    """Return what comes of a trial, or None where it does not apply."""
    try:
        verdict = suite.run(trial, recorder.front)
    except WrongSubject:
        raise
    except BaseException as error:  # noqa: BLE001 - a copy may raise anything
        return crashed(error)
    return None if verdict is None else _cell(verdict)


def crashed(error: BaseException) -> Cell:
    """Return the cell of what raised this, with the place where it did."""
    said = f"{type(error).__name__}: {error}".strip()
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({_short(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return Cell(Outcome.CRASH, said + place)


def _short(file: str) -> str:
    return "/".join(file.rsplit("/", 2)[-2:])


def _cell(verdict: Verdict) -> Cell:
    outcome = OUTCOME_OF_CAUSE[verdict.cause]
    if outcome in (Outcome.PASS, Outcome.VALUE):
        error = f"error {verdict.worst:.2g}, tolerance {verdict.tolerance:g}"
        return Cell(outcome, f"{verdict.detail}; {error}")
    return Cell(outcome, verdict.detail)
