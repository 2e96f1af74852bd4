"""The trials of the original: what they saw of it, and that it passes them all."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING

from checks.subject import WrongSubject
from mutants.matrix import Cell, Outcome
from mutants.reuse import Recorder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from checks.verdict import Verdict
    from mutants.reuse import Answered
    from mutants.trials import Suite, Trial

OUTCOME_OF_CAUSE = {
    "": Outcome.PASS,
    "value": Outcome.VALUE,
    "refused": Outcome.REFUSAL,
    "not a program": Outcome.CRASH,
}


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the original did; trials are named by their ids.

    `trials` are those that apply; `calls` is what each saw of the original, `cpu_seconds` what it
    took. `failed` are the cells of those that it did not pass: nothing can be said of copies then.
    """

    trials: Sequence[Trial]
    calls: Mapping[str, Sequence[Answered]]
    cpu_seconds: Mapping[str, float]
    failed: Mapping[str, Cell]


def baseline_of(suite: Suite, original: Path) -> Baseline:
    """Run every trial on the original, in this process, and so make it warm for its children."""
    recorder = Recorder(suite.load(original))
    trials: list[Trial] = []
    calls: dict[str, Sequence[Answered]] = {}
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
        cpu_seconds[trial.id] = process_time() - start
        if cell.outcome is not Outcome.PASS:
            failed[trial.id] = cell
    return Baseline(trials, calls, cpu_seconds, failed)


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
