"""DOIT_CONFIG with a mistake in it: one line, and nothing runs."""

from dataclasses import dataclass
from typing import Any

import pytest

from pipeline.doit_config import checked
from pipeline.reporter import StageReporter
from tests.pipeline.doit_project import HEAD, Project


@dataclass(frozen=True)
class Settings:
    size: int


GOOD: dict[str, Any] = {
    "default_tasks": ["make"],
    "continue": True,
    "verbosity": 0,
    "reporter": StageReporter,
    "backend": "sqlite3",
    "num_process": 2,
    "dep_file": "generated/build/doit.sqlite3",
    "schema": Settings,
}


def test_good_settings_are_returned() -> None:
    assert checked(GOOD) == GOOD


SQLITE3, STAGES = "did you mean 'sqlite3'?", "did you mean 'stages'?"


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("nun_process", 2, "unknown key 'nun_process'; did you mean 'num_process'?"),
        ("num_process", "two", "'num_process' must be a whole number, got 'two'"),
        ("num_process", True, "'num_process' must be a whole number, got True"),
        ("num_process", -1, "'num_process' must be 0 or more, got -1"),
        ("continue", "yes", "'continue' must be True or False, got 'yes'"),
        ("default_tasks", "make", "'default_tasks' must be a list of task names, got 'make'"),
        ("default_tasks", [1], "'default_tasks' must be a list of task names, got [1]"),
        ("backend", "sqlite4", "'backend' is 'sqlite4', which is not installed; " + SQLITE3),
        ("backend", None, "'backend' must be text, got None"),
        ("reporter", "stage", "'reporter' is 'stage', which is not installed; " + STAGES),
        ("schema", 3, "'schema' must be a dataclass, got 3"),
    ],
)
def test_a_mistake_has_one_line(
    key: str, value: object, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        checked(GOOD | {key: value})
    assert caught.value.code == 3
    assert capsys.readouterr().err == f"DOIT_CONFIG: {problem}\n"


def test_a_key_like_no_other_is_shown_the_keys(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        checked({"xyzzy": 1, "continue": 1})
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("DOIT_CONFIG: unknown key 'xyzzy'; the keys are dep_file, backend, ")
    assert second == "DOIT_CONFIG: 'continue' must be True or False, got 1"


def test_a_backend_of_the_project_s_own_is_known(project: Project) -> None:
    head = HEAD + "\nfrom pipeline.doit_config import checked\n"
    project.dodo(
        "DOIT_CONFIG = checked(DOIT_CONFIG | {'backend': 'mine'})\n\n"
        "def task_make():\n"
        "    yield one(make=steps.shout, inputs=(), targets=('a',))\n",
        head=head,
    )
    said = project.doit("list", status=3)
    assert said.startswith("DOIT_CONFIG: 'backend' is 'mine', which is not installed; ")
    project.write("doit.cfg", "[BACKEND]\nmine = doit.dependency:JsonDB\n")
    assert project.doit("list").startswith("make")
