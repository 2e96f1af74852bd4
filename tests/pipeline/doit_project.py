"""A project folder with a dodo.py, a module of making functions, and doit as users run it."""

import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

HEAD = """
import json
import sys
from pathlib import Path

import steps
from pipeline.artifact import artifact
from pipeline.reporter import StageReporter
from pipeline.spec import Artifact, Command, Stage

Path("generated/build").mkdir(parents=True, exist_ok=True)
DOIT_CONFIG = {
    "reporter": StageReporter,
    "continue": True,
    "verbosity": 0,
    "backend": "sqlite3",
    "dep_file": "generated/build/doit.sqlite3",
}


def one(**fields):
    return artifact(Artifact(**{"name": "make:a", "doc": "Make it."} | fields))
"""

WHOLE_RUN_HEAD = f"""{HEAD}
from pipeline.checker import DigestChecker
from whole_run import StageReporter

DOIT_CONFIG |= {{
    "backend": "durable",
    "check_file_uptodate": DigestChecker,
    "reporter": StageReporter,
}}
"""
PYPROJECT = """
[tool.doit.plugins.backend]
durable = "pipeline.state:DurableDB"
"""

WHOLE_RUN = """
from pipeline import reporter

class StageReporter(reporter.StageReporter):
    owned = ("out", "generated")
"""

STEPS = '''
def shout(job):
    """Write each input, in capitals, to the target of the same position."""
    with open("runs", "a") as runs:
        runs.write("x")
    for source, target in zip(job.inputs, job.targets, strict=True):
        target.write_text(open(source).read().upper())
'''


@dataclass(frozen=True)
class Project:
    """The folder, and what a test does in it."""

    root: Path

    def write(self, name: str, text: str) -> None:
        """Write a file, with its folders; indentation common to all lines is removed."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def read(self, name: str) -> str:
        """Return the text of a file."""
        return (self.root / name).read_text()

    def dodo(self, tasks: str, steps: str = STEPS, head: str = HEAD) -> None:
        """Write dodo.py from the text of its task creators, and the making functions."""
        self.write("dodo.py", head + textwrap.dedent(tasks))
        self.write("steps.py", textwrap.dedent(steps))

    def whole_run(self, tasks: str, steps: str = STEPS) -> None:
        """Write what `dodo` does, for runs with the lock, durable state and pruning of `out`."""
        self.dodo(tasks, steps, WHOLE_RUN_HEAD)
        self.write("whole_run.py", WHOLE_RUN)
        self.write("pyproject.toml", PYPROJECT)

    def doit(self, *arguments: str, status: int = 0) -> str:
        """Run doit, assert its exit status, and return what it printed."""
        with self.start(*arguments) as run:
            printed, _ = run.communicate()
        assert run.returncode == status, printed
        return printed

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start doit in a process group of its own, with its output in one pipe."""
        return subprocess.Popen(
            [sys.executable, "-m", "doit", *arguments],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def runs(self) -> int:
        """Return how often `shout` has run."""
        counter = self.root / "runs"
        return len(counter.read_text()) if counter.exists() else 0

    def files(self) -> set[str]:
        """Return all files below the folder but doit's own, caches and logs."""
        ours = ("digests", "doit", "lock", "logs")
        hidden = tuple(f"generated/build/{name}" for name in ours)
        paths = (path for path in self.root.rglob("*") if path.is_file())
        names = (path.relative_to(self.root).as_posix() for path in paths)
        return {name for name in names if not name.startswith(hidden) and "/__pyc" not in name}
