"""Listings of commands with what they print, run in a folder that holds the examples alone."""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pipeline.errors import MakeError
from pipeline.listing import tidy
from pipeline.process import run
from pipeline.spec import Job
from stages.memref import without_addresses

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS = 120
ENVIRONMENT = {
    "COLUMNS": "80",  # the width of a listing in the book
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}

TRANSCRIPTS = {
    "command-help": [("autograd --help", 0)],
    "command-run": [("mgc run examples/00_worked_example.mg", 0)],
    "command-optimized": [("autograd examples/00_worked_example.mg --wrt w,x -O", 0)],
    "command-refusal": [
        (r"printf 'let w = [[1, 2]]\nprint row_sum(ge(w, w))\n' | autograd - --wrt w", 1),
    ],
    "command-compare": [
        ("autograd compare examples/h34_layer_norm.mg --wrt h", 0),
        (
            (
                r"sed 's/ - hat \* row_mean(d \* hat)//' examples/h34_layer_norm.mg | "
                "autograd compare - --wrt h"
            ),
            1,
        ),
    ],
}
"""The commands of each listing, and the exit status that each must have."""


def write_transcript(job: Job) -> None:
    """Run the commands of the job's settings one after the other; write them and their output.

    They see the job's inputs and nothing else of the project, and `autograd` and `mgc` are this
    checkout's. Raises MakeError for an exit status other than the one that is expected.
    """
    commands = cast("Sequence[tuple[str, int]]", job.config["commands"])
    with tempfile.TemporaryDirectory(prefix="listing-") as name:
        folder = Path(name)
        for file in job.inputs:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(Path(file).read_bytes())
        programs = folder / "bin"
        programs.mkdir()
        for package in ("autograd", "mgc"):
            script = programs / package
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {package} "$@"\n')
            script.chmod(0o755)
        shown = "".join(
            f"$ {command}\n{_output(command, status, folder, job.log)}"
            for command, status in commands
        )
    if name in shown:
        message = f"a command prints the folder that it ran in, {name}, which is never the same"
        raise MakeError(message)
    job.targets[0].write_text(tidy(without_addresses(shown)))


def _output(command: str, status: int, folder: Path, log: Path) -> str:
    """Return what a command prints on both its streams."""
    variables = {
        **ENVIRONMENT,
        "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
        "PYTHONPATH": str(Path.cwd()),
    }
    settings = [f"{name}={value}" for name, value in variables.items()]
    script = f'cd "$1" && {{ {command}\n}} 2>&1; test $? -eq {status}'
    argv = ["env", "-i", *settings, "sh", "-c", script, "sh", str(folder)]
    try:
        return run(argv, log, SECONDS).decode()
    except MakeError as error:
        message = f"`{command}` did not end with exit status {status}; its output is in the log"
        raise MakeError(message) from error
