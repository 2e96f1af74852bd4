from pathlib import Path

import pytest

from mutants.baseline import Baseline, baseline_of
from mutants.matrix import Cell, Outcome
from mutants.run import run_copy
from mutants.worker import ANSWERS
from tests.mutants.fake_suite import RIGHT, Suite, write_copy

WRONG = RIGHT.replace("2 *", "3 *")


class Loud(Suite):
    """Says in its verdicts how often it was asked for one, in all its processes."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self.log = log

    def run(self, trial, subject):  # noqa: ANN001, ANN201 - as in the suite
        with self.log.open("a") as stream:
            stream.write(f"{trial.id}\n")
        return super().run(trial, subject)


@pytest.fixture
def suite(tmp_path: Path) -> Loud:
    return Loud(tmp_path / "log")


@pytest.fixture
def baseline(suite: Loud, tmp_path: Path) -> Baseline:
    found = baseline_of(suite, write_copy(tmp_path / "original", RIGHT))
    suite.log.write_text("")
    return found


def ran(suite: Loud) -> list[str]:
    said = suite.log.read_text().split()
    suite.log.write_text("")
    return said


def test_what_is_answered_as_before_is_not_run(
    suite: Loud, baseline: Baseline, tmp_path: Path
) -> None:
    copy = write_copy(tmp_path / "copy", WRONG)
    first = run_copy(copy, suite, baseline)
    assert ran(suite) == ["slope:three", "step:three"]
    assert run_copy(copy, suite, baseline).cells == first.cells
    assert ran(suite) == []
    (copy / "tool.py").write_text(WRONG.replace("{x} - {", "{x}-{"))
    assert run_copy(copy, suite, baseline).cells.keys() == first.cells.keys()
    assert ran(suite) == ["step:three"]
    run_copy(copy, suite, baseline)
    assert ran(suite) == []


def test_what_only_the_original_is_not_asked_is_remembered_too(
    suite: Loud, baseline: Baseline, tmp_path: Path
) -> None:
    copy = write_copy(tmp_path / "copy", RIGHT.replace("2 *", "22 *"))
    first = run_copy(copy, suite, baseline)
    ran(suite)
    assert run_copy(copy, suite, baseline).cells == first.cells
    assert ran(suite) == []


def test_another_version_of_the_checks_remembers_nothing(
    suite: Loud, baseline: Baseline, tmp_path: Path
) -> None:
    copy = write_copy(tmp_path / "copy", WRONG)
    run_copy(copy, suite, baseline)
    ran(suite)
    suite.version = "2"
    run_copy(copy, suite, baseline)
    assert ran(suite) == ["slope:three", "step:three"]


@pytest.mark.parametrize("content", [b"", b"no", b"x\x9cK\x04\x00\x00b\x00b"])
def test_a_damaged_memory_is_none(
    content: bytes, suite: Loud, baseline: Baseline, tmp_path: Path
) -> None:
    copy = write_copy(tmp_path / "copy", WRONG)
    first = run_copy(copy, suite, baseline)
    (copy / ANSWERS).write_bytes(content)
    assert run_copy(copy, suite, baseline).cells == first.cells


def test_a_crash_is_met_again(suite: Loud, baseline: Baseline, tmp_path: Path) -> None:
    copy = write_copy(tmp_path / "copy", RIGHT.replace('return f"2 * {x}"', "return 1 / 0"))
    for _ in range(2):
        cells = run_copy(copy, suite, baseline).cells.values()
        assert {cell.outcome for cell in cells} == {Outcome.CRASH}
        assert len(ran(suite)) == 3


def test_a_cell_survives_the_file(suite: Loud, baseline: Baseline, tmp_path: Path) -> None:
    copy = write_copy(tmp_path / "copy", WRONG)
    run_copy(copy, suite, baseline)
    assert run_copy(copy, suite, baseline).cells["slope:three"] == Cell(
        Outcome.VALUE, "x: 9.0, expected 6.0; error 3, tolerance 0"
    )
