"""The stage of slow copies: what it measures, and when its gate fails."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from cost.limits import Limit
from cost.measure import measurement
from cost.toolchain import missing
from mutants.matrix import Cell, Outcome
from mutants.slow import SLOW, STRUCTURE, proofs_of_wrong
from mutants.trial import Trial
from pipeline.errors import MakeError
from pipeline.spec import Job
from stages import mutants, slow_copies
from stages.schema import Program
from tests.mutants.rows import TRIALS
from tests.mutants.rows import row as copy_row

[SHARING_OFF] = [each for each in SLOW if each.id == "s02-sharing-off"]
SOURCE = """\
let w = [[1.5, 2.5], [0.5, 1.0]]
print col_sum(row_sum(exp(w @ w) * exp(w @ w) + exp(w @ w) * w))
"""
TIGHT, LOOSE = Limit("optimized/hand", 1.0), Limit("optimized/hand", 1000.0)
OTHER_LEVEL = replace(TIGHT, level="O2")


def row(*excess: str) -> dict[str, object]:
    return {"program": "p", "times": {"plain": 1.0, "optimized": 1.25}, "excess": list(excess)}


def result(
    *rows: dict[str, object], problem: str = "", wrong: Sequence[str] = ()
) -> dict[str, object]:
    return {
        "copy": "s09-slow",
        "title": "all is done twice",
        "problem": problem,
        "proofs_of_wrong": list(wrong),
        "seen_by": ["unused"],
        "programs": list(rows),
    }


def test_the_gate_fails_where_no_limit_is_passed() -> None:
    line = "s09-slow: no limit of cost is passed by a copy in which all is done twice"
    assert slow_copies.judge(result(row(), row())) == line
    assert slow_copies.judge(result(row(), row("p: too much"))) == ""


def test_the_gate_fails_where_the_copy_is_wrong() -> None:
    found = slow_copies.judge(result(row("p: too much"), wrong=["slopes:small", "slopes:large"]))
    assert found == "s09-slow is slow but right, and is killed by slopes:small"


def test_nothing_is_said_of_a_copy_that_could_not_be_tried() -> None:
    with pytest.raises(MakeError, match="s09-slow: not loaded"):
        slow_copies.judge(result(row("p: too much"), problem="not loaded"))


def test_structure_may_see_a_slow_copy() -> None:
    trials = [*TRIALS, Trial("unused", "chapter", STRUCTURE, "All is used")]
    caught = Cell(Outcome.VALUE, "V")
    seen = replace(copy_row("s", "...."), cells={"unused:chapter": caught})
    assert proofs_of_wrong(seen, trials) == []
    wrong = replace(seen, cells={**seen.cells, "by-hand:chapter": caught})
    assert proofs_of_wrong(wrong, trials) == ["by-hand:chapter"]


def test_a_copy_has_a_row_for_each_program() -> None:
    rows = slow_copies.slow_rows(result(row(), row("one", "two")))
    assert rows == [
        ["p", "unused", "1.000", "1.250", "none"],
        ["p", "unused", "1.000", "1.250", "one; two"],
    ]
    assert len(rows[0]) == len(slow_copies.SLOW_COPIES.columns) - 1


def test_the_summary_counts_what_is_caught() -> None:
    results = [result(row()), result(row("p: too much"))]
    assert slow_copies.summary(results) == "2 slow copies: 1 right, and caught by a limit of cost"


def test_only_programs_with_limits_are_measured() -> None:
    programs = [
        Program("a", ("w",), source="a.mg", cost=True, limits=(TIGHT,)),
        Program("b", ("w",), source="b.mg", cost=True),
    ]
    artifact = slow_copies.measure(SHARING_OFF, programs)
    assert artifact.name == "slow:s02-sharing-off"
    assert artifact.inputs[0] == mutants.row(SHARING_OFF, programs).result
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
    target, tried = tmp_path / "slow.json", tmp_path / "row.json"
    shown = copy_row(SHARING_OFF.id, "..V.", "slow").as_json()
    tried.write_text(json.dumps({"rows": [shown], "trials": TRIALS}))
    inputs = (str(tried), *artifact.inputs[1:])
    slow_copies.write_costs(Job(inputs, (target,), config, tmp_path / "log"))
    written = json.loads(target.read_text())
    assert (written["problem"], written["seen_by"]) == ("", ["by-hand"])
    assert written["proofs_of_wrong"] == ["by-hand:chapter"]
    [found] = written["programs"]
    # Beside the program itself, in the place of every variant, a gradient costs more.
    assert found["times"]["optimized"] > 1.0
    assert len(found["excess"]) == 1
    assert found["excess"][0].startswith("small: optimized/hand in instructions at -O0 is ")
