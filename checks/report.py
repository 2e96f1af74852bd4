"""Verdicts as tables for people and as JSON for programs."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

from rich.table import Table

from checks.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from checks.verdict import Verdict


def print_tables(console: Console, verdicts: Sequence[Verdict]) -> None:
    """Print a table for each group, the failures with both numbers, and a summary line."""
    ordered = sorted(verdicts, key=lambda verdict: verdict.group)
    for group, members in groupby(ordered, key=lambda verdict: verdict.group):
        console.print(f"{group}. {GROUPS[group]}")
        console.print(_table(list(members)))
    for verdict in ordered:
        if not verdict.passed:
            console.print(
                f"FAILED {verdict.id} of {verdict.program}: {verdict.detail}\n"
                f"       the error is {verdict.worst:.3g}, the tolerance {verdict.tolerance:.3g} "
                f"{verdict.reason}"
            )
    console.print(summary(verdicts))


def summary(verdicts: Sequence[Verdict]) -> str:
    """Return the summary line."""
    failed = sum(not verdict.passed for verdict in verdicts)
    elements = sum(verdict.elements for verdict in verdicts)
    seconds = sum(verdict.seconds for verdict in verdicts)
    return (
        f"{len(verdicts)} checks: {len(verdicts) - failed} passed, {failed} failed; "
        f"{elements} elements compared in {seconds:.1f} s"
    )


def report_json(verdicts: Sequence[Verdict]) -> str:
    """Return the report: `checks` with every verdict, and how many `passed` and `failed`."""
    failed = sum(not verdict.passed for verdict in verdicts)
    report = {
        "checks": [verdict.as_json() for verdict in verdicts],
        "passed": len(verdicts) - failed,
        "failed": failed,
    }
    return json.dumps(report, indent=1) + "\n"


def _table(verdicts: Sequence[Verdict]) -> Table:
    table = Table()
    for column in ("check", "program", "elements", "worst", "where", "tolerance", "seconds"):
        numeric = column in ("elements", "worst", "tolerance", "seconds")
        table.add_column(column, justify="right" if numeric else "left", no_wrap=numeric)
    for verdict in verdicts:
        table.add_row(
            verdict.id if verdict.passed else f"{verdict.id} FAILED",
            verdict.program,
            str(verdict.elements),
            f"{verdict.worst:.2g}",
            verdict.where,
            f"{verdict.tolerance:.2g}",
            f"{verdict.seconds:.2f}",
        )
    return table
