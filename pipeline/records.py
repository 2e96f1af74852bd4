"""The outcome of each task of a run, as JSON for programs and as JUnit's XML for CI services."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

MADE = "made"
PASSED = "passed"  # a gate, or a task that makes nothing
FRESH = "up to date"
FAILED = "failed"
BLOCKED = "blocked"  # something it is made from failed
IGNORED = "ignored"  # by `doit ignore`
UNREACHED = "not reached"

NOT_RUN = frozenset({BLOCKED, IGNORED, UNREACHED})
UNPRINTABLE = {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"}


@dataclass(frozen=True)
class TaskRecord:
    """What became of a task: one of the outcomes above, and why where it is not a good one."""

    task: str
    outcome: str = UNREACHED
    seconds: float = 0.0
    reason: str = ""


@dataclass(frozen=True)
class RunRecord:
    """A run: when it started, how many seconds it took, and its tasks in the order of dodo.py."""

    started: datetime
    seconds: float
    tasks: Sequence[TaskRecord]


def write_json(run: RunRecord, path: Path) -> None:
    """Write the run as one JSON object; raises OSError."""
    content = {
        "started": run.started.isoformat(timespec="seconds"),
        "seconds": round(run.seconds, 3),
        "tasks": [asdict(task) for task in run.tasks],
    }
    path.write_text(f"{json.dumps(content, indent=1)}\n")


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
