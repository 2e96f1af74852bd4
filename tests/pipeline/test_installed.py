"""The plugin as another project gets it: from a wheel, by the names of its entry points."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.conftest import Golden
from tests.documents import replayed
from tests.pipeline.doit_project import REPOSITORY

DOCUMENT = REPOSITORY / "docs/pipeline.md"
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "mgc", "autograd", "pipeline")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that the wheel is installed in, with the metadata doit looks for."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for name in SOURCES:
        path = REPOSITORY / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, source)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", target, source], check=True
    )
    return target


@pytest.fixture
def example(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with the files of the document, outside the repository."""
    text = DOCUMENT.read_text()
    for name, kind in (("settings.yaml", "yaml"), ("dodo.py", "python")):
        block = re.search(
            rf"^`{re.escape(name)}`:\n\n```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
        )
        assert block is not None
        (tmp_path / name).write_text(block[1])
    monkeypatch.setenv("PYTHONPATH", str(installed))
    return tmp_path


def doit(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "doit", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_document_shows_what_happens(example: Path, golden: Golden) -> None:
    golden(DOCUMENT, replayed(DOCUMENT.read_text(), example))


def test_each_command_works_in_another_project(example: Path, installed: Path) -> None:
    for name in ("poem", "letter"):
        (example / f"{name}.txt").write_text("one two\n")
    where = [sys.executable, "-c", "import pipeline; print(pipeline.__file__)"]
    found = subprocess.run(where, cwd=example, capture_output=True, text=True, check=True)
    assert Path(found.stdout).is_relative_to(installed)
    assert doit(example, "why").count("never made\n") == 2
    doit(example)
    assert doit(example, "why") == "nothing would run: 2 artifacts are up to date\n"
    assert "count:poem" in doit(example, "graph")
    assert '"most"' in doit(example, "schema")
    subprocess.run(["git", "init", "--quiet"], cwd=example, check=True)
    assert doit(example, "verify").endswith("2 artifacts: rebuilt twice, the same bytes\n")


def test_every_entry_point_can_be_loaded() -> None:
    for group in ("doit.COMMAND", "doit.REPORTER", "doit.BACKEND"):
        ours = [each for each in entry_points(group=group) if each.module.startswith("pipeline.")]
        assert ours
        for each in ours:
            assert isinstance(each.load(), type)


@pytest.mark.parametrize(
    "arguments", [["--version"], ["list"], ["run"]], ids=["version", "list", "no news"]
)
def test_what_prints_no_table_loads_no_rich(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Doit imports every backend on each command, and every reporter on each run."""
    (tmp_path / "dodo.py").write_text("def task_x():\n    return {'actions': []}\n")
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "doit", *arguments],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    assert "doit" in loaded
    assert not loaded & {"rich", "yaml", "numpy", "multiprocessing.pool"}
