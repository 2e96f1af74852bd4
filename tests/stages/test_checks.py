"""The check stage in the graph: what it runs, what it shows, and how it fails."""

import json
from pathlib import Path

import pytest

from checks.catalogue import items
from stages import checks
from tests.conftest import ROOT
from tests.pipeline.doit_project import Project
from tests.stages.graph_copy import copy_of_the_graph

PIPELINE = """\
version: 1
programs:
  - name: small
    source: small.mg
    wrt: [w]
"""
PROGRAM = "let w = [[1.0, 2.0], [3.0, 4.0]]\nprint col_sum(row_sum(exp(w * 0.1) * w))\n"
RULE = "autograd/rules.py"


@pytest.fixture
def graph(tmp_path: Path) -> Project:
    return copy_of_the_graph(tmp_path, PIPELINE, PROGRAM)


def test_the_subjects_are_those_of_the_checks() -> None:
    assert items([]) == list(checks.SUBJECTS)


def test_the_checks_of_one_program_pass_and_are_shown_again(graph: Project) -> None:
    first, second = graph.doit("check:small"), graph.doit("check:small")
    for printed in (first, second):
        assert "1. Every rule against an independent reference\n" in printed
        assert "complex-step" in printed
        assert " checks: " in printed
        assert ", 0 failed; " in printed
    assert second.endswith("1 artifact: up to date\n")


def test_a_wrong_rule_fails_with_both_numbers(graph: Project) -> None:
    right = "return ct * out"
    text = graph.read(RULE)
    assert text.count(right) == 1
    graph.write(RULE, text.replace(right, "return ct * out * 1.5"))
    for _ in range(2):
        printed = graph.doit("check:small", status=1)
        assert "FAILED complex-step" in printed
        (line, *_) = (line for line in printed.splitlines() if line.startswith("failed: check:"))
        assert "small: w[" in line
        assert "the tolerance 1e-12" in printed
    graph.write(RULE, text)
    graph.doit("check:small")


def test_the_report_holds_every_check(graph: Project) -> None:
    graph.doit("verdict:small", "verdict:refusals")
    paths = [graph.root / checks.result(item) for item in ("small", "refusals")]
    expected = sum(len(json.loads(path.read_text())["verdicts"]) for path in paths)
    report = json.loads((ROOT / checks.REPORT).read_text())
    assert report["failed"] == 0
    assert report["passed"] == len(report["checks"]) > expected
    assert set(report["checks"][0]) == set(checks.REPORTED)
