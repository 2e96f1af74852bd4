"""The stage of slow copies: what it measures, and when its gate fails."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from cost.limits import Limit
from cost.measure import measurement
from cost.toolchain import missing
from mutants.slow import SLOW
from pipeline.spec import Job
from stages import slow_copies
from stages.schema import Program

[SHARING_OFF] = [each for each in SLOW if each.id == "s02-sharing-off"]
SOURCE = """\
let w = [[1.5, 2.5], [0.5, 1.0]]
print col_sum(row_sum(exp(w @ w) * exp(w @ w) + exp(w @ w) * w))
"""
TIGHT, LOOSE = Limit("optimized/hand", 1.0), Limit("optimized/hand", 1000.0)
OTHER_LEVEL = replace(TIGHT, level="O2")


def row(*excess: str) -> dict[str, object]:
    return {"program": "p", "times": {"plain": 1.0, "optimized": 1.25}, "excess": list(excess)}


def result(*rows: dict[str, object]) -> dict[str, object]:
    return {"copy": "s09-slow", "title": "all is done twice", "programs": list(rows)}


def test_the_gate_fails_where_no_limit_is_passed() -> None:
    line = "s09-slow: no limit of cost is passed by a copy in which all is done twice"
    assert slow_copies.judge(result(row(), row())) == line
    assert slow_copies.judge(result(row(), row("p: too much"))) == ""


def test_a_copy_has_a_row_for_each_program() -> None:
    rows = slow_copies.slow_rows(result(row(), row("one", "two")))
    assert rows == [["p", "1.000", "1.250", "none"], ["p", "1.000", "1.250", "one; two"]]
    assert len(rows[0]) == len(slow_copies.SLOW_COPIES.columns) - 1


def test_the_summary_counts_what_is_caught() -> None:
    results = [result(row()), result(row("p: too much"))]
    assert slow_copies.summary(results) == "2 slow copies: 1 caught by a limit of cost"


def test_only_programs_with_limits_are_measured() -> None:
    programs = [
        Program("a", ("w",), source="a.mg", cost=True, limits=(TIGHT,)),
        Program("b", ("w",), source="b.mg", cost=True),
    ]
    artifact = slow_copies.measure(SHARING_OFF, programs)
    assert artifact.name == "slow:s02-sharing-off"
    assert "a.mg" in artifact.inputs
    assert "b.mg" not in artifact.inputs


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_copy_is_measured_in_the_place_of_autograd(tmp_path: Path) -> None:
    file = tmp_path / "small.mg"
    file.write_text(SOURCE)
    limits = TIGHT, LOOSE, OTHER_LEVEL
    program = Program("small", ("w",), source=str(file), cost=True, limits=limits)
    artifact = slow_copies.measure(SHARING_OFF, [program])
    counted = tmp_path / "counted.json"
    measured = [measurement("small", name, SOURCE, "O0") for name in ("hand", "plain", "optimized")]
    counted.write_text(json.dumps({"measurements": [asdict(each) for each in measured]}))
    config = json.loads(json.dumps(artifact.config))
    config["programs"][0]["counted"] = str(counted)
    target = tmp_path / "slow.json"
    slow_copies.write_costs(Job(artifact.inputs, (target,), config, tmp_path / "log"))
    [found] = json.loads(target.read_text())["programs"]
    # Beside the program itself, in the place of every variant, a gradient costs more.
    assert found["times"]["optimized"] > 1.0
    assert len(found["excess"]) == 1
    assert found["excess"][0].startswith("small: optimized/hand in instructions at -O0 is ")
