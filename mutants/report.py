"""What a run says: tables for people, and JSON for what reads them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import Console

    from mutants.baseline import Baseline
    from mutants.matrix import Row, Score, Summary
    from mutants.trial import Trial

MOST_NAMED = 3
"""So many checks are named in a row of the table; the reports have all of them."""


def report_json(
    rows: Sequence[Row],
    said: Summary,
    trials: Sequence[Trial],
    equivalents: Mapping[str, str],
) -> str:
    """Return the run as JSON; it is the same for the same verdicts, whatever they took."""
    checks = {trial.check: trial for trial in trials}
    score = {kind: _score_json(score) for kind, score in said.scores.items()}
    report = {
        "baseline": "fail" if any(row.original_fails for row in rows) else "pass",
        "mutants": [_row_json(row, trials, equivalents) for row in rows],
        "score": {**_score_json(said.total), "by_kind": score},
        "minimal_checks": list(said.minimal_checks),
        "minimal_trials": list(said.minimal_trials),
        "only_catcher_of": {check: list(copies) for check, copies in said.sole.items()},
        "catch_nothing": list(said.idle),
        "missed_by_chapters": list(said.missed_by_chapters),
        "hardest": list(said.hardest),
        "failures": list(said.failures),
        "void": list(said.void),
        "checks": [
            {"id": check, "group": trial.group, "title": trial.title}
            for check, trial in checks.items()
        ],
    }
    return json.dumps(report, indent=1) + "\n"


def failed_baseline_json(baseline: Baseline) -> str:
    """Return the report of a run that ended with the original."""
    failed = {trial: cell.detail for trial, cell in baseline.failed.items()}
    report = {
        "baseline": "fail",
        "mutants": [],
        "score": {},
        "minimal_checks": [],
        "failed_trials": failed,
    }
    return json.dumps(report, indent=1) + "\n"


def killing_checks(row: Row, trials: Sequence[Trial]) -> list[str]:
    """Return the ids of the checks that catch a copy, in their order, each once."""
    killers = set(row.killers)
    return list(dict.fromkeys(trial.check for trial in trials if trial.id in killers))


def baseline_text(trials: Sequence[Trial]) -> str:
    """Return the line that says that the original passes all trials."""
    checks = len({trial.check for trial in trials})
    return f"baseline: pass ({checks} checks, {len(trials)} trials)"


def print_baseline(console: Console, baseline: Baseline) -> None:
    """Print whether the original passes, or each trial that it fails."""
    trials = len(baseline.trials)
    if not baseline.failed:
        console.print(baseline_text(baseline.trials))
        return
    console.print(
        f"baseline: fail ({len(baseline.failed)} of {trials} trials); nothing else is run"
    )
    for trial, cell in baseline.failed.items():
        console.print(f"  {trial}: {cell.outcome}: {cell.detail}")


def print_rows(console: Console, rows: Sequence[Row], trials: Sequence[Trial]) -> None:
    """Print a line for each copy; of generated ones only where no value catches it."""
    shown = [row for row in rows if row.kind != "generated" or not row.by_value]
    table = _table("mutant", "what is wrong", "outcome", "caught by", "trials", "seconds")
    for row in shown:
        killers = len(row.killers)
        table.add_row(
            Text(row.id),
            Text(row.title if row.wrong else f"{row.kind}: {row.title}"),
            Text(outcome_text(row)),
            Text(named_checks(row, trials)),
            f"{killers}/{len(row.ran)}",
            f"{row.seconds:.1f}",
        )
    if shown:
        console.print(table)
    if len(shown) < len(rows):
        console.print(f"{len(rows) - len(shown)} generated ones are caught by a value")


def outcome_text(row: Row) -> str:
    """Say in a few words what came of a copy."""
    if row.problem:
        return "error"
    if row.caught_by is not None:
        only = "" if row.by_value else "only "
        return f"{only}by {row.caught_by}"
    return "too slow, no catch" if row.timeouts else "survives"


def print_summary(
    console: Console,
    rows: Sequence[Row],
    said: Summary,
    trials: Sequence[Trial],
    equivalents: Mapping[str, str],
) -> None:
    """Print the score and what the matrix says of the checks."""
    titles = {row.id: row.title for row in rows}
    if said.sole:
        table = _table("check", "catches alone")
        for check, copies in said.sole.items():
            table.add_row(Text(check), Text(", ".join(copies)))
        console.print(table)
    number = len({trial.check for trial in trials})
    console.print(
        f"{len(said.minimal_checks)} of {number} checks catch as much: "
        + ", ".join(said.minimal_checks)
    )
    console.print(
        f"{len(said.minimal_trials)} of {len(trials)} trials do: " + ", ".join(said.minimal_trials)
    )
    if said.idle:
        console.print(f"catch nothing here: {', '.join(said.idle)}")
    _print_missed(console, said, titles)
    explained = [row.id for row in rows if row.status == "survived" and row.id in equivalents]
    for id_ in explained:
        console.print(f"{id_} is equivalent: {equivalents[id_]}")
    for kind, score in said.scores.items():
        console.print(_score_text(kind, score))
    for line in (*said.failures, *said.void):
        console.print(line)
    console.print(_last_line(rows, said))


def _print_missed(console: Console, said: Summary, titles: Mapping[str, str]) -> None:
    if not said.missed_by_chapters:
        return
    count = len(said.missed_by_chapters)
    console.print(f"the chapters' own programs (groups 3 and 4) would have missed {count}:")
    for id_ in said.missed_by_chapters:
        console.print(f"  {id_}: {titles[id_]}")


def _last_line(rows: Sequence[Row], said: Summary) -> str:
    def count(holds: Callable[[Row], bool]) -> int:
        return sum(map(holds, rows))

    if said.void:
        return f"this run proves nothing (reasons above: {len(said.void)})"
    harmless = count(lambda row: row.kind == "harmless")
    controls = count(lambda row: row.kind == "control")
    line = (
        f"{said.total.killed} of {said.total.wrong} wrong versions caught, "
        f"{said.total.by_value} by a value; {harmless} harmless ones, {controls} controls"
    )
    return f"{line}; {len(said.failures)} failures" if said.failures else f"{line}: all as expected"


def _score_text(kind: str, score: Score) -> str:
    parts = [
        f"{score.by_value} by a value",
        f"{score.by_refusal} only by a refusal",
        f"{score.by_crash} only by a crash{_silent_text(score)}",
        f"{score.explained} equivalent",
        f"{score.survived} survive",
    ]
    return (
        f"{kind}: {score.killed} of {score.wrong} caught ({', '.join(parts)}): "
        f"{score.percent:.1f} %, by a value {score.percent_by_value:.1f} %"
    )


def _silent_text(score: Score) -> str:
    return (
        f" ({score.silent} of these write no program that could be compared)"
        if score.by_crash
        else ""
    )


def named_checks(row: Row, trials: Sequence[Trial]) -> str:
    """Return the first of the checks that catch a copy, and how many more there are."""
    checks = killing_checks(row, trials)
    rest = len(checks) - MOST_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return ", ".join(checks[:MOST_NAMED]) + more


def _table(*columns: str) -> Table:
    table = Table()
    for column in columns:
        table.add_column(column, justify="right" if column in ("trials", "seconds") else "left")
    return table


def _score_json(score: Score) -> dict[str, object]:
    return {
        **asdict(score),
        "killed": score.killed,
        "percent": round(score.percent, 2),
        "percent_by_value": round(score.percent_by_value, 2),
    }


def _row_json(
    row: Row, trials: Sequence[Trial], equivalents: Mapping[str, str]
) -> dict[str, object]:
    return {
        "id": row.id,
        "title": row.title,
        "kind": row.kind,
        "status": row.status,
        "killed_by": killing_checks(row, trials),
        "by_value": row.by_value,
        "caught_by": row.caught_by,
        "killing_trials": list(row.killers),
        "timeouts": list(row.timeouts),
        "trials_run": len(row.ran),
        "equivalent": equivalents.get(row.id),
        "problem": row.problem,
    }
