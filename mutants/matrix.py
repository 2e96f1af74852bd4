"""The kill matrix: what came of each trial of each copy, and what that says of the copy."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, cast

from mutants.cover import dominators, smallest_cover, sole_catches
from mutants.trial import CHAPTER_GROUPS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from mutants.trial import Trial

WRONG_KINDS = ("hand", "generated")

NOT_A_PROGRAM = "not a program"
"""Begins the detail of a cell where a text was written that does not compile."""

ORIGINAL_FAILS = "the original fails"
"""Begins the problem of a row where that is the problem."""


class Outcome(StrEnum):
    """What came of a trial."""

    SAME = "same text"  # the copy wrote what the original writes, so the verdict is known: a pass
    SETTLED = "settled"  # not run: a value has caught the copy in another trial of the check
    PASS = "pass"  # noqa: S105 - no password
    TIMEOUT = "timeout"
    CRASH = "crash"  # of the tool, or what it wrote is not a program
    REFUSAL = "refusal"
    VALUE = "value"


CATCHES = (Outcome.VALUE, Outcome.REFUSAL, Outcome.CRASH)
"""The outcomes by which a copy is caught, the best evidence first."""

NOT_RUN = (Outcome.SAME, Outcome.SETTLED)
"""The outcomes that are known before the trial."""


class Cell(NamedTuple):
    """The outcome of a trial; `detail` holds both numbers, or the message."""

    outcome: Outcome
    detail: str = ""

    @property
    def catches(self) -> bool:
        """Whether this is evidence that the copy is wrong; that it takes too long is none."""
        return self.outcome in CATCHES


SAME = Cell(Outcome.SAME)
"""What most cells are."""

_OUTCOMES = {str(outcome): outcome for outcome in Outcome}


@dataclass(frozen=True, slots=True)
class Row:
    """A copy, with a cell for each trial by its id; `problem` says why there are none."""

    id: str
    title: str
    kind: str
    diff: str = ""
    cells: Mapping[str, Cell] = field(default_factory=dict[str, Cell])
    seconds: float = 0.0
    problem: str = ""

    @property
    def original_fails(self) -> bool:
        """Whether nothing is known of the copy because the original does not pass."""
        return self.problem.startswith(ORIGINAL_FAILS)

    @property
    def wrong(self) -> bool:
        """Whether the copy is wrong on purpose and part of the score."""
        return self.kind in WRONG_KINDS

    @property
    def killers(self) -> tuple[str, ...]:
        """The ids of the trials that catch the copy."""
        return tuple(trial for trial, cell in self.cells.items() if cell.catches)

    @property
    def ran(self) -> tuple[str, ...]:
        """The ids of the trials that the copy was put through."""
        return tuple(id_ for id_, cell in self.cells.items() if cell.outcome not in NOT_RUN)

    @property
    def caught_by(self) -> Outcome | None:
        """The best evidence against the copy."""
        found = {cell.outcome for cell in self.cells.values()}
        return next((outcome for outcome in CATCHES if outcome in found), None)

    @property
    def by_value(self) -> bool:
        """Whether a wrong number or text was seen, and not only a refusal or a crash."""
        return self.caught_by is Outcome.VALUE

    @property
    def silent(self) -> bool:
        """Whether the copy wrote no program that the original does not write: it only crashed.

        Then there never was a value that could have been compared.
        """
        return self.caught_by is Outcome.CRASH and all(
            cell.outcome in (Outcome.CRASH, Outcome.TIMEOUT, Outcome.SAME)
            and not cell.detail.startswith(NOT_A_PROGRAM)
            for cell in self.cells.values()
        )

    @property
    def timeouts(self) -> tuple[str, ...]:
        """The ids of the trials that took too long, twice."""
        return tuple(id_ for id_, cell in self.cells.items() if cell.outcome is Outcome.TIMEOUT)

    @property
    def status(self) -> str:
        """`killed`, `survived`, or `error`: nothing can be said of the copy.

        Timeouts alone kill nothing; of a copy that should be right they leave nothing to say.
        """
        if self.problem:
            return "error"
        if self.caught_by is not None:
            return "killed"
        return "error" if self.timeouts and not self.wrong else "survived"

    def as_json(self) -> dict[str, object]:
        """Return the fields by name, without the cells of trials that saw the same texts."""
        return {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "diff": self.diff,
            "cells": {trial: cell for trial, cell in self.cells.items() if cell != SAME},
            "seconds": round(self.seconds, 3),
            "problem": self.problem,
        }


def row_from_json(fields: Mapping[str, object], trials: Sequence[str]) -> Row:
    """Return the row that `as_json` gave these fields; `trials` are the ids of all trials."""
    told = cast("Mapping[str, tuple[str, str]]", fields["cells"])
    cells = {} if fields["problem"] else dict.fromkeys(trials, SAME)
    for trial, (outcome, detail) in told.items():
        cells[trial] = Cell(_OUTCOMES[outcome], detail)
    return Row(**{**fields, "cells": cells})


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of the copies that are wrong; `explained` are those shown to be equivalent.

    `silent` are those of `by_crash` that wrote nothing of their own.
    """

    wrong: int
    by_value: int
    by_refusal: int
    by_crash: int
    silent: int
    explained: int
    survived: int

    @property
    def killed(self) -> int:
        """Those caught in any way."""
        return self.by_value + self.by_refusal + self.by_crash

    @property
    def percent(self) -> float:
        """Of those not equivalent, the share that is caught."""
        return _percent(self.killed, self.wrong - self.explained)

    @property
    def percent_by_value(self) -> float:
        """Of those not equivalent, the share that is caught by a value."""
        return _percent(self.by_value, self.wrong - self.explained)


@dataclass(frozen=True, slots=True)
class Summary:
    """What the matrix says as a whole. Checks, trials and copies are named by their ids.

    `sole` maps checks to the wrong copies that no other check catches; `idle` are the checks that
    catch no wrong copy; `missed_by_chapters` are caught, but by no check of the chapters' groups;
    `hardest` are copies whose catching implies that all the others are caught. `failures` are
    reasons for exit status 1, `void` those for 2: the run says nothing.
    """

    scores: Mapping[str, Score]
    total: Score
    minimal_checks: Sequence[str]
    minimal_trials: Sequence[str]
    sole: Mapping[str, Sequence[str]]
    idle: Sequence[str]
    missed_by_chapters: Sequence[str]
    hardest: Sequence[str]
    failures: Sequence[str]
    void: Sequence[str]

    @property
    def exit_status(self) -> int:
        """0 if all is as it should be, 1 if a verdict is bad, 2 if the run is void."""
        return 2 if self.void else 1 if self.failures else 0


def summary(
    rows: Sequence[Row], trials: Sequence[Trial], equivalents: Mapping[str, str]
) -> Summary:
    """Return what the rows say; `equivalents` maps ids to why nothing can catch that copy."""
    check_of = {trial.id: trial.check for trial in trials}
    chapters = {trial.id for trial in trials if trial.group in CHAPTER_GROUPS}
    wrong = [row for row in rows if row.wrong and row.status != "error"]
    by_trial = {row.id: frozenset(row.killers) for row in wrong if row.killers}
    by_check = {id_: frozenset(check_of[one] for one in by_trial[id_]) for id_ in by_trial}
    order = list(dict.fromkeys(check_of.values()))
    caught: Collection[str] = frozenset().union(*by_check.values())
    return Summary(
        scores={
            kind: _score([row for row in wrong if row.kind == kind], equivalents)
            for kind in WRONG_KINDS
            if any(row.kind == kind for row in wrong)
        },
        total=_score(wrong, equivalents),
        minimal_checks=smallest_cover(by_check, order),
        minimal_trials=smallest_cover(by_trial, list(check_of)),
        sole=sole_catches(by_check, order),
        idle=[check for check in order if check not in caught],
        missed_by_chapters=[id_ for id_, killers in by_trial.items() if not killers & chapters],
        hardest=dominators(by_check),
        failures=_failures(rows, equivalents),
        void=_void(rows),
    )


def _score(rows: Sequence[Row], equivalents: Mapping[str, str]) -> Score:
    def count(holds: Callable[[Row], bool]) -> int:
        return sum(map(holds, rows))

    return Score(
        wrong=len(rows),
        by_value=count(lambda row: row.caught_by is Outcome.VALUE),
        by_refusal=count(lambda row: row.caught_by is Outcome.REFUSAL),
        by_crash=count(lambda row: row.caught_by is Outcome.CRASH),
        silent=count(lambda row: row.silent),
        explained=count(lambda row: row.caught_by is None and row.id in equivalents),
        survived=count(lambda row: row.caught_by is None and row.id not in equivalents),
    )


def _failures(rows: Sequence[Row], equivalents: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    for row in rows:
        explained = row.id in equivalents
        if row.wrong and row.status == "survived" and not explained:
            late = f" ({len(row.timeouts)} checks took too long)" if row.timeouts else ""
            found.append(f"{row.id} survives{late}: {row.title}")
        if row.wrong and row.status == "killed" and explained:
            found.append(f"{row.id} is listed as equivalent and is killed by {row.killers[0]}")
        if row.kind == "harmless" and row.status == "killed":
            found.append(f"{row.id} is harmless and is killed by {row.killers[0]}: {row.title}")
    return found


def _void(rows: Sequence[Row]) -> list[str]:
    found: list[str] = []
    for row in rows:
        if row.status == "error":
            found.append(f"{row.id}: {row.problem or 'checks took too long: nothing is known'}")
        elif row.kind == "control":
            # Such a copy fails wherever it is reached: a check that passes it does not look.
            blind = [id_ for id_, cell in row.cells.items() if cell.outcome is Outcome.PASS]
            if row.status == "survived":
                found.append(f"{row.id} is there to be caught and is not: {row.title}")
            elif blind:
                found.append(f"{row.id} is there to be caught and passes {', '.join(blind)}")
    return found


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 100.0
