"""The stage that runs wrong versions of autograd: a row for each of the copies, and a report."""

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from mutants.spec import Mutant
from pipeline.digest import file_digest
from pipeline.errors import MakeError
from pipeline.layout import BUILD
from pipeline.spec import Artifact, Job, Stage
from stages.checks import EXPECTED
from stages.copies import COPYING, FOLDER, MANIFEST, MEANING, ORIGINAL, PACKAGE
from stages.schema import Program

if TYPE_CHECKING:
    from mutants.matrix import Row, Summary
    from mutants.nursery import Nursery
    from mutants.trial import Trial

PAGE = str(BUILD / "mutate.html")
REPORTS = ("generated/reports/mutate.json", str(BUILD / "mutate.stryker.json"), PAGE)
"""The last two are large, and say nothing that the first does not: they are not committed."""

SUITE, BASELINE = str(FOLDER / "suite.json"), str(FOLDER / "baseline.json")
ROW = "row.json"
"""Beside a copy."""

_RUNNING = (
    "baseline",
    "copies",
    "matrix",
    "meaning",
    "memory",
    "nursery",
    "reach",
    "reuse",
    "rows",
    "run",
    "segments",
    "serving",
    "tracing",
    "trial",
    "trials",
    "whereabouts",
    "worker",
)
CODE = (
    "checks",
    "ground_truth",
    "mgc",
    *(f"mutants/{each}.py" for each in _RUNNING),
)
"""What decides a row beside the copy; a test compares with what the nursery imports. The table of
mutants is not part of it: another mutant changes no row."""

JUDGING = ("mutants/matrix.py", "mutants/equivalents.py")
"""What decides whether the rows are as they must be."""

REPORTING = ("mutants", "checks", "ground_truth", "mgc")
"""What writes the reports; the page of all rows has the titles of the checks."""

WIDTH = 110


def result(mutant: Mutant) -> str:
    """Return the file that holds the row of a mutant."""
    return f"{FOLDER}/{mutant.id}/{ROW}"


def suite(programs: Sequence[Program]) -> Artifact:
    """Name the state of all that the checks read, in one file for all rows."""
    return Artifact(
        name="basis:suite",
        doc=f"Write {SUITE}, a hash of what the checks are run on.",
        make=write_suite,
        inputs=(*dict.fromkeys(program.file for program in programs), *EXPECTED),
        targets=(SUITE,),
    )


def baseline(programs: Sequence[Program]) -> Artifact:
    """Run every check on autograd itself: copies prove nothing where it fails."""
    return Artifact(
        name="basis:baseline",
        doc=f"Run the checks on {PACKAGE} itself, as on its copies.",
        make=write_baseline,
        inputs=(SUITE,),
        targets=(BASELINE,),
        code=(*dict.fromkeys((*CODE, *COPYING)), PACKAGE),
        config=programs_config(programs),
        cached=True,
    )


def row(mutant: Mutant, programs: Sequence[Program]) -> Artifact:
    """Run every check on the copy of a mutant."""
    return Artifact(
        name=f"row:{mutant.id}",
        doc=f"Run the checks on the copy {mutant.id}.",
        make=write_row,
        inputs=(f"{FOLDER}/{mutant.id}/{MEANING}", SUITE, BASELINE),
        targets=(result(mutant),),
        code=CODE,
        config={"mutant": [mutant.id, mutant.title, mutant.kind], **programs_config(programs)},
        cached=True,
        long=mutant.kind in ("harmless", "slow"),  # they pass every check
        stage=None if mutant.kind == "slow" else STAGE,  # part of what its own stage shows
        result=result(mutant),
    )


def programs_config(programs: Sequence[Program]) -> dict[str, object]:
    """Return the slice of the settings that says what the checks are run on."""
    return {"programs": [[each.name, each.file, list(each.wrt), each.loss] for each in programs]}


def report(mutants: Sequence[Mutant]) -> Artifact:
    """Merge the rows into the reports."""
    return Artifact(
        name="report:mutate",
        doc=f"Write {', '.join(REPORTS)}.",
        make=write_reports,
        inputs=(
            ORIGINAL,
            *(f"{FOLDER}/{mutant.id}/{MANIFEST}" for mutant in mutants),
            *map(result, mutants),
        ),
        targets=REPORTS,
        code=REPORTING,
    )


def judge(result: Mapping[str, object]) -> str:
    """Return what is wrong with one row, MakeError if nothing can be said of the copy."""
    rows, trials = rows_of([result])
    said = summary_of(rows, trials)
    if said.void:
        raise MakeError("; ".join(said.void))
    return "\n".join(said.failures)


def write_suite(job: Job) -> None:
    """Make the target of `suite`."""
    digests = {name: file_digest(name) for name in job.inputs}
    job.targets[0].write_text(f"{json.dumps(digests, indent=1)}\n")


def write_baseline(job: Job) -> None:
    """Make the target of `baseline`, in the process that runs copies too."""
    with _at_the_nursery(job, PACKAGE) as nursery:
        shown = nursery.original()
    content = {
        "trials": shown.trials,
        "failed": shown.failed,
    }
    job.targets[0].write_text(f"{json.dumps(content)}\n")


def write_row(job: Job) -> None:
    """Make the target of `row`, in a process that this one keeps for the next rows too."""
    write_rows(job, [Path(job.inputs[0]).parent])


def write_rows(job: Job, folders: Iterable[Path]) -> None:
    """Write the rows of the copies in these folders, and the trials they were put through."""
    rows: list[dict[str, object]] = []
    trials: Sequence[Trial] = ()
    for folder in folders:
        with _at_the_nursery(job, folder.name) as nursery:
            grown = nursery.grow(folder.resolve())
        # Without its seconds a row is the same for the same outcomes.
        rows.append(replace(grown.row, seconds=0.0).as_json())
        trials = grown.trials
        with job.log.open("a") as log:
            log.write(f"{grown.row.id}: {grown.row.status}\n")
    content = {"rows": rows, "trials": trials}
    job.targets[0].write_text(f"{json.dumps(content)}\n")


@contextmanager
def _at_the_nursery(job: Job, name: str) -> "Iterator[Nursery]":
    """Join the process that runs copies; MakeError if it fails; who comes next joins anew."""
    from mutants.nursery import NurseryError  # noqa: PLC0415 - of no use to doit itself

    nursery = _nursery(json.dumps(job.config["programs"]))
    try:
        yield nursery
    except NurseryError as error:
        nursery.close()
        _nursery.cache_clear()
        raise MakeError(f"{name}: {error}") from error


@cache
def _nursery(programs: str) -> "Nursery":
    # Threads of BLAS would not survive the forks. Read when NumPy is first imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from checks.programs import Program as Checked  # noqa: PLC0415 - only who runs copies pays
    from mutants.nursery import Nursery  # noqa: PLC0415

    rows: list[tuple[str, str, list[str], int]] = json.loads(programs)
    checked = [Checked(name, Path(file), tuple(wrt), loss) for name, file, wrt, loss in rows]
    return Nursery(checked, FOLDER)


def write_reports(job: Job) -> None:
    """Make the targets of `report`; MakeError if two mutants are one, or autograd has changed."""
    from mutants.copies import tree_hash  # noqa: PLC0415 - of no use to doit itself
    from mutants.equivalents import EQUIVALENTS  # noqa: PLC0415
    from mutants.html_page import html_page  # noqa: PLC0415
    from mutants.report import report_json  # noqa: PLC0415
    from mutants.stryker import stryker_json  # noqa: PLC0415

    manifests = [json.loads(Path(each).read_text()) for each in job.inputs if MANIFEST in each]
    _prove_distinct(manifests)
    if {manifest["base_hash"] for manifest in manifests} != {tree_hash(Path(PACKAGE))}:
        raise MakeError(f"{PACKAGE} has changed while its copies were made; run doit again")
    contents = [json.loads(Path(each).read_text()) for each in job.inputs if each.endswith(ROW)]
    rows, trials = rows_of(contents)
    said = summary_of(rows, trials)
    job.targets[0].write_text(report_json(rows, said, trials, EQUIVALENTS))
    job.targets[1].write_text(stryker_json(rows, trials, EQUIVALENTS, Path()))
    job.targets[2].write_text(html_page(rows, said, trials, EQUIVALENTS))


def _prove_distinct(manifests: Sequence[Mapping[str, str]]) -> None:
    known: dict[str, str] = {}
    for manifest in manifests:
        if manifest["kind"] == "harmless":
            continue
        other = known.setdefault(manifest["ast_hash"], manifest["id"])
        if other != manifest["id"]:
            raise MakeError(f"the copy {manifest['id']} means the same as {other}")


def mutant_rows(result: Mapping[str, object]) -> list[list[str]]:
    """Return the row of the table for one mutant."""
    rows, trials = rows_of([result])
    return [row_cells(row, trials) for row in rows]


def row_cells(row: "Row", trials: "Sequence[Trial]") -> list[str]:
    """Return what is wrong with a copy, what came of it, and by which checks."""
    from mutants.report import named_checks, outcome_text  # noqa: PLC0415 - only for a table

    title = row.title if row.wrong else f"{row.kind}: {row.title}"
    return [
        title,
        outcome_text(row),
        f"{len(row.killers)}/{len(row.ran)}",
        named_checks(row, trials),
    ]


def summary(results: Sequence[Mapping[str, object]]) -> str:
    """Return the text below the table: the baseline, the score, what the matrix says of checks."""
    from rich.console import Console  # noqa: PLC0415 - only where a table is printed

    from mutants.equivalents import EQUIVALENTS  # noqa: PLC0415
    from mutants.report import baseline_text, print_summary  # noqa: PLC0415

    rows, trials = rows_of(results)
    if not rows:
        return "no copy was run"
    text = io.StringIO()
    console = Console(file=text, width=WIDTH, color_system=None, highlight=False, markup=False)
    failed = [row.problem for row in rows if row.original_fails]
    console.print(f"baseline: fail: {failed[0]}" if failed else baseline_text(trials))
    print_summary(console, rows, summary_of(rows, trials), trials, EQUIVALENTS)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def rows_of(contents: Sequence[Mapping[str, object]]) -> "tuple[list[Row], list[Trial]]":
    """Return all rows of result files, and the trials, which are the same in each."""
    from mutants.matrix import row_from_json  # noqa: PLC0415 - only where rows are read
    from mutants.trial import Trial  # noqa: PLC0415

    listed = cast("Sequence[tuple[str, str, int, str]]", contents[0]["trials"]) if contents else ()
    trials = [Trial(*each) for each in listed]
    ids = [trial.id for trial in trials]
    listed_rows = [cast("Sequence[Mapping[str, object]]", each["rows"]) for each in contents]
    return [row_from_json(each, ids) for rows in listed_rows for each in rows], trials


def summary_of(rows: "Sequence[Row]", trials: "Sequence[Trial]") -> "Summary":
    """Return what the rows say as a whole."""
    from mutants import matrix  # noqa: PLC0415 - as above
    from mutants.equivalents import EQUIVALENTS  # noqa: PLC0415 - as above

    return matrix.summary(rows, trials, EQUIVALENTS)


STAGE = Stage(
    "mutants",
    ("mutant", "what is wrong", "outcome", "caught/ran", "by"),
    mutant_rows,
    summary=summary,
)
"""Every copy, in the order of the tables in mutants/."""
