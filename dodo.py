"""The doit graph: the ground-truth programs, and what is made of each program."""

import os
from collections.abc import Iterator
from pathlib import Path

from doit.task import Task

from cost.toolchain import missing
from mutants.hand_written import MUTANTS
from mutants.slow import SLOW
from mutants.spec import MODULES
from pipeline.artifact import artifact
from pipeline.checker import DigestChecker
from pipeline.config import load_or_exit
from pipeline.doit_config import checked
from pipeline.gate import gates
from pipeline.json_schema import schema_artifact
from pipeline.layout import BUILD
from pipeline.pages import filling
from stages import (
    checks,
    copies,
    cost,
    generated_mutants,
    gradients,
    ground_truth,
    listings,
    mutants,
    site,
    slow_copies,
)
from stages.reporting import Reporter
from stages.schema import Pipeline

PIPELINE = load_or_exit(Path("pipeline.yaml"), Pipeline)

ITEMS = checks.longest_first(PIPELINE.programs)
COUNTED = [program for program in PIPELINE.programs if program.cost]
MADE = ("editor", "chapter", "excerpt", "gradient", "build", "output")
LIMITED = any(program.limits for program in COUNTED)
COPIED = (*MUTANTS, *(SLOW if LIMITED else ()))
COST = ("skipped",) if missing() else ("cost", "caught") if LIMITED else ("cost",)
JUDGED = ("check", "mutate", *(COST if COUNTED else ()))

DOIT_CONFIG = checked(
    {
        "default_tasks": [*MADE, *JUDGED],
        "continue": True,  # one bad program hides nothing about the others
        "verbosity": 0,  # each task has its log
        "reporter": Reporter,
        "backend": "durable",
        "check_file_uptodate": DigestChecker,
        "schema": Pipeline,
        "num_process": min(2, os.cpu_count() or 1),  # native code runs in processes of its own
        "dep_file": str(BUILD / "doit.sqlite3"),
    }
)


def task_editor() -> Iterator[dict[str, object]]:
    """Write the JSON Schema of pipeline.yaml, for editors."""
    yield artifact(schema_artifact("editor:schema", Pipeline, "generated/pipeline.schema.json"))


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


def task_basis() -> Iterator[dict[str, object]]:
    """Name what all copies depend on, and run the checks on the original."""
    yield artifact(copies.original())
    yield artifact(mutants.suite(PIPELINE.programs))
    yield artifact(mutants.baseline(PIPELINE.programs))


def task_copy() -> Iterator[dict[str, object]]:
    """Copy autograd, with one thing changed in each copy."""
    for mutant in COPIED:
        yield artifact(copies.copy(mutant))


def task_row() -> Iterator[dict[str, object]]:
    """Run every check on every copy."""
    for mutant in COPIED:
        yield artifact(mutants.row(mutant, PIPELINE.programs))


def task_mutate() -> Iterator[Task | dict[str, object]]:
    """Fail where a wrong copy survives, or a harmless one does not."""
    results = {mutant.id: mutants.result(mutant) for mutant in MUTANTS}
    doc = "Fail where a wrong copy survives, or a harmless one does not."
    yield from gates(
        "mutate", doc, results, mutants.judge, also=mutants.REPORTS, code=mutants.JUDGING
    )


def task_survey() -> Iterator[dict[str, object]]:
    """Run every check on the mutants that operators make of each module of autograd."""
    for module in MODULES:
        yield artifact(generated_mutants.rows(module, PIPELINE.programs))


def task_score() -> Iterator[Task | dict[str, object]]:
    """Fail where a generated mutant survives that is not listed as equivalent."""
    results = generated_mutants.results()
    doc = "Fail where a generated mutant survives that is not listed as equivalent."
    also = [generated_mutants.REPORT]
    yield from gates("score", doc, results, mutants.judge, also=also, code=mutants.JUDGING)


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
    yield artifact(mutants.report(MUTANTS))
    yield artifact(generated_mutants.report())
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


def task_slow() -> Iterator[dict[str, object]]:
    """Count what the copies of autograd execute that are right and slow."""
    if LIMITED:
        for mutant in SLOW:
            yield artifact(slow_copies.measure(mutant, COUNTED))


def task_caught() -> Iterator[Task | dict[str, object]]:
    """Fail where a slow copy is wrong, or no limit of cost catches it."""
    if LIMITED:
        results = {mutant.id: slow_copies.result(mutant.id) for mutant in SLOW}
        doc = "Fail where a slow copy is wrong, or no limit of cost catches it."
        yield from gates("caught", doc, results, slow_copies.judge)


def task_descent() -> Iterator[dict[str, object]]:
    """Write the program that descends, whose losses a listing shows."""
    for spec in listings.descent(PIPELINE):
        yield artifact(spec)


def task_listing() -> Iterator[dict[str, object]]:
    """Write each listing, and their index."""
    for spec in listings.artifacts(PIPELINE):
        yield artifact(spec)


def task_listings() -> Iterator[dict[str, object]]:
    """Bring the listings in the pages up to date; in CI, fail where one is not."""
    if PIPELINE.listings.pages:
        yield filling(listings.listings(PIPELINE), PIPELINE.listings.pages)


def task_archive() -> Iterator[dict[str, object]]:
    """Build the pages of docs/ as a site."""
    yield artifact(site.archive())


def task_site() -> dict[str, object]:
    """Lay the site out in a folder."""
    return site.unpacking()
