"""`python -m cost`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cost import cli
from cost.cli import main
from cost.variants import NAMES
from tests.cost.measurements import measurements

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = """\
version: 1
programs:
  - name: small
    source: small.mg
    wrt: [w]
    cost: true
    limits:
      - {ratio: plain/loss, most: MOST}
  - name: broken
    source: small.mg
    wrt: [nothing]
"""
PROGRAM = "let w = [[1.0, 2.0], [3.0, 4.0]]\nprint col_sum(row_sum(exp(w @ w)))\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.mg").write_text(PROGRAM)
    (tmp_path / "pipeline.yaml").write_text(SETTINGS.replace("MOST", "100"))
    return tmp_path


def test_it_prints_tables_and_writes_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "report.json"]) == 0
    printed, said = capsys.readouterr()
    assert said == ""
    for text in ("small", "plain", "-O2", "/ hand", "where the instructions go", "matmul"):
        assert text in printed
    report = json.loads((folder / "report.json").read_text())
    assert len(report["programs"]) == 2 * len(NAMES)
    assert f"{report['programs'][0]['instructions']:,}" in printed


def test_a_limit_that_is_passed_is_exit_status_1(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "measured", lambda program: measurements(program.name))
    (folder / "pipeline.yaml").write_text(SETTINGS.replace("MOST", "2.4"))
    assert main(["small"]) == 1
    line = "small: plain/loss in instructions at -O0 is 2.5000, more than 2.4\n"
    assert capsys.readouterr().err == line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["smal"], "cost: there is no program 'smal' in pipeline.yaml; did you mean 'small'?\n"),
        (
            ["x"],
            "cost: there is no program 'x' in pipeline.yaml (the programs are: small, broken)\n",
        ),
        (["broken"], "error: there is no let 'nothing' (the lets are: w)\n"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_measured_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.endswith(message)
    assert said.count("\n") == 1


def test_without_valgrind_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiler = folder / "cc"
    compiler.write_text("#!/bin/sh\necho cc 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    assert main([]) == 2
    line = "cost: valgrind is not on PATH; install it with: apt-get install valgrind\n"
    assert capsys.readouterr().err == line
