"""The kill matrix as one HTML page that needs nothing else; scripts only hide rows."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from checks.groups import GROUPS
from mutants.html_style import SCRIPT, STYLE
from mutants.matrix import CATCHES, Cell, Outcome, Row
from mutants.report import killing_checks, outcome_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mutants.matrix import Summary
    from mutants.trial import Trial

LETTERS = {
    Outcome.VALUE: "V",
    Outcome.REFUSAL: "R",
    Outcome.CRASH: "C",
    Outcome.TIMEOUT: "T",
    Outcome.SETTLED: "",
    Outcome.PASS: "·",
    Outcome.SAME: "",
}
LEGEND = {
    Outcome.VALUE: "caught by a value: a wrong number, shape or text",
    Outcome.REFUSAL: "caught because a program was refused",
    Outcome.CRASH: "caught by a crash, or what was written is not a program",
    Outcome.TIMEOUT: "took too long, which proves nothing",
    Outcome.SETTLED: "not run: the check has caught the copy by a value on a smaller program",
    Outcome.PASS: "another text than the original's, and it passes",
    Outcome.SAME: "the same texts as the original's, so the verdict is known",
}
STRONGEST_FIRST = (*CATCHES, Outcome.TIMEOUT, Outcome.SETTLED, Outcome.PASS, Outcome.SAME)
TITLES = {
    "hand": "Wrong on purpose, written by hand",
    "generated": "Wrong on purpose, generated",
    "harmless": "Harmless: these must survive",
    "control": "Controls: these must be caught",
}
MOST_IN_A_TOOLTIP = 4


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the heat map: trials that belong together."""

    name: str
    title: str
    trials: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Band:
    """Columns under one heading."""

    title: str
    columns: tuple[_Column, ...]


def html_page(
    rows: Sequence[Row],
    said: Summary,
    trials: Sequence[Trial],
    equivalents: Mapping[str, str],
) -> str:
    """Return the page: the summary, the heat map, and each copy with its diff."""
    bands = [*_by_check(trials), *_by_program(trials)]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Kill matrix</title><style>{STYLE}</style></head><body>",
        "<h1>Kill matrix</h1>",
        (
            "<p>Each row is a copy of autograd with one change in it, each column a check; on the "
            "right the same trials are grouped by program.</p>"
        ),
        *_summary(rows, said, trials),
        *_legend(),
        *_heat_map(rows, bands, said),
        "<h2>The copies</h2>",
        *(line for row in rows for line in _copy(row, trials, equivalents)),
        f"<script>{SCRIPT}</script></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _by_check(trials: Sequence[Trial]) -> list[_Band]:
    ordered = sorted(trials, key=lambda trial: trial.group)
    return [
        _Band(
            f"{group}. {GROUPS[group]}",
            tuple(
                _Column(check, members[0].title, tuple(trial.id for trial in members))
                for check, members in _grouped((trial.check, trial) for trial in of_group).items()
            ),
        )
        for group, of_group in groupby(ordered, key=lambda trial: trial.group)
    ]


def _by_program(trials: Sequence[Trial]) -> list[_Band]:
    """Return a column for each item of several checks; that of one check has a column already."""
    items = _grouped((trial.item, trial) for trial in trials)
    columns = tuple(
        _Column(item, f"All checks of {item}", tuple(trial.id for trial in members))
        for item, members in items.items()
        if len(members) > 1
    )
    return [_Band("By program", columns)] if columns else []


def _grouped(pairs: Iterable[tuple[str, Trial]]) -> dict[str, list[Trial]]:
    groups: dict[str, list[Trial]] = {}
    for name, trial in pairs:
        groups.setdefault(name, []).append(trial)
    return groups


def _summary(rows: Sequence[Row], said: Summary, trials: Sequence[Trial]) -> list[str]:
    total = said.total
    verdict = "as it should be" if said.exit_status == 0 else "not as it should be"
    checks = len({trial.check for trial in trials})
    lines = [
        f'<section class="summary status{said.exit_status}">',
        (
            f"<p><strong>{total.killed} of {total.wrong} wrong copies are caught</strong>, "
            f"{total.by_value} by a value, {total.by_refusal} only by a refusal, "
            f"{total.by_crash} only by a crash; {total.explained} are equivalent to the original "
            f"and {total.survived} survive. All is {verdict}.</p>"
        ),
        *_list("What is wrong", [*said.failures, *said.void], opened=True),
        (
            f"<p>{len(said.minimal_checks)} of {checks} checks catch as much as all do: "
            f"{_codes(said.minimal_checks)}.</p>"
        ),
        (
            f"<p>So do {len(said.minimal_trials)} of {len(trials)} trials: "
            f"{_codes(said.minimal_trials)}.</p>"
        ),
    ]
    if said.idle:
        lines.append(f"<p>These catch nothing here: {_codes(said.idle)}.</p>")
    titles = {row.id: row.title for row in rows}
    missed = [f"{id_}: {titles[id_]}" for id_ in said.missed_by_chapters]
    lines += _list(
        f"{len(missed)} that the chapters' own programs (groups 3 and 4) would have missed", missed
    )
    alone = [f"{check}: {', '.join(copies)}" for check, copies in said.sole.items()]
    lines += _list(f"{len(alone)} checks that alone catch something", alone)
    return [*lines, "</section>"]


def _list(title: str, lines: Sequence[str], *, opened: bool = False) -> list[str]:
    if not lines:
        return []
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    start = "<details open>" if opened else "<details>"
    return [f"{start}<summary>{escape(title)}</summary><ul>{items}</ul></details>"]


def _codes(names: Sequence[str]) -> str:
    return ", ".join(f"<code>{escape(name)}</code>" for name in names)


def _legend() -> list[str]:
    marks = "".join(
        f'<li><span class="mark {_style(outcome)}">{LETTERS[outcome]}</span> {LEGEND[outcome]}</li>'
        for outcome in STRONGEST_FIRST
    )
    return [f'<ul class="legend">{marks}</ul>']


def _heat_map(rows: Sequence[Row], bands: Sequence[_Band], said: Summary) -> list[str]:
    needed = set(said.minimal_checks)
    heads = "".join(
        f'<th class="name{" needed" if column.name in needed else ""}" '
        f'title="{escape(column.title)}"><span>{escape(column.name)}</span></th>'
        for band in bands
        for column in band.columns
    )
    tops = "".join(
        f'<th colspan="{len(band.columns)}" title="{escape(band.title)}">'
        f"<div>{escape(band.title)}</div></th>"
        for band in bands
    )
    lines = [
        (
            '<p class="filter" hidden><label>Show copies whose name or fault contains '
            '<input type="search"></label></p>'
        ),
        '<div class="scroll"><table class="map"><thead>',
        f'<tr class="bands"><th></th>{tops}</tr><tr><th class="corner">copy</th>{heads}</tr>',
        "</thead>",
    ]
    width = 1 + sum(len(band.columns) for band in bands)
    for kind, title in TITLES.items():
        members = [row for row in rows if row.kind == kind]
        if members:
            lines.append(f'<tbody><tr class="kind"><th colspan="{width}">{title}</th></tr>')
            lines += [_line(row, bands) for row in members]
            lines.append("</tbody>")
    return [*lines, "</table></div>"]


def _line(row: Row, bands: Sequence[_Band]) -> str:
    cells: list[str] = []
    for band in bands:
        for number, column in enumerate(band.columns):
            cells.append(_square(row, column, starts_band=number == 0))
    name = f'<a href="#{escape(row.id)}">{escape(row.id)}</a>'
    return f'<tr class="copy"><th title="{escape(row.title)}">{name}</th>{"".join(cells)}</tr>'


def _square(row: Row, column: _Column, *, starts_band: bool) -> str:
    cells = {trial: row.cells[trial] for trial in column.trials if trial in row.cells}
    outcomes = {cell.outcome for cell in cells.values()}
    outcome = next((each for each in STRONGEST_FIRST if each in outcomes), None)
    classes = " ".join(filter(None, ("start" if starts_band else "", _style(outcome))))
    if outcome in (None, Outcome.SAME):
        return f'<td class="{classes}"></td>'
    of_it = {trial: cell for trial, cell in cells.items() if cell.outcome is outcome}
    tooltip = escape(_tooltip(column, of_it))
    return f'<td class="{classes}" title="{tooltip}">{LETTERS[outcome]}</td>'


def _tooltip(column: _Column, cells: Mapping[str, Cell]) -> str:
    shown = [f"{trial}: {_said(cell)}" for trial, cell in cells.items()][:MOST_IN_A_TOOLTIP]
    rest = len(cells) - len(shown)
    return "\n".join([column.title, *shown, *([f"and {rest} more"] if rest else [])])


def _said(cell: Cell) -> str:
    return f"{cell.outcome}: {cell.detail}" if cell.detail else str(cell.outcome)


def _style(outcome: Outcome | None) -> str:
    return "none" if outcome is None else outcome.name.lower()


def _copy(row: Row, trials: Sequence[Trial], equivalents: Mapping[str, str]) -> list[str]:
    style = _style(row.caught_by) if not row.problem else "timeout"
    said = [f"<p>{escape(row.problem)}</p>"] if row.problem else []
    if row.id in equivalents:
        said.append(f"<p>Equivalent to the original: {escape(equivalents[row.id])}</p>")
    if row.killers:
        said.append(f"<p>Caught by {_codes(killing_checks(row, trials))}.</p>")
    ran = set(row.ran)
    told = [
        f"<tr><td><code>{escape(trial)}</code></td>"
        f'<td><span class="mark {_style(cell.outcome)}">{LETTERS[cell.outcome]}</span></td>'
        f"<td>{escape(_said(cell))}</td></tr>"
        for trial, cell in row.cells.items()
        if trial in ran
    ]
    rest = len(row.cells) - len(told)
    table = f'<div class="scroll"><table class="trials">{"".join(told)}</table></div>'
    return [
        (
            f'<details class="copy" id="{escape(row.id)}"><summary><code>{escape(row.id)}</code> '
            f'<span class="mark {style}">{escape(outcome_text(row))}</span> {escape(row.title)}'
            "</summary>"
        ),
        *said,
        _diff(row.diff),
        (
            f"<details><summary>{len(told)} trials that were run, {rest} that need not be"
            f"</summary>{table}</details>"
        ),
        "</details>",
    ]


def _diff(diff: str) -> str:
    def styled(line: str) -> str:
        kind = {"+": "added", "-": "removed", "@": "hunk"}.get(line[:1], "")
        return f'<span class="{kind}">{escape(line)}</span>' if kind else escape(line)

    return "<pre>" + "\n".join(map(styled, diff.splitlines())) + "</pre>"
