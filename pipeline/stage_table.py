"""The tables of a stage, from the result files of its artifacts: the same whether any was made."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from pipeline.records import FRESH, MADE
from pipeline.spec import Artifact, Stage
from pipeline.table import print_table

Result = Mapping[str, object]


def print_stage(
    stream: TextIO, stage: Stage, artifacts: Sequence[Artifact], outcomes: Mapping[str, str]
) -> None:
    """Print the tables and the summary; an artifact without a good result has one row."""
    results = {spec.name: _result(spec, outcomes[spec.name]) for spec in artifacts}
    tables: dict[str, list[list[str]]] = {}
    for name, result in results.items():
        for title, row in _rows(stage, name, result, outcomes[name]):
            tables.setdefault(title, []).append(row)
    columns = [column for column in stage.columns if column != stage.by]
    for title in sorted(tables):
        print_table(stream, title, columns, without_repeats(tables[title]))
    if stage.summary is not None:
        known = [result for result in results.values() if result is not None]
        stream.write(f"{stage.summary(known)}\n")


def _result(spec: Artifact, outcome: str) -> Result | None:
    """Return the content of an artifact's result file, None if this run has no good one."""
    if spec.result is None or outcome not in {MADE, FRESH}:
        return None
    content: Result = json.loads(Path(spec.result).read_text())
    return content


def _rows(
    stage: Stage, name: str, result: Result | None, outcome: str
) -> Iterator[tuple[str, list[str]]]:
    """Yield the title of a table and a row for it; without a result, a row that says so."""
    item = name.partition(":")[2]
    if result is None:
        shown = len(stage.columns) - (2 if stage.by is None else 3)
        yield stage.name, [item, outcome, *[""] * shown]
        return
    for cells in stage.rows(result):
        row = [item, *cells]
        title = stage.name if stage.by is None else row.pop(stage.columns.index(stage.by))
        yield title, row


def without_repeats(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows with an item's name in its first row alone."""
    shown: list[list[str]] = []
    last = None
    for item, *cells in rows:
        shown.append(["" if item == last else item, *cells])
        last = item
    return shown
