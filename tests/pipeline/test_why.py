"""`doit why`: each cause of a run is named with what it was and what it is, and nothing runs."""

import json
import os

import pytest

from tests.pipeline.doit_project import STEPS, Project

TASKS = """
SETTINGS = json.loads(Path("settings.json").read_text())

def task_make():
    yield one(make=steps.shout, inputs=("a.in",), targets=("a",), code=("lib",), config=SETTINGS)
    yield one(name="make:c", make=Command(("sh", "-c", "echo c > c.new; mv c.new $0", "c"), 9),
              inputs=(), targets=("c",))

def task_use():
    yield one(name="use:b", make=steps.shout, inputs=("a",), targets=("b",))
    yield one(name="use:d", make=steps.shout, inputs=("b",), targets=("d",))
"""
DOWNSTREAM = """\
use:b may run
  because make:a would run
use:d may run
  because use:b may run
1 would run, 2 more may; 1 artifact is up to date
"""


@pytest.fixture
def made(project: Project) -> Project:
    """Return a project whose four artifacts are made."""
    project.dodo(TASKS)
    project.write("a.in", "hello")
    project.write("lib/rule.py", "x = 1\n")
    project.write("settings.json", '{"size": {"rows": 1}, "names": ["a", "b"]}')
    project.doit()
    return project


def test_nothing_to_do_is_one_line(made: Project) -> None:
    assert made.doit("why") == "nothing would run: 4 artifacts are up to date\n"
    assert made.doit("why", "make:c") == "nothing would run: 1 artifact is up to date\n"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("a.in", "hullo", "input changed: a.in: 2cf24dba -> 7835066a"),
        ("a", "edited", "target edited: a: 3733cd97 -> 1fb9f409"),
        ("lib/rule.py", "x = 2\n", "code changed: lib: "),
        (
            "settings.json",
            '{"size": {"rows": 2}, "names": ["a", "b"]}',
            "setting changed: size.rows: 1 -> 2",
        ),
        (
            "settings.json",
            '{"size": {"rows": 1}, "names": ["a"]}',
            'setting changed: names.1: "b" -> nothing',
        ),
        (
            "settings.json",
            '{"size": {"rows": 1}, "names": ["a", "b"], "x": true}',
            "setting changed: x: nothing -> true",
        ),
        (
            "settings.json",
            '{"size": {"rows": true}, "names": ["a", "b"]}',
            "setting changed: size.rows: 1 -> true",
        ),
    ],
)
def test_each_cause_is_named(made: Project, file: str, text: str, reason: str) -> None:
    made.write(file, text)
    printed = made.doit("why")
    assert printed.startswith(f"make:a would run\n  {reason}")
    assert printed.splitlines()[2:] == DOWNSTREAM.splitlines()
    assert made.doit("why") == printed
    assert made.runs() == 3


def test_a_file_that_is_missing_is_named(made: Project) -> None:
    (made.root / "a").unlink()
    assert made.doit("why", "use:b") == (
        "make:a would run\n  target missing: a\nuse:b may run\n  because make:a would run\n"
        "1 would run, 1 more may; 0 artifacts are up to date\n"
    )
    (made.root / "a.in").unlink()
    assert "  input missing: a.in\n  target missing: a\n" in made.doit("why")


def test_a_change_of_the_action_is_named(made: Project) -> None:
    made.dodo(TASKS.replace("echo c >", "echo d >"), STEPS.replace("upper()", "lower()"))
    printed = made.doit("why")
    assert "make:a would run\n  code changed: module steps: " in printed
    assert (
        "make:c would run\n  command changed: echo c > c.new; mv c.new $0 -> "
        "echo d > c.new; mv c.new $0\n"
    ) in printed
    tasks = TASKS.replace("make=steps.shout", "make=steps.cry", 1)
    made.dodo(tasks, STEPS + STEPS.replace("shout", "cry"))
    assert "  action changed: steps:shout -> steps:cry\n" in made.doit("why", "make:a")


def test_a_file_added_to_the_inputs_or_dropped_from_them_is_named(made: Project) -> None:
    made.write("z.in", "")
    made.dodo(TASKS.replace('inputs=("a",)', 'inputs=("z.in",)'))
    printed = made.doit("why", "use:b")
    assert printed.startswith("use:b would run\n  input added: z.in\n  input dropped: a\n1 would")


def test_what_was_never_made_or_has_no_record_or_failed_is_told_apart(made: Project) -> None:
    made.doit("forget", "use:b")
    unrecorded = "use:b would run\n  its files are here, but how they were made is not recorded\n"
    assert made.doit("why", "use:b").startswith(unrecorded)
    (made.root / "b").unlink()
    assert made.doit("why", "use:b").startswith("use:b would run\n  never made\n1 would run;")
    good = made.read("steps.py")
    made.write("steps.py", STEPS + "    raise ValueError('bad\\nluck')\n")
    made.doit("use:d", status=2)
    printed = made.doit("why", "use:d")
    assert "make:a would run\n  the last run failed: ValueError: bad luck\n" in printed
    assert "use:b would run\n  the last run failed: make:a failed\n" in printed
    made.write("steps.py", good)
    made.doit("use:d")
    made.doit("forget", "make:a")
    assert "failed" not in made.doit("why", "use:d")


def test_an_input_that_would_be_made_first_is_not_missing(project: Project) -> None:
    project.dodo(TASKS)
    project.write("a.in", "hello")
    project.write("lib/rule.py", "x = 1\n")
    project.write("settings.json", "{}")
    assert project.doit("why", "use:b") == (
        "make:a would run\n  never made\n"
        "use:b would run\n  never made\n  because make:a would run\n"
        "2 would run; 0 artifacts are up to date\n"
    )


def test_an_input_that_nothing_makes_is_missing(project: Project) -> None:
    project.dodo(
        'def task_make():\n    yield one(make=steps.shout, inputs=("a.in",), targets=("a",))\n'
    )
    assert "  never made\n  input missing: a.in\n" in project.doit("why")


def test_json_has_the_whole_values(made: Project) -> None:
    made.write("a.in", "hullo")
    told = json.loads(made.doit("why", "--json", "use:b"))
    [first, second] = told.pop("stale")
    assert told == {"artifacts": 2}
    assert (first["task"], first["certain"]) == ("make:a", True)
    [reason] = first["reasons"]
    assert (reason["kind"], reason["what"]) == ("input changed", "a.in")
    assert reason["old"].startswith("2cf24dba")
    assert len(reason["new"]) == 64
    assert (second["task"], second["certain"]) == ("use:b", False)


def test_ignored_artifacts_are_counted_apart(made: Project) -> None:
    made.write("a.in", "hullo")
    made.doit("ignore", "make:a")
    assert made.doit("why") == "nothing would run: 3 artifacts are up to date, 1 is ignored\n"


def test_a_gate_is_not_listed_and_what_it_needs_is(made: Project) -> None:
    made.dodo(
        TASKS
        + """
def task_check():
    from pipeline.gate import gates
    yield from gates("check", "Judge.", {"b": "b"}, steps.shout)
"""
    )
    assert made.doit("why", "check") == "nothing would run: 2 artifacts are up to date\n"


def test_why_agrees_with_the_run_that_follows(made: Project) -> None:
    os.utime(made.root / "a.in")
    assert "nothing would run" in made.doit("why")
    assert made.doit() == "4 artifacts: all up to date\n"
    made.write("a", "HELLO?")  # use:b is made from it, and still has nothing to do afterwards
    assert made.doit("why").endswith("1 would run, 2 more may; 1 artifact is up to date\n")
    assert made.doit().endswith("4 artifacts: 1 made, 3 up to date\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mak:a", "'mak:a' is no command, no task and no target; did you mean 'make:a'?"),
        ("zz*", "no task matches zz*"),
    ],
)
def test_a_name_that_is_no_task_has_one_line(made: Project, name: str, message: str) -> None:
    assert made.doit("why", name, status=3) == f"ERROR: {message}\n"


def test_a_mistyped_option_has_one_line(made: Project) -> None:
    said = made.doit("why", "--jsn", status=3)
    assert (
        said == "ERROR: Error parsing Command: option --jsn not recognized; did you mean --json?\n"
    )


def test_tasks_that_need_each_other_have_one_line(project: Project) -> None:
    project.dodo(
        "def task_make():\n"
        '    yield one(make=steps.shout, inputs=("b",), targets=("a",))\n'
        '    yield one(name="make:b", make=steps.shout, inputs=("a",), targets=("b",))\n'
    )
    assert project.doit("why", status=3).startswith("ERROR: tasks that need each other: make:")
