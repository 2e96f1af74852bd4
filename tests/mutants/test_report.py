import json
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from mutants.baseline import Baseline, Original
from mutants.html_page import html_page
from mutants.matrix import Cell, Outcome, Row, summary
from mutants.reach import Text
from mutants.report import (
    failed_baseline_json,
    print_baseline,
    print_rows,
    print_summary,
    report_json,
)
from mutants.stryker import change_of, stryker_json
from tests.mutants.rows import TRIALS, row

EQUIVALENTS = {"e": "x + 0 is x"}
ROWS = [
    row("a", "VV.p"),
    row("b", "...C"),
    row("e", "p...", "generated"),
    row("g", "V...", "generated"),
    row("t", "T...", "generated"),
    row("h", "....", "harmless"),
    row("c", "CCCC", "control"),
]
SAID = summary(ROWS, TRIALS, EQUIVALENTS)

SOURCE = "def rule(ct):\n    return -ct\n\n\ndef other(ct):\n    return ct\n"
DIFF = (
    "--- a/autograd/rules.py\n"
    "+++ b/autograd/rules.py\n"
    "@@ -1,5 +1,5 @@\n"
    " def rule(ct):\n"
    "-    return -ct\n"
    "+    return ct\n"
    " \n"
    " \n"
    " def other(ct):\n"
)


def printed(show: object, *arguments: object) -> str:
    stream = StringIO()
    show(Console(file=stream, width=150, markup=False), *arguments)  # type: ignore[operator]
    return stream.getvalue()


def test_the_report() -> None:
    report = json.loads(report_json(ROWS, SAID, TRIALS, EQUIVALENTS))
    assert report["baseline"] == "pass"
    first, second = report["mutants"][:2]
    assert first["killed_by"] == ["slopes"]
    assert first["killing_trials"] == ["slopes:small", "slopes:chapter"]
    assert (first["status"], first["by_value"]) == ("killed", True)
    assert (second["status"], second["by_value"]) == ("killed", False)
    assert report["minimal_checks"] == ["slopes", "random"]
    assert report["score"]["wrong"] == 5
    assert report["score"]["by_kind"]["hand"]["killed"] == 2
    assert [one["equivalent"] for one in report["mutants"] if one["id"] == "e"] == ["x + 0 is x"]


def test_the_report_does_not_tell_the_time() -> None:
    slower = [replace(one, seconds=9.0) for one in ROWS]
    assert report_json(slower, SAID, TRIALS, {}) == report_json(ROWS, SAID, TRIALS, {})


def test_the_tables() -> None:
    text = printed(print_rows, ROWS, TRIALS)
    lines = {line.split()[1]: line for line in text.splitlines() if line.startswith("│")}
    assert "by value" in lines["a"]
    assert "2/3" in lines["a"]
    assert "only by crash" in lines["b"]
    assert "survives" in lines["e"]
    assert "too slow, no catch" in lines["t"]
    assert "harmless: what h does" in lines["h"]
    assert "g" not in lines
    assert "1 generated ones are caught by a value" in text


def test_the_summary() -> None:
    text = printed(print_summary, ROWS, SAID, TRIALS, EQUIVALENTS)
    assert "2 of 3 checks catch as much: slopes, random" in text
    assert "catch nothing here: by-hand" in text
    assert "(groups 3 and 4) would have missed 3:\n  a: what a does\n  b: what b does" in text
    assert "e is equivalent: x + 0 is x" in text
    assert "hand: 2 of 2 caught (1 by a value, 0 only by a refusal, 1 only by a crash" in text
    assert "t survives (1 checks took too long): what t does" in text
    assert text.splitlines()[-1].endswith("1 failures")


def test_a_good_run_says_so() -> None:
    rows = [row("a", "V..."), row("c", "C...", "control")]
    text = printed(print_summary, rows, summary(rows, TRIALS, {}), TRIALS, {})
    assert text.splitlines()[-1] == (
        "1 of 1 wrong versions caught, 1 by a value; 0 harmless ones, 1 controls: all as expected"
    )


def test_a_void_run_says_so() -> None:
    rows = [row("c", "....", "control")]
    text = printed(print_summary, rows, summary(rows, TRIALS, {}), TRIALS, {})
    assert text.splitlines()[-1].startswith("this run proves nothing")


def test_a_failed_baseline_is_reported_alone() -> None:
    cell = Cell(Outcome.VALUE, "1.0, expected 2.0")
    original = Original(Text({}, {}), frozenset(), {}, {})
    baseline = Baseline(original, TRIALS, {}, {}, {}, {}, {"random:random": cell})
    assert json.loads(failed_baseline_json(baseline))["baseline"] == "fail"
    assert "random:random: value: 1.0, expected 2.0" in printed(print_baseline, baseline)


@pytest.fixture
def original(tmp_path: Path) -> Path:
    (tmp_path / "autograd").mkdir()
    (tmp_path / "autograd" / "rules.py").write_text(SOURCE)
    return tmp_path


def test_a_change_is_narrow(original: Path) -> None:
    change = change_of(DIFF, original)
    assert change is not None
    assert SOURCE[change.start : change.end] == "-"
    assert change.replacement == ""


def test_the_last_line_can_change(original: Path) -> None:
    head = "--- a/autograd/rules.py\n+++ b/autograd/rules.py\n"
    diff = head + "@@ -6,1 +6,1 @@\n-    return ct\n+    x\n"
    change = change_of(diff, original)
    assert change is not None
    assert (SOURCE[change.start : change.end], change.replacement) == ("return ct", "x")


def test_the_stryker_report(original: Path) -> None:
    rows = [replace(one, diff=DIFF) for one in ROWS]
    report = json.loads(stryker_json(rows, TRIALS, EQUIVALENTS, original))
    assert report["schemaVersion"] == "2"
    [(name, file)] = report["files"].items()
    assert (name, file["source"]) == ("autograd/rules.py", SOURCE)
    assert {one["id"]: one["status"] for one in file["mutants"]} == {
        "a": "Killed",
        "b": "RuntimeError",
        "e": "Ignored",
        "g": "Killed",
        "t": "Timeout",
        "h": "Ignored",
        "c": "RuntimeError",
    }
    first = file["mutants"][0]
    assert first["killedBy"] == ["slopes:small", "slopes:chapter"]
    assert first["coveredBy"] == ["slopes:small", "slopes:chapter", "random:random"]
    assert first["location"] == {
        "start": {"line": 2, "column": 12},
        "end": {"line": 2, "column": 13},
    }
    tests = {one["id"] for each in report["testFiles"].values() for one in each["tests"]}
    assert tests == {trial.id for trial in TRIALS}


class Page(HTMLParser):
    """Keeps the texts of table cells, and requires that tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.titles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "input"):
            self.open.append(tag)
        self.titles += [value for name, value in attrs if name == "title" and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.seen.append(data)


def test_the_page_is_whole_and_loads_nothing() -> None:
    rows = [Row("<m>", "a < b", "hand", DIFF, ROWS[0].cells), *ROWS[1:]]
    text = html_page(rows, summary(rows, TRIALS, EQUIVALENTS), TRIALS, EQUIVALENTS)
    assert "http" not in text
    assert "src=" not in text
    page = Page()
    page.feed(text)
    assert not page.open
    assert "V" in page.seen
    assert "slopes:small: value: V of slopes:small" in "\n".join(page.titles)
    assert "-    return -ct" in page.seen
    assert "<m>" in page.seen
