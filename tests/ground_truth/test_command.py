import subprocess
import sys
from pathlib import Path

import pytest

from ground_truth import __main__ as command
from ground_truth.chapters import CHAPTERS
from tests.ground_truth.reference import ROOT


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "_ROOT", tmp_path)
    return tmp_path


def test_it_writes_what_check_accepts(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    for chapter in CHAPTERS.values():
        assert (root / chapter.path).read_text() == (ROOT / chapter.path).read_text()
    assert command.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_check_prints_the_difference_and_writes_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.main([])
    path = root / CHAPTERS["ch34_layer_norm"].path
    path.write_text(path.read_text().replace("0.00001", "0.0001"))
    edited = path.read_text()
    assert command.main(["--check"]) == 1
    assert "0.0001)\n+def sigma" in capsys.readouterr().out
    assert path.read_text() == edited


def test_extract_prints_the_excerpt(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["extract", "h34_layer_norm"]) == 0
    expected = (ROOT / "examples" / "h34_layer_norm.mg").read_text()
    assert capsys.readouterr().out == expected


@pytest.mark.usefixtures("root")
def test_a_chapter_that_is_missing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["extract", "h34_layer_norm"]) == 1
    assert "ch34_layer_norm.mg: error: cannot read the program" in capsys.readouterr().err


def test_a_statement_that_is_missing_is_told(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.main([])
    path = root / CHAPTERS["ch34_layer_norm"].path
    path.write_text(path.read_text().replace("let hat =", "let hut ="))
    assert command.main(["extract", "h34_layer_norm"]) == 1
    assert capsys.readouterr().err == (
        "examples/chapters/ch34_layer_norm.mg: error: there is no def or let named 'hat'; "
        "did you mean 'hut'?\n"
    )


def test_a_wrong_command_line_exits_2() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ground_truth", "extract", "h36"],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 2
    assert "h34_layer_norm" in run.stderr
