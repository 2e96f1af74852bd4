"""The stage that counts: the tools, the instructions of each program, the report of all."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, cast

from cost.measurement import LEVELS
from cost.report import (
    BREAKDOWN_COLUMNS,
    COLUMNS,
    breakdown_title,
    cost_rows,
    json_text,
    measurements_of,
)
from cost.report import breakdown_rows as breakdown_cells
from cost.toolchain import TOOLS, CountError, Toolchain, cpu, missing, toolchain
from pipeline.child import in_child
from pipeline.errors import MakeError
from pipeline.layout import BUILD
from pipeline.spec import Artifact, Job, Stage
from stages.schema import Program

SECONDS = 600
FOLDER = BUILD / "cost"
TOOLCHAIN = str(FOLDER / "toolchain.json")
REPORT = ("generated/reports/cost.json", "generated/reports/cost.svg")


def result(program: Program) -> str:
    """Return the file that holds what was counted of a program, and which limits it passes."""
    return str(FOLDER / f"{program.name}.json")


def tools() -> Artifact:
    """Describe what counts depend on; the one task that fails where a tool is not installed."""
    paths = {tool: shutil.which(tool) for tool in TOOLS}
    states = {tool: Path(path).stat() for tool, path in paths.items() if path}
    installed = {tool: [state.st_size, state.st_mtime_ns] for tool, state in states.items()}
    return Artifact(
        name="tools:cost",
        doc=f"Write {TOOLCHAIN}, the versions of what instructions are counted with.",
        make=write_toolchain,
        inputs=(),
        targets=(TOOLCHAIN,),
        code=("cost",),
        config={"installed": installed, "cpu": cpu()},
        tools=TOOLS,
    )


def count(program: Program) -> Artifact:
    """Count the instructions of a program in every variant; compare with its limits."""
    return Artifact(
        name=f"count:{program.name}",
        doc=f"Count the instructions of {program.file} and of its gradient program.",
        make=write_count,
        inputs=(program.file, TOOLCHAIN),
        targets=(result(program),),
        code=("cost", "autograd", "mgc"),
        config={
            "program": program.name,
            "wrt": list(program.wrt),
            "loss": program.loss,
            "limits": [asdict(limit) for limit in program.limits],
        },
        cached=True,
        long=True,
        stage=COST,
        result=result(program),
    )


def report(programs: Sequence[Program]) -> Artifact:
    """Merge what was counted of all programs into one file, and draw it."""
    return Artifact(
        name="report:cost",
        doc=f"Write {' and '.join(REPORT)}.",
        make=write_report,
        inputs=(TOOLCHAIN, *map(result, programs)),
        targets=REPORT,
        code=("cost",),
        stage=BREAKDOWN,
        result=REPORT[0],
    )


def skipped() -> Artifact:
    """Say, in a run that leaves the stage out because a tool is not installed, which one."""
    target = str(FOLDER / "skipped.json")
    return Artifact(
        name="skipped:cost",
        doc="Say why no instructions are counted.",
        make=write_skipped,
        inputs=(),
        targets=(target,),
        config={"why": missing()},
        stage=SKIPPED,
        result=target,
    )


def judge(result: Mapping[str, object]) -> str:
    """Return the limits that a program passes, a line each."""
    return "\n".join(cast("Sequence[str]", result["excess"]))


def write_toolchain(job: Job) -> None:
    """Make the target of `tools`."""
    try:
        described = toolchain()
    except CountError as error:
        raise MakeError(str(error)) from error
    job.targets[0].write_text(f"{json.dumps(asdict(described), indent=1)}\n")


def write_count(job: Job) -> None:
    """Make the target of `count`."""
    in_child(partial(_count, job), job.log, SECONDS)


def _count(job: Job) -> None:
    """Count in a process of its own, which has the compiler in it."""
    from cost.limits import Limit  # noqa: PLC0415 - what follows is of no use to doit itself
    from cost.measure import measured  # noqa: PLC0415
    from cost.programs import Program as Measured  # noqa: PLC0415

    name = str(job.config["program"])
    limits = [Limit(**row) for row in cast("Sequence[dict[str, Any]]", job.config["limits"])]
    wrt = tuple(cast("Sequence[str]", job.config["wrt"]))
    loss = cast("int", job.config["loss"])
    measurements = measured(Measured(name, Path(job.inputs[0]), wrt, loss))
    lines = [limit.excess(name, measurements) for limit in limits]
    content = {
        "program": name,
        "measurements": [asdict(each) for each in measurements],
        "excess": [line for line in lines if line],
    }
    job.targets[0].write_text(f"{json.dumps(content, indent=1)}\n")


def write_report(job: Job) -> None:
    """Make the targets of `report`."""
    from cost.chart import chart  # noqa: PLC0415 - only for this

    described, *results = (json.loads(Path(file).read_text()) for file in job.inputs)
    measurements = [each for one in results for each in measurements_of(one["measurements"])]
    text, drawing = job.targets
    text.write_text(json_text(Toolchain(**described), measurements))
    drawing.write_text(chart(measurements))


def write_skipped(job: Job) -> None:
    """Make the target of `skipped`."""
    job.targets[0].write_text(json.dumps({"why": job.config["why"]}))


def count_rows(result: Mapping[str, object]) -> list[list[str]]:
    """Return a row for each variant and level of a program."""
    return cost_rows(measurements_of(result["measurements"]))


def breakdown_rows(report: Mapping[str, object]) -> list[list[str]]:
    """Return the rows of every program and level, headed by the title of their table."""
    measurements = measurements_of(report["programs"])
    rows: list[list[str]] = []
    for program in dict.fromkeys(each.program for each in measurements):
        for level in LEVELS:
            title = breakdown_title(program, level)
            chosen = [e for e in measurements if (e.program, e.level) == (program, level)]
            rows += [[title, *cells] for cells in breakdown_cells(chosen)]
    return rows


def no_rows(result: Mapping[str, object]) -> list[list[str]]:
    """Return nothing: the summary says it all."""
    del result
    return []


def why_skipped(results: Sequence[Mapping[str, object]]) -> str:
    """Return the line that says why the stage is left out."""
    return "\n".join(f"cost: skipped; {result['why']}" for result in results)


COST = Stage("cost", ("program", *COLUMNS), count_rows)
BREAKDOWN = Stage("breakdown", ("report", "title", *BREAKDOWN_COLUMNS), breakdown_rows, by="title")
SKIPPED = Stage("cost", ("stage",), no_rows, summary=why_skipped)
