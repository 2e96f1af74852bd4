"""The run as a report of the mutation testing report schema, version 2, which viewers can show.

https://github.com/stryker-mutator/mutation-testing-elements/tree/master/packages/report-schema
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mutants.matrix import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mutants.matrix import Row
    from mutants.trial import Trial

_FILE = re.compile(r"^--- (?:a/)?(\S+)", re.MULTILINE)
_HUNK = re.compile(r"^@@ -(\d+)")


@dataclass(frozen=True, slots=True)
class Change:
    """The part of a file's text, from `start` to `end`, in place of which a copy has another."""

    file: str
    source: str
    start: int
    end: int
    replacement: str


def stryker_json(
    rows: Sequence[Row],
    trials: Sequence[Trial],
    equivalents: Mapping[str, str],
    original: Path,
) -> str:
    """Return the rows as JSON in the schema; `original` is the folder of the autograd package."""
    files: dict[str, dict[str, object]] = {}
    mutants: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        change = change_of(row.diff, original) if row.diff else None
        if change is None:
            continue
        files.setdefault(change.file, {"language": "python", "source": change.source})
        mutants.setdefault(change.file, []).append(_mutant(row, change, equivalents))
    report = {
        "schemaVersion": "2",
        "thresholds": {"high": 100, "low": 100},
        "framework": {"name": "mutants"},
        "files": {file: {**files[file], "mutants": mutants[file]} for file in files},
        "testFiles": {
            f"checks/{check}": {
                "tests": [
                    {"id": trial.id, "name": f"{trial.title} ({trial.item})"}
                    for trial in trials
                    if trial.check == check
                ]
            }
            for check in dict.fromkeys(trial.check for trial in trials)
        },
    }
    return json.dumps(report, indent=1) + "\n"


def change_of(diff: str, original: Path) -> Change | None:
    """Return what a unified diff of one file changes, as narrow as it can be."""
    named = _FILE.search(diff)
    if named is None:
        return None
    file = named.group(1)
    source = (original / file).read_text(encoding="utf-8")
    changed = _patched(source, diff)
    start = _same(source, changed)
    rest, other = source[start:], changed[start:]
    same = _same(rest[::-1], other[::-1])
    return Change(file, source, start, len(source) - same, other[: len(other) - same])


def _same(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = zip(one, other, strict=False)
    different = (place for place, (mine, its) in enumerate(pairs) if mine != its)
    return next(different, min(len(one), len(other)))


def _patched(source: str, diff: str) -> str:
    old = source.splitlines(keepends=True)
    new: list[str] = []
    position = 0
    for line in diff.splitlines(keepends=True):
        hunk = _HUNK.match(line)
        if hunk:
            begin = int(hunk.group(1)) - 1
            new += old[position:begin]
            position = begin
        elif line.startswith(("--- ", "+++ ")):
            continue
        elif line.startswith("+"):
            new.append(line[1:])
        elif line.startswith("-"):
            position += 1
        elif line.startswith(" "):
            new.append(old[position])
            position += 1
    return "".join(new + old[position:])


def _mutant(row: Row, change: Change, equivalents: Mapping[str, str]) -> dict[str, object]:
    status, reason = _status(row, equivalents)
    covered = list(row.ran)
    return {
        "id": row.id,
        "mutatorName": row.kind,
        "description": row.title,
        "replacement": change.replacement,
        "location": {
            "start": _position(change.source, change.start),
            "end": _position(change.source, change.end),
        },
        "status": status,
        "statusReason": reason,
        "killedBy": list(row.killers),
        "coveredBy": covered,
        "testsCompleted": len(covered),
    }


def _status(row: Row, equivalents: Mapping[str, str]) -> tuple[str, str]:
    if row.problem:
        return "Pending", f"error: {row.problem}"
    if row.caught_by is not None:
        first = row.cells[
            next(id_ for id_ in row.killers if row.cells[id_].outcome is row.caught_by)
        ]
        status = "RuntimeError" if row.caught_by is Outcome.CRASH else "Killed"
        return status, f"{first.outcome}: {first.detail}"
    return _status_of_survivor(row, equivalents)


def _status_of_survivor(row: Row, equivalents: Mapping[str, str]) -> tuple[str, str]:
    if not row.wrong:
        return "Ignored", f"{row.kind}: it is not a fault that counts"
    if row.id in equivalents:
        return "Ignored", f"equivalent: {equivalents[row.id]}"
    if row.timeouts:
        return "Timeout", f"{len(row.timeouts)} checks took too long, which proves nothing"
    if all(cell.outcome is Outcome.SAME for cell in row.cells.values()):
        return "NoCoverage", "no check sees another text than the original's"
    return "Survived", "other texts, with the same values"


def _position(source: str, offset: int) -> dict[str, int]:
    before = source[:offset]
    return {"line": before.count("\n") + 1, "column": offset - (before.rfind("\n") + 1) + 1}
