"""What an artifact is made with is part of its key: tools, environment variables, Python."""

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from pipeline import toolchain
from pipeline.artifact import artifact
from pipeline.spec import Artifact, Command
from tests.pipeline.doit_project import Project
from tests.pipeline.test_artifact import shout

SCRIPT = "#!/bin/sh\necho asked >> '{asked}'\n{body}\n"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a folder for programs be all of PATH; return the file that notes who was asked."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    toolchain.tool_version.cache_clear()
    return tmp_path / "asked"


def install(asked: Path, body: str, name: str = "tool") -> None:
    program = asked.parent / "bin" / name
    program.write_text(SCRIPT.format(asked=asked, body=body))
    program.chmod(0o755)
    toolchain.tool_version.cache_clear()


def test_a_version_is_asked_for_once(asked: Path) -> None:
    install(asked, "echo; echo tool 1.2; echo more")
    assert toolchain.tool_version("tool") == "tool 1.2"
    toolchain.tool_version.cache_clear()  # as another process would begin
    assert toolchain.tool_version("tool") == "tool 1.2"
    assert asked.read_text() == "asked\n"
    install(asked, "echo; echo tool 1.3; echo more")
    assert toolchain.tool_version("tool") == "tool 1.3"


def test_an_upgrade_behind_a_link_is_noticed(asked: Path) -> None:
    install(asked, "echo one", "tool-1")
    install(asked, "echo two", "tool-2")
    link = asked.parent / "bin/tool"
    for version, said in (("tool-1", "one"), ("tool-2", "two")):
        link.unlink(missing_ok=True)
        link.symlink_to(version)
        toolchain.tool_version.cache_clear()
        assert toolchain.tool_version("tool") == said


@pytest.mark.parametrize("body", ["echo usage; exit 1", "true", "kill -9 $$"])
def test_a_program_that_does_not_answer_is_known_by_its_bytes(asked: Path, body: str) -> None:
    install(asked, body)
    first = toolchain.tool_version("tool")
    install(asked, f"{body} # newer")
    assert first.startswith("sha256 ")
    assert toolchain.tool_version("tool").startswith("sha256 ")
    assert toolchain.tool_version("tool") != first


def test_a_program_that_hangs_is_known_by_its_bytes(
    asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "SECONDS", 0.2)
    install(asked, "while :; do :; done")
    start = time.monotonic()
    assert toolchain.tool_version("tool").startswith("sha256 ")
    assert time.monotonic() - start < 30


def test_an_absent_program_is_a_version_too(asked: Path) -> None:
    assert toolchain.tool_version("tool") == "not on PATH"
    assert not asked.exists()


def key_of(spec: Artifact) -> Mapping[str, str]:
    fresh = artifact(spec)["uptodate"]
    assert isinstance(fresh, list)
    return fresh[0].key


def test_where_python_is_installed_is_not_in_the_key() -> None:
    command = Command((sys.executable, "-c", "pass", "a"), timeout=1)
    spec = Artifact(name="make:a", doc="", make=command, inputs=(), targets=("a",))
    assert key_of(spec)["action"] == '["python","-c","pass","a",null]'


def test_the_entries_of_a_key_have_names_to_show(
    asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(asked, "echo tool 1.2")
    monkeypatch.setenv("HOMELAND", "x")
    monkeypatch.delenv("NOWHERE", raising=False)
    spec = Artifact(
        name="make:a",
        doc="",
        make=shout,
        inputs=(),
        targets=("a",),
        tools={"tool": "apt-get install tool"},
        environment=("HOMELAND", "NOWHERE"),
    )
    key = key_of(spec)
    assert key["tool tool"] == "tool 1.2"
    assert key["environment HOMELAND"] == '"x"'
    assert key["environment NOWHERE"] == "null"
    assert key["python"] == f"{sys.version_info.major}.{sys.version_info.minor}"


def test_a_new_version_or_another_environment_makes_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{project.root / 'bin'}:{os.environ['PATH']}")
    (project.root / "bin").mkdir()
    asked = project.root / "asked"
    install(asked, "echo 1.2", "my-cc")
    project.dodo(
        'def task_make():\n    yield one(make=steps.shout, inputs=("a.in",), targets=("a",), '
        'tools={"my-cc": "apt-get install my-cc"}, environment=("LEVEL",))\n'
    )
    project.write("a.in", "a")
    project.doit()
    project.doit()
    assert project.runs() == 1
    install(asked, "echo 1.3", "my-cc")
    project.doit()
    assert project.runs() == 2
    for level in ("2", ""):
        monkeypatch.setenv("LEVEL", level)
        project.doit()
    monkeypatch.setenv("OTHER", "1")
    project.doit()
    assert project.runs() == 4
