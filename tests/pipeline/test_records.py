"""The reports of a run: the same records as JSON and as JUnit's XML."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.pipeline.doit_project import Project

TASKS = """
from pipeline.gate import gates

def task_make():
    for name in "abx":
        yield one(name=f"make:{name}", make=steps.weigh, inputs=(f"{name}.in",),
                  targets=(f"{name}.json",))

def task_use():
    yield one(name="use:x", make=steps.weigh, inputs=("x.json",), targets=("y",))

def task_check():
    results = {"a": "a.json", "b": "b.json"}
    yield from gates("check", "Judge.", results, steps.judge)
"""
STEPS = """
import json
from pipeline.errors import MakeError

def weigh(job):
    text = open(job.inputs[0]).read()
    if not text:
        raise MakeError("no <text> \\x00 & none")
    job.targets[0].write_text(json.dumps(text))

def judge(text):
    return "" if text == "good" else f"{text} is not good"
"""


@pytest.fixture
def reported(project: Project) -> Project:
    """Return a project with a run that had every kind of outcome but one."""
    project.dodo(TASKS, STEPS)
    for name, text in {"a": "good", "b": "bad", "x": ""}.items():
        project.write(f"{name}.in", text)
    project.doit("make:a")
    project.write("sub/.keep", "")
    project.doit("--report-json=sub/run.json", "--report-junit", "run.xml", status=2)
    return project


OUTCOMES = {
    "make:a": ("up to date", ""),
    "make:b": ("made", ""),
    "make:x": ("failed", "no <text> \x00 & none"),
    "use:x": ("blocked", "make:x failed"),
    "check:a": ("passed", ""),
    "check:b": ("failed", "bad is not good"),
    "check": ("blocked", "check:b failed"),
}


def test_json_has_each_task(reported: Project) -> None:
    run = json.loads(reported.read("sub/run.json"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", run["started"])
    tasks = {task["task"]: task for task in run["tasks"]}
    found = {name: (task["outcome"], task["reason"]) for name, task in tasks.items()}
    gate = found.pop("check")  # blocked by its parts, or failed by itself: doit decides
    assert gate[0] in {"blocked", "failed"}
    assert found == {name: each for name, each in OUTCOMES.items() if name != "check"}
    assert tasks["make:b"]["seconds"] > 0 == tasks["make:a"]["seconds"]
    assert run["seconds"] >= sum(task["seconds"] for task in run["tasks"])


def test_junit_has_a_suite_for_each_group(reported: Project) -> None:
    root = ET.parse(reported.root / "run.xml").getroot()  # noqa: S314 - written just now
    assert [suite.get("name") for suite in root] == ["make", "use", "check"]
    make, use, check = root
    assert {key: make.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3", "failures": "1", "errors": "0", "skipped": "0",
    }  # fmt: skip
    assert use.get("skipped") == "1"
    [failure] = make.findall("testcase/failure")
    assert failure.get("message") == failure.text == "no <text> \ufffd & none"
    assert [case.get("name") for case in check] == ["a", "b", "check"]
    [skipped] = use.findall("testcase/skipped")
    assert skipped.get("message") == "blocked: make:x failed"


ATTRIBUTES = {
    "testsuites": {"tests", "failures", "errors", "skipped", "time"},
    "testsuite": {"name", "timestamp", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"classname", "name", "time"},
    "failure": {"message", "type"},
    "skipped": {"message"},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "skipped"},
    "failure": set[str](),
    "skipped": set[str](),
}


def test_junit_is_what_the_common_schema_allows(reported: Project) -> None:
    root = ET.parse(reported.root / "run.xml").getroot()  # noqa: S314 - written just now
    assert root.tag == "testsuites"
    for element in root.iter():
        assert set(element.attrib) == ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN[element.tag]
        for name in {"tests", "failures", "errors", "skipped"} & set(element.attrib):
            assert element.attrib[name].isdecimal()
        assert re.fullmatch(r"\d+\.\d{3}", element.get("time", "0.000"))
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])


def test_without_the_options_nothing_is_written(reported: Project) -> None:
    (reported.root / "run.xml").unlink()
    reported.doit("make:a")
    assert not (reported.root / "run.xml").exists()


def test_a_file_is_where_the_command_line_says(reported: Project) -> None:
    """Also with -f: doit changes to the folder of dodo.py before it runs."""
    elsewhere = Project(reported.root / "sub")
    elsewhere.doit("-f", "../dodo.py", "--report-json", "here.json", "make:a")
    assert Path(reported.root / "sub/here.json").exists()


@pytest.mark.parametrize("file", ["none/run.json", "sub"])
def test_a_file_that_cannot_be_written_stops_the_run_at_its_start(
    reported: Project, file: str
) -> None:
    (reported.root / "a.json").unlink()
    said = f"ERROR: cannot write a report to {file}: no such folder, or it is one\n"
    assert reported.doit("--report-json", file, status=3) == said
    assert not (reported.root / "a.json").exists()
