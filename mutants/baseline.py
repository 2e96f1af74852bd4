"""The trials of the original: what they saw of it, and that it passes them all."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from functools import reduce
from operator import or_
from time import process_time
from typing import TYPE_CHECKING

from checks.subject import WrongSubject
from checks.writing import NOT_A_PROGRAM, REFUSED
from mutants.matrix import Cell, Outcome
from mutants.memory import call_digest
from mutants.reach import mask
from mutants.reuse import Known, Posed, Recorder
from mutants.tracing import Tracing, TracingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from checks.verdict import Verdict
    from mutants.reach import Text
    from mutants.reuse import Answer, Answered, Call, Key, Staged
    from mutants.tracing import Trace, Traces
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
    segments of it that these calls began, as `reach.mask` gives them, `cpu_seconds` is what it
    took; `asked` are all the calls by their digests. `failed` are the cells of those that it did
    not pass: nothing can be said of copies then.
    """

    original: Original
    trials: Sequence[Trial]
    calls: Mapping[str, Sequence[Answered]]
    begun: Mapping[str, int]
    asked: Mapping[str, Call]
    cpu_seconds: Mapping[str, float]
    failed: Mapping[str, Cell]

    def repeated(self, changed: AbstractSet[int] | None) -> set[str]:
        """Return the trials of which a copy that differs there sees all that the original did."""
        if changed is None:
            return set()
        where = mask(changed)
        return {trial for trial, begun in self.begun.items() if not begun & where}


@dataclass(frozen=True, slots=True)
class Original:
    """The original: what it consists of, what loading it executed, and what it was asked.

    Of each call by its key `answers` has what came of it, and `traces` what it executes.
    """

    text: Text
    loading: AbstractSet[int]
    answers: Mapping[Key, Answer]
    traces: Mapping[Key, Trace]

    def changed_in(self, home: Path) -> set[int] | None:
        """Return the segments in which a copy differs whose Python files are in `home`.

        None where any call may go another way: where they differ in what happens on import.
        """
        changed = self.text.changed_in(home)
        return None if changed is None or not self.loading.isdisjoint(changed) else changed

    def known_of(self, changed: AbstractSet[int] | None) -> Known:
        """Return what is known of a copy that differs there.

        That is what comes of the calls that begin no changed segment. Of those that begin one only
        on the way to the problem, it is what comes of that problem.
        """
        answers: dict[Key, Answer] = {}
        posed: dict[Key, Posed] = {}
        if changed is None:
            return Known()
        where = mask(changed)
        for key, trace in self.traces.items():
            if not trace.begun & where:
                answers[key] = self.answers[key]
            elif trace.problem is not None and not trace.later & where:
                posed[key] = Posed(trace.problem, self.answers[key])
        return Known(answers, posed)

    def begun_by(self, calls: Iterable[Answered]) -> int:
        """Return the segments that any of these calls began."""
        return reduce(or_, [self.traces[each.call.key].begun for each in calls], 0)


def baseline_of(suite: Suite, original: Path) -> Baseline:
    """Run every trial on the original, in this process, and so make it warm for its children.

    TracingError if it is not known what the original executes.
    """
    tracing = Tracing(suite, original)
    try:
        subject = suite.load(original)
        return _baseline(suite, subject, tracing)
    finally:
        tracing.end()


def _baseline(suite: Suite, subject: Staged, tracing: Tracing) -> Baseline:
    recorder = Recorder(subject)
    trials: list[Trial] = []
    calls: dict[str, Sequence[Answered]] = {}
    asked: dict[Key, Call] = {}
    cpu_seconds: dict[str, float] = {}
    failed: dict[str, Cell] = {}
    item = ""
    for trial in suite.trials:
        if trial.item != item:
            item = trial.item
            subject.forget()  # no other item asks the same, and all of it would be in every child
        recorder.start()
        start = process_time()
        cell = tried(trial, suite, recorder)
        for each in recorder.calls:
            if each.call.key not in asked:
                asked[each.call.key] = each.call
                tracing.ask(each.call)
        if cell is None:
            continue
        trials.append(trial)
        calls[trial.id] = recorder.calls
        cpu_seconds[trial.id] = process_time() - start
        if cell.outcome is not Outcome.PASS:
            failed[trial.id] = cell
    original = _original(recorder, list(asked), tracing.traces())
    begun = {trial: original.begun_by(row) for trial, row in calls.items()}
    names = {call_digest(each.call): each.call for row in calls.values() for each in row}
    return Baseline(original, trials, calls, begun, names, cpu_seconds, failed)


def _original(recorder: Recorder, asked: Sequence[Key], found: Traces) -> Original:
    """Return what was found of the original; `asked` are the calls in the order of the traces."""
    traces = dict(zip(asked, found.calls, strict=True))
    for key, trace in traces.items():
        if trace.answer != recorder.known[key].digest:
            raise TracingError(f"marked, the original answers {key[0]} otherwise than it does")
    return Original(found.text, found.loading, recorder.known, traces)


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
