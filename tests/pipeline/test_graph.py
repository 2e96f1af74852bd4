"""`doit graph`: Mermaid text of the tasks, or of their groups where there are many."""

import re

import pytest

from tests.pipeline.doit_project import Project

TASKS = """
from pipeline.gate import gates

def task_make():
    for name in "ab":
        yield one(name=f"make:{name}", make=steps.shout, inputs=(f"{name}.in",), targets=(name,))

def task_merge():
    yield one(name="merge:all", make=steps.shout, inputs=("a", "b"), targets=("m", "n"))

def task_check():
    yield from gates("check", "Judge.", {"all": "m"}, steps.shout)
"""
BY_TASK = """\
flowchart LR
  subgraph g0 ["make"]
    t0["make:a"]
    t1["make:b"]
  end
  t2["merge:all"]
  subgraph g2 ["check"]
    t3{{"check:all"}}
    t4{{"check"}}
  end
  t0 --> t2
  t1 --> t2
  t2 --> t3
  t2 --> t4
"""
NODE = r"\w+(\[\"[^\"]+\"\]|\{\{\"[^\"]+\"\}\})"
STATEMENT = re.compile(rf" +({NODE}|subgraph \w+ \[\"[^\"]+\"\]|end|\w+ --> \w+)")


def test_few_tasks_are_drawn_each(project: Project) -> None:
    project.dodo(TASKS)
    assert sorted(project.doit("graph").splitlines()) == sorted(BY_TASK.splitlines())


def test_a_task_is_drawn_with_all_that_it_needs(project: Project) -> None:
    project.dodo(TASKS)
    assert project.doit("graph", "merge") == BY_TASK[: BY_TASK.index("  subgraph g2")] + (
        "  t0 --> t2\n  t1 --> t2\n"
    )


@pytest.fixture
def many(project: Project) -> Project:
    """Return a project with 41 tasks in a group, of which one is made from another."""
    tasks = TASKS.replace('"ab"', '[f"x{number:02}" for number in range(41)]')
    tasks = tasks.replace('("a", "b")', '("x00", "x40")')
    project.dodo(tasks.replace('(f"{name}.in",)', '("x00" if name == "x01" else "in",)'))
    return project


def test_many_tasks_are_drawn_by_group(many: Project) -> None:
    assert many.doit("graph") == (
        'flowchart LR\n  g0["make (41)"]\n  g1["merge:all"]\n  g2{{"check (2)"}}\n'
        "  g0 --> g1\n  g1 --> g2\n"
    )


def test_many_tasks_are_drawn_each_where_that_is_wanted(many: Project) -> None:
    printed = many.doit("graph", "--by-task")
    assert printed.count('"make:x') == 41
    assert many.doit("graph", "make").count('"make:x') == 41


@pytest.mark.parametrize("options", [(), ("--by-task",)])
def test_every_line_is_a_statement_of_mermaid(many: Project, options: tuple[str, ...]) -> None:
    head, *lines = many.doit("graph", *options).splitlines()
    assert head == "flowchart LR"
    assert [line for line in lines if not STATEMENT.fullmatch(line)] == []


def test_a_plain_task_may_have_any_name(project: Project) -> None:
    project.dodo(
        "def task_odd():\n"
        "    yield {'basename': 'say \"#1\"', 'actions': ['true'], 'file_dep': []}\n"
    )
    assert project.doit("graph") == 'flowchart LR\n  t0{{"say #quot;#35;1#quot;"}}\n'


def test_an_unknown_task_has_one_line(project: Project) -> None:
    project.dodo(TASKS)
    said = "ERROR: 'marge' is no command, no task and no target; did you mean 'merge'?\n"
    assert project.doit("graph", "marge", status=3) == said
