"""The outcome of each task of a run, as JUnit's XML for CI services."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

from pipeline.records import FAILED, NOT_RUN, RunRecord, TaskRecord

UNPRINTABLE = {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"}


def write_junit(run: RunRecord, path: Path) -> None:
    """Write a test suite for each group of tasks, with a test case for each; raises OSError."""
    suites: dict[str, list[TaskRecord]] = {}
    for task in run.tasks:
        suites.setdefault(task.task.partition(":")[0], []).append(task)
    root = ET.Element("testsuites", _totals(run.tasks, run.seconds))
    for group, tasks in suites.items():
        timestamp = run.started.strftime("%Y-%m-%dT%H:%M:%S")
        totals = _totals(tasks, sum(task.seconds for task in tasks))
        suite = ET.SubElement(root, "testsuite", {"name": group, "timestamp": timestamp} | totals)
        for task in tasks:
            _add_case(suite, group, task)
    ET.indent(root)
    path.write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _totals(tasks: Sequence[TaskRecord], seconds: float) -> dict[str, str]:
    return {
        "tests": str(len(tasks)),
        "failures": str(sum(task.outcome == FAILED for task in tasks)),
        "errors": "0",
        "skipped": str(sum(task.outcome in NOT_RUN for task in tasks)),
        "time": f"{seconds:.3f}",
    }


def _add_case(suite: ET.Element, group: str, task: TaskRecord) -> None:
    """Add a test case; what did not run counts as skipped, with the outcome as its message."""
    item = task.task.partition(":")[2] or group
    attributes = {"classname": group, "name": item, "time": f"{task.seconds:.3f}"}
    case = ET.SubElement(suite, "testcase", attributes)
    if task.outcome == FAILED:
        reason = task.reason.translate(UNPRINTABLE)  # XML has no way to write them
        first = reason.partition("\n")[0]
        ET.SubElement(case, "failure", {"message": first, "type": FAILED}).text = reason
    elif task.outcome in NOT_RUN:
        message = ": ".join(filter(None, [task.outcome, task.reason.translate(UNPRINTABLE)]))
        ET.SubElement(case, "skipped", {"message": message})
