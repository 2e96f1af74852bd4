"""The doit graph: the ground-truth programs, and what is made of each program."""

import os
from collections.abc import Iterator
from pathlib import Path

from doit.task import Task

from cost.toolchain import missing
from pipeline.artifact import artifact
from pipeline.config import load_or_exit
from pipeline.gate import gates
from pipeline.layout import BUILD
from pipeline.reporter import StageReporter
from stages import checks, cost, gradients, ground_truth
from stages.schema import Pipeline

PIPELINE = load_or_exit(Path("pipeline.yaml"), Pipeline)

BUILD.mkdir(parents=True, exist_ok=True)  # doit does not make the folder of its dep_file

ITEMS = checks.longest_first(PIPELINE.programs)
COUNTED = [program for program in PIPELINE.programs if program.cost]
COST = ("skipped" if missing() else "cost",) if COUNTED else ()

DOIT_CONFIG = {
    "default_tasks": ["chapter", "excerpt", "gradient", "build", "output", "check", *COST],
    "continue": True,  # one bad program hides nothing about the others
    "verbosity": 0,  # each task has its log
    "reporter": StageReporter,
    "backend": "sqlite3",
    "num_process": min(2, os.cpu_count() or 1),  # native code runs in processes of its own anyway
    "dep_file": str(BUILD / "doit.sqlite3"),
}


def task_chapter() -> Iterator[dict[str, object]]:
    """Write the chapter programs."""
    for name in PIPELINE.chapters:
        yield artifact(ground_truth.chapter(name))


def task_excerpt() -> Iterator[dict[str, object]]:
    """Copy the ground-truth programs out of the chapter programs."""
    for program in PIPELINE.programs:
        if program.chapter:
            yield artifact(ground_truth.excerpt(program, PIPELINE.book))


def task_gradient() -> Iterator[dict[str, object]]:
    """Write the gradient program of each program."""
    for program in PIPELINE.programs:
        yield artifact(gradients.gradient(program, PIPELINE.compiler))


def task_build() -> Iterator[dict[str, object]]:
    """Compile each gradient program to an executable."""
    for program in PIPELINE.programs:
        yield artifact(gradients.build(program, PIPELINE.compiler))


def task_output() -> Iterator[dict[str, object]]:
    """Run each executable; write what it prints and its numbers in full precision."""
    for program in PIPELINE.programs:
        yield artifact(gradients.output(program, PIPELINE.compiler))


def task_verdict() -> Iterator[dict[str, object]]:
    """Run the checks of each program and subject."""
    for item in ITEMS:
        yield artifact(checks.verdict(item, PIPELINE.programs))


def task_check() -> Iterator[Task | dict[str, object]]:
    """Fail where a check of a program or a subject failed."""
    results = {item: checks.result(item) for item in ITEMS}
    doc = "Fail where a check failed."
    yield from gates("check", doc, results, checks.judge, also=[checks.REPORT])


def task_tools() -> Iterator[dict[str, object]]:
    """Describe what counts depend on."""
    if COUNTED:
        yield artifact(cost.tools())


def task_count() -> Iterator[dict[str, object]]:
    """Count the instructions of each program and its gradient program."""
    for program in COUNTED:
        yield artifact(cost.count(program))


def task_report() -> Iterator[dict[str, object]]:
    """Merge the verdicts, and what was counted, into one file each."""
    yield artifact(checks.report(ITEMS))
    if COUNTED:
        yield artifact(cost.report(COUNTED))


def task_skipped() -> Iterator[dict[str, object]]:
    """Say in a plain run why nothing is counted."""
    if missing():
        yield artifact(cost.skipped())


def task_cost() -> Iterator[Task | dict[str, object]]:
    """Fail where a program costs more than its limits."""
    if COUNTED:
        results = {program.name: cost.result(program) for program in COUNTED}
        doc = "Fail where a program costs more than its limits."
        yield from gates("cost", doc, results, cost.judge, also=cost.REPORT)
