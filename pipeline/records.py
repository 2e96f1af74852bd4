"""The outcome of each task of a run, also as JSON for programs."""

import json
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
