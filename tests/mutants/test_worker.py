import time
from pathlib import Path

import pytest

from mutants.baseline import Baseline, baseline_of
from mutants.matrix import Cell, Outcome, Row
from mutants.run import run_copies, run_copy
from mutants.worker import Limits
from tests.mutants.fake_suite import RIGHT, Suite, write_copy

QUICK = Limits(cpu_seconds=0.2, times_baseline=1.0, wall_factor=3.0, memory=256 << 20)
TRIALS = ("slope:three", "slope:four", "step:three")

HANGS_AT_FOUR = (
    RIGHT
    + """
right = gradient
def gradient(x):
    while x == 4:
        pass
    return right(x)
"""
)
DIES_AT_FOUR = """
import os
def gradient(x):
    if x == 4:
        {death}
    return f"2 * {{x}}"

def descent(x):
    return f"{{x}} - {{gradient(x)}}"
"""


@pytest.fixture
def suite() -> Suite:
    return Suite()


@pytest.fixture
def baseline(suite: Suite, tmp_path: Path) -> Baseline:
    return baseline_of(suite, write_copy(tmp_path / "original", RIGHT))


def row_of(text: str, suite: Suite, baseline: Baseline, tmp_path: Path) -> Row:
    return run_copy(write_copy(tmp_path / "copy", text), suite, baseline, QUICK)


def outcomes(row: Row) -> list[str]:
    assert tuple(row.cells) == TRIALS
    return [cell.outcome.value for cell in row.cells.values()]


def test_the_original_passes_what_applies_to_it(baseline: Baseline) -> None:
    assert [trial.id for trial in baseline.trials] == list(TRIALS)
    assert not baseline.failed


def test_an_original_that_fails_is_told(suite: Suite, tmp_path: Path) -> None:
    original = write_copy(tmp_path / "original", RIGHT.replace("2 *", "3 *"))
    assert list(baseline_of(suite, original).failed) == list(TRIALS)


def test_the_same_text_is_not_run(suite: Suite, baseline: Baseline, tmp_path: Path) -> None:
    assert outcomes(row_of(RIGHT + "# harmless\n", suite, baseline, tmp_path)) == ["same text"] * 3


def test_another_text_of_the_same_value_passes(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    row = row_of(RIGHT.replace("2 * {x}", "{x} * 2"), suite, baseline, tmp_path)
    assert outcomes(row) == ["pass"] * 3
    assert row.status == "survived"


def test_a_wrong_value_is_caught_with_both_numbers(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    row = row_of(RIGHT.replace("2 *", "3 *"), suite, baseline, tmp_path)
    assert row.cells["slope:three"] == Cell(
        Outcome.VALUE, "x: 9.0, expected 6.0; error 3, tolerance 0"
    )
    assert row.status == "killed"
    assert row.by_value


def test_a_check_that_has_caught_by_a_value_is_not_run_again(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    row = row_of(RIGHT.replace("2 *", "3 *"), suite, baseline, tmp_path)
    assert outcomes(row) == ["value", "settled", "value"]
    assert row.ran == row.killers == ("slope:three", "step:three")


def test_a_check_that_has_caught_by_less_than_a_value_is_run_again(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    text = RIGHT.replace("def gradient(x):", "def gradient(x):\n    if x == 3: return Refusal('')")
    wrong = text.replace("2 *", "3 *")
    assert outcomes(row_of(wrong, suite, baseline, tmp_path)) == ["refusal", "value", "crash"]


def test_a_new_child_knows_which_checks_are_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mutants.worker.FLUSH_SECONDS", 0.0)
    suite = Suite()
    suite.trials = [suite.trials[each] for each in (0, 2, 1)]
    baseline = baseline_of(suite, write_copy(tmp_path / "original", RIGHT))
    text = RIGHT.replace("2 *", "3 *").replace(
        "def descent(x):", "import os\ndef descent(x):\n    os.abort()"
    )
    row = run_copy(write_copy(tmp_path / "copy", text), suite, baseline, QUICK)
    assert [cell.outcome.value for cell in row.cells.values()] == ["value", "crash", "settled"]


def test_what_a_child_had_not_told_is_run_again_when_it_dies(
    suite: Suite, baseline: Baseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mutants.worker.FLUSH_SECONDS", 60.0)
    text = RIGHT.replace("2 * {x}", "{x} * 2").replace(
        "def descent(x):", "import os\ndef descent(x):\n    os.abort()"
    )
    assert outcomes(row_of(text, suite, baseline, tmp_path)) == ["pass", "pass", "crash"]


def test_only_what_differs_is_run(suite: Suite, baseline: Baseline, tmp_path: Path) -> None:
    row = row_of(RIGHT.replace("- {grad", "+ {grad"), suite, baseline, tmp_path)
    assert outcomes(row) == ["same text", "same text", "value"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return Refusal('no')", "refusal"),
        ("return 'not ( a program'", "crash"),
        ("raise ValueError('no')", "crash"),
        ("raise SystemExit(0)", "crash"),
        ("return ''", "crash"),
    ],
)
def test_what_is_no_value(
    body: str, expected: str, suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    text = RIGHT.replace("def descent(x):", f"def descent(x):\n    {body}")
    row = row_of(text, suite, baseline, tmp_path)
    assert outcomes(row) == ["same text", "same text", expected]
    assert row.status == "killed"
    assert not row.by_value


def test_a_crash_names_its_place(suite: Suite, baseline: Baseline, tmp_path: Path) -> None:
    text = RIGHT.replace("def descent(x):", "def descent(x):\n    raise ValueError('no')")
    row = row_of(text, suite, baseline, tmp_path)
    assert row.cells["step:three"].detail == "ValueError: no (copy/tool.py:6)"


@pytest.mark.parametrize(
    "death", ["os.abort()", "os.kill(os.getpid(), 9)", "os.kill(os.getpid(), 11)", "os._exit(0)"]
)
def test_a_death_costs_one_trial(
    death: str, suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    row = row_of(DIES_AT_FOUR.format(death=death), suite, baseline, tmp_path)
    assert outcomes(row) == ["same text", "crash", "same text"]
    assert row.cells["slope:four"].detail.startswith("the process ended with ")


def test_eaten_memory_is_a_crash_and_the_rest_has_its_memory(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    death = "globals().setdefault('kept', []).extend(bytes(1 << 24) for _ in range(1000))"
    row = row_of(DIES_AT_FOUR.format(death=death), suite, baseline, tmp_path)
    assert outcomes(row) == ["same text", "crash", "same text"]
    assert row.cells["slope:four"].detail.startswith("MemoryError")


def test_a_hanging_trial_is_no_catch(suite: Suite, baseline: Baseline, tmp_path: Path) -> None:
    start = time.monotonic()
    row = row_of(HANGS_AT_FOUR, suite, baseline, tmp_path)
    assert time.monotonic() - start < 3
    assert outcomes(row) == ["same text", "timeout", "same text"]
    assert row.status == "survived"
    assert row.killers == ()


def test_a_sleeping_trial_is_ended_too(suite: Suite, baseline: Baseline, tmp_path: Path) -> None:
    sleep = "__import__('time').sleep(60)"
    row = row_of(DIES_AT_FOUR.format(death=sleep), suite, baseline, tmp_path)
    assert outcomes(row) == ["same text", "timeout", "same text"]


def test_what_was_late_once_is_tried_again_alone(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    mark = tmp_path / "been here"
    death = f"p = __import__('pathlib').Path({str(mark)!r})\n        while not p.exists(): "
    row = row_of(
        DIES_AT_FOUR.format(death=death + "p.touch(); [0 for _ in iter(int, 1)]"),
        suite,
        baseline,
        tmp_path,
    )
    assert mark.exists()
    assert outcomes(row) == ["same text"] * 3


def test_a_copy_that_cannot_be_loaded_is_caught_by_everything(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    row = row_of("raise RuntimeError('control')", suite, baseline, tmp_path)
    assert outcomes(row) == ["crash"] * 3


@pytest.mark.parametrize("text", ["import os; os.abort()", "import os; os._exit(0)"])
def test_a_copy_that_dies_while_it_is_loaded_is_caught_by_everything(
    text: str, suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    assert outcomes(row_of(text, suite, baseline, tmp_path)) == ["crash"] * 3


def test_a_copy_that_is_not_the_one_it_should_be_is_an_error(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    row = row_of(RIGHT + "proof = 1", suite, baseline, tmp_path)
    assert row.status == "error"
    assert row.problem == "it was loaded from elsewhere"


def test_a_fault_of_the_worker_is_no_catch(
    suite: Suite, baseline: Baseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mutants.worker.tried", lambda *_: 1 / 0)
    row = row_of(RIGHT.replace("2 *", "3 *"), suite, baseline, tmp_path)
    assert row.status == "error"
    assert "ZeroDivisionError" in row.problem


def test_copies_side_by_side_disturb_nobody(
    suite: Suite, baseline: Baseline, tmp_path: Path
) -> None:
    texts = {
        "hangs": HANGS_AT_FOUR,
        "right": RIGHT,
        "wrong": RIGHT.replace("2 *", "3 *"),
        "dies": DIES_AT_FOUR.format(death="os.abort()"),
    }
    folders = [write_copy(tmp_path / name, text) for name, text in texts.items()]
    seen: list[str] = []
    rows = run_copies(
        folders, suite, baseline, limits=QUICK, on_row=lambda row: seen.append(row.id)
    )
    assert [row.id for row in rows] == list(texts)
    assert [row.status for row in rows] == ["survived", "survived", "killed", "killed"]
    assert seen[-1] == "hangs"
    assert sorted(seen) == sorted(texts)
