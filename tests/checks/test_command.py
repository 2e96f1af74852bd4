"""`python -m checks`: what it prints, its report and its exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from checks.__main__ import main
from checks.subject import ROOT
from tests.checks.wrong_copies import with_wrong_mul


def test_all_good(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = tmp_path / "check.json"
    assert main(["m10_ties", "refusals", "--json", str(report)]) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"autograd of {ROOT}\n1. Every rule against")
    assert "5. Refusals\n" in output
    assert " 0 failed; " in output.splitlines()[-1]
    content = json.loads(report.read_text())
    assert content["failed"] == 0
    assert content["passed"] == len(content["checks"])
    assert {check["program"] for check in content["checks"]} == {"m10_ties", "refusals"}


def test_a_wrong_copy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = with_wrong_mul(tmp_path)
    assert main(["m08_shared_value", "--autograd", str(folder)]) == 1
    output = capsys.readouterr().out
    assert output.startswith(f"autograd of {folder}\n")
    assert "FAILED complex-step of m08_shared_value: " in output
    assert ", expected " in output


def test_random_programs_from_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random", "--examples", "3", "--seed", "7"]) == 0
    assert capsys.readouterr().out.endswith("the seed of the random programs is 7\n")


def test_an_item_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["m99"])
    assert left.value.code == 2
    assert "there is no m99; there is 00_worked_example, h33" in capsys.readouterr().err


def test_a_folder_without_autograd_is_one_line(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "checks", "m10_ties", "--autograd", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert "there is no " in run.stderr.splitlines()[-1]
    assert "Traceback" not in run.stderr
