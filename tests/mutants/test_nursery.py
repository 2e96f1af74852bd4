"""One warm process for all who ask, as long as one of them is there."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.catalogue import CHECKS
from checks.programs import Program, listed_programs
from checks.subject import ROOT
from mutants.copies import write_copy
from mutants.hand_written import MUTANTS
from mutants.nursery import NOTE, Nursery, NurseryError

PATIENCE_SECONDS = 60


@pytest.fixture(autouse=True)
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be one check; what is forked inherits this."""
    few = [each for each in CHECKS if each.id == "chosen-loss"]
    monkeypatch.setattr("checks.catalogue.CHECKS", few)
    monkeypatch.setattr("mutants.trials.CHECKS", few)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (mutant,) = [each for each in MUTANTS if each.id == "m32-first-print"]
    write_copy(mutant, ROOT / "autograd", tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that this one has forked, from now on."""
    found: list[int] = []

    def fork(fork: Callable[[], int] = os.fork) -> int:
        pid = fork()
        found.append(pid)
        return pid

    monkeypatch.setattr(os, "fork", fork)
    return found


def address(folder: Path) -> Path:
    return Path((folder / NOTE).read_text().splitlines()[1])


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_all_who_ask_share_a_process_that_ends_with_the_last(tmp_path: Path, copy: Path) -> None:
    first, second = Nursery([], tmp_path), Nursery([], tmp_path)
    there = address(tmp_path)
    assert first.grow(copy).row.status == "killed"
    first.close()
    assert second.grow(copy).row.status == "killed"
    assert there.exists()
    second.close()
    wait_until(lambda: not there.parent.exists())


def test_a_process_for_other_programs_is_not_joined(tmp_path: Path) -> None:
    nobody = Nursery([], tmp_path)
    there = address(tmp_path)
    program: Program = listed_programs(ROOT)[0]
    other = Nursery([program], tmp_path)
    assert address(tmp_path) != there
    nobody.close()
    other.close()


def test_a_process_that_dies_is_an_error_and_the_next_who_asks_starts_another(
    tmp_path: Path, copy: Path, forked: list[int]
) -> None:
    nursery = Nursery([], tmp_path)
    there = address(tmp_path)
    os.kill(forked[0], signal.SIGKILL)
    with pytest.raises(NurseryError, match="died"):
        nursery.grow(copy)
    nursery.close()
    another = Nursery([], tmp_path)
    assert another.grow(copy).row.status == "killed"
    another.close()
    shutil.rmtree(there.parent)


def test_a_process_that_is_told_to_end_leaves_nothing(
    tmp_path: Path, copy: Path, forked: list[int]
) -> None:
    nursery = Nursery([], tmp_path)
    nursery.grow(copy)
    there = address(tmp_path)
    os.kill(forked[0], signal.SIGTERM)
    wait_until(lambda: not there.parent.exists())
    nursery.close()


def test_an_original_that_cannot_be_run_is_told_to_all_who_ask(
    tmp_path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mutants.serving.baseline_of", lambda *_: int("no number"))
    first = Nursery([], tmp_path)
    second = Nursery([], tmp_path)
    there = address(tmp_path)
    for ask in (first.original, lambda: second.grow(copy)):
        with pytest.raises(NurseryError, match="cannot be run: ValueError: invalid literal"):
            ask()
    wait_until(lambda: not there.parent.exists())


def test_what_the_original_shows_is_told_before_any_copy(tmp_path: Path) -> None:
    nursery = Nursery([], tmp_path)
    shown = nursery.original()
    assert {trial.check for trial in shown.trials} == {"chosen-loss"}
    assert not shown.failed
    nursery.close()
