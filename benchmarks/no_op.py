"""What it costs to find that there is nothing to do: CPU seconds, start-up included.

`python -m benchmarks.no_op [--json FILE]`. Targets: under 0.5 s for the project's own graph and
under 1.5 s for 2,000 artifacts. pytask and snakemake are installed for this into an environment
that is removed afterwards. The project's own graph is brought up to date first, which may take
minutes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from contextlib import chdir
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import command_cpu_milliseconds, machine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 3
SIZES = (200, 2000)
INSTALL_SECONDS = 600

ARTIFACTS = """
import steps
from pipeline.artifact import artifact
from pipeline.checker import DigestChecker
from pipeline.reporter import StageReporter
from pipeline.spec import Artifact

DOIT_CONFIG = {{"backend": "durable", "dep_file": "generated/build/doit.sqlite3", "verbosity": 0,
               "check_file_uptodate": DigestChecker, "reporter": StageReporter}}

def task_copy():
    for i in range({size}):
        yield artifact(Artifact(
            name=f"copy:{{i}}", doc="Copy.", make=steps.copy, inputs=(f"in/{{i}}",),
            targets=(f"out/{{i}}",), code=("lib",), config={{"number": i}}))
"""
STEPS = """
def copy(job):
    job.targets[0].write_bytes(open(job.inputs[0], "rb").read())
"""
PLAIN = """
import shutil

DOIT_CONFIG = {{"backend": "{backend}", "dep_file": "state", "verbosity": 0}}

def task_copy():
    for i in range({size}):
        yield {{"name": str(i), "actions": [(shutil.copy, [f"in/{{i}}", f"out/{{i}}"])],
               "file_dep": [f"in/{{i}}"], "targets": [f"out/{{i}}"]}}
"""
PYTASK = """
import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from pytask import task

for i in range({size}):
    @task(id=str(i))
    def task_copy(source: Path = Path(f"in/{{i}}"), produces: Path = Path(f"out/{{i}}")) -> None:
        shutil.copy(source, produces)
"""
SNAKEMAKE = """
rule all:
    input: expand("out/{{i}}", i=range({size}))

rule copy:
    input: "in/{{i}}"
    output: "out/{{i}}"
    shell: "cp {{input}} {{output}}"
"""


@dataclass(frozen=True)
class Row:
    """CPU seconds of a run with nothing to do; None with the reason if it was not measured."""

    tool: str
    tasks: int
    seconds: float | None
    reason: str = ""


def main() -> None:
    """Measure, print a table, and write JSON where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.no_op")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    target = parser.parse_args().json
    print(f"CPU seconds of a run with nothing to do, least of {ROUNDS}, on {machine()}")
    rows: list[Row] = []
    for measure in (own_graph, synthetic, other_tools):
        for row in measure():
            rows.append(row)
            shown = f"{row.seconds:8.2f} s" if row.seconds is not None else f"  {row.reason}"
            print(f"{row.tool:22} {row.tasks:5} tasks {shown}", flush=True)
    if target is not None:
        content = {"machine": machine(), "rows": [asdict(row) for row in rows]}
        target.write_text(f"{json.dumps(content, indent=1)}\n")


def own_graph() -> list[Row]:
    """Measure this project's own graph."""
    doit = [sys.executable, "-m", "doit"]
    listed = subprocess.run([*doit, "list", "--all"], cwd=ROOT, capture_output=True, check=True)
    tasks = sum(b":" in line.split()[0] for line in listed.stdout.splitlines())
    return [Row("this project", tasks, seconds(doit, ROOT))]


def synthetic() -> list[Row]:
    """Measure graphs of copies: with our artifacts, and with plain doit's two databases."""
    doit = [sys.executable, "-m", "doit"]
    files = {
        "artifacts": ARTIFACTS,
        "doit, dbm": PLAIN.replace("{backend}", "dbm"),
        "doit, sqlite3": PLAIN.replace("{backend}", "sqlite3"),
    }
    return [
        Row(tool, size, in_project(size, {"dodo.py": text}, doit))
        for size in SIZES
        for tool, text in files.items()
    ]


def other_tools() -> list[Row]:
    """Measure pytask and snakemake; the smaller size only, as their first runs take minutes."""
    rows: list[Row] = []
    for tool, file, text, options in (
        ("pytask", "task_copy.py", PYTASK, []),
        ("snakemake", "Snakefile", SNAKEMAKE, ["--cores", "2", "--quiet", "all"]),
    ):
        with tempfile.TemporaryDirectory() as folder:
            problem = install(tool, Path(folder))
            if problem:
                rows.append(Row(tool, SIZES[0], None, f"not installed: {problem}"))
                continue
            command = [str(Path(folder) / "bin" / tool), *options]
            rows.append(Row(tool, SIZES[0], in_project(SIZES[0], {file: text}, command)))
    return rows


def install(tool: str, folder: Path) -> str:
    """Install a tool into a fresh environment; return why that failed, else an empty string."""
    python = str(folder / "bin" / "python")
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", tool],
    ):
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS
        )
        if done.returncode:
            said = done.stderr.strip().splitlines()
            return said[-1] if said else f"exit status {done.returncode}"
    return ""


def in_project(size: int, files: Mapping[str, str], command: Sequence[str]) -> float:
    """Measure a command in a fresh project with as many input files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("in", "out", "lib"):
            (folder / part).mkdir()
        for number in range(size):
            (folder / "in" / str(number)).write_text(f"{number}\n" * 100)
        (folder / "lib" / "rule.py").write_text("x = 1\n")
        (folder / "steps.py").write_text(STEPS)
        for file, text in files.items():
            (folder / file).write_text(text.format(size=size))
        return seconds(command, folder)


def seconds(command: Sequence[str], folder: Path) -> float:
    """Run a command once so that all is made, then measure it."""
    with chdir(folder):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return command_cpu_milliseconds(command, ROUNDS) / 1e3


if __name__ == "__main__":
    main()
