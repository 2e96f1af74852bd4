"""Verdicts as JSON, as tables and as a summary."""

import io
import json
from math import inf

from rich.console import Console

from checks.report import print_tables, report_json, summary
from checks.verdict import Verdict, verdict_from_json

GOOD = Verdict(
    id="complex-step",
    group=1,
    title="Every element",
    program="m01",
    passed=True,
    elements=25,
    worst=1e-15,
    tolerance=1e-12,
    reason="of the largest element",
    detail="c[1, 1]: 1.25, expected 1.5",
    seconds=0.25,
)
BAD = Verdict(
    id="tied-maxima",
    group=2,
    title="Ties",
    program="kinks",
    passed=False,
    elements=3,
    worst=inf,
    tolerance=0.0,
    reason="of nothing",
    detail="m[0, 1]: nan, expected 0.5",
    seconds=0.5,
    cause="value",
)


def test_a_verdict_survives_json() -> None:
    for verdict in (GOOD, BAD):
        assert verdict_from_json(json.loads(json.dumps(verdict.as_json()))) == verdict


def test_json_has_no_infinity() -> None:
    report = json.loads(report_json([GOOD, BAD]), parse_constant=lambda name: f"not JSON: {name}")
    assert (report["passed"], report["failed"]) == (1, 1)
    assert report["checks"][0]["worst"] == 1e-15
    assert report["checks"][1]["worst"] == "inf"
    wanted = ("id", "group", "title", "program", "passed", "elements", "worst", "tolerance")
    assert {*wanted, "detail"} <= set(report["checks"][0])


def printed(*verdicts: Verdict) -> str:
    stream = io.StringIO()
    print_tables(Console(file=stream, width=120, highlight=False, markup=False), verdicts)
    return stream.getvalue()


def test_a_group_is_a_table() -> None:
    lines = printed(BAD, GOOD).splitlines()
    titles = [line for line in lines if line[:1].isdigit()]
    assert titles[0] == "1. Every rule against an independent reference"
    assert titles[1] == "2. Ties and kinks"
    (row,) = [line for line in lines if "complex-step" in line]
    assert [cell.strip() for cell in row.split("│")[1:-1]] == [
        *("complex-step", "m01", "25", "1e-15", "c[1, 1]", "1e-12", "0.25"),
    ]


def test_a_failure_is_told_with_both_numbers() -> None:
    text = printed(GOOD, BAD)
    assert "tied-maxima FAILED" in text
    assert "FAILED tied-maxima of kinks: m[0, 1]: nan, expected 0.5\n" in text
    assert "the error is inf, the tolerance 0 of nothing" in text
    assert text.endswith("2 checks: 1 passed, 1 failed; 28 elements compared in 0.8 s\n")


def test_the_summary_counts() -> None:
    assert summary([GOOD]) == "1 checks: 1 passed, 0 failed; 25 elements compared in 0.2 s"
