"""Gates: a bad verdict is exit status 1, every time, and the artifact that holds it is cached."""

import pytest

from tests.pipeline.doit_project import HEAD, Project

GATE_HEAD = HEAD.replace("import steps\n", "import steps\nfrom pipeline.gate import gates\n")
TASKS = """
ITEMS = ("a", "b")

def task_verdict():
    for item in ITEMS:
        yield one(name=f"verdict:{item}", make=steps.judge, inputs=(f"{item}.in",),
                  targets=(f"{item}.json",))

def task_check():
    results = {item: f"{item}.json" for item in ITEMS}
    yield from gates("check", "Judge the verdicts.", results, steps.fault)
"""
STEPS = """
import json

def judge(job):
    with open("runs", "a") as runs:
        runs.write("x")
    text = open(job.inputs[0]).read()
    job.targets[0].write_text(json.dumps({"name": job.inputs[0], "good": text == "good"}))

def fault(result):
    return "" if result["good"] else f"{result['name']} is bad"
"""


@pytest.fixture
def judged(project: Project) -> Project:
    project.dodo(TASKS, STEPS, GATE_HEAD)
    project.write("a.in", "bad")
    project.write("b.in", "good")
    return project


@pytest.mark.parametrize("jobs", ["0", "2"])
def test_a_bad_verdict_fails_the_gate_and_stays_cached(judged: Project, jobs: str) -> None:
    for _ in range(2):
        printed = judged.doit("-n", jobs, "check", status=1)
        assert "failed: check: a.in is bad\n" in printed
    assert judged.read("runs") == "xx"
    judged.write("a.in", "good")
    assert "failed" not in judged.doit("-n", jobs, "check")
    assert judged.read("runs") == "xxx"


def test_a_gate_of_one_item_asks_for_that_item_alone(judged: Project) -> None:
    judged.doit("check:b")
    assert judged.read("runs") == "x"
    assert "failed: check:a: a.in is bad\n" in judged.doit("check:a", status=1)


def test_every_bad_verdict_is_named(judged: Project) -> None:
    judged.write("b.in", "worse")
    assert "failed: check: a.in is bad\nb.in is bad\n" in judged.doit("check", status=1)


def test_gates_are_listed_with_their_docs(judged: Project) -> None:
    listed = judged.doit("list", "--all")
    assert "check:a     Judge the verdicts. Of a alone.\n" in listed
    assert "check       Judge the verdicts.\n" in listed


def test_a_gate_that_has_passed_is_asked_again_when_its_code_changes(judged: Project) -> None:
    judged.write("a.in", "good")
    judged.doit("check")
    assert "failed" not in judged.doit("check")
    judged.write("steps.py", STEPS.replace('result["good"]', 'not result["good"]'))
    judged.doit("verdict")
    assert "failed: check: a.in is bad\nb.in is bad\n" in judged.doit("check", status=1)
