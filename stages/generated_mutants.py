"""The stage of generated mutants: what operators change in each module of autograd, and a score.

Its copies are as real as the hand-written ones, and are not kept: there are several hundred.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mutants.spec import MODULES, Mutant
from pipeline.layout import BUILD
from pipeline.spec import Artifact, Job, Stage
from stages.copies import COPYING, ORIGINAL, PACKAGE
from stages.mutants import (
    CODE,
    SUITE,
    programs_config,
    row_cells,
    rows_of,
    summary,
    summary_of,
    write_rows,
)
from stages.schema import Program

FOLDER = BUILD / "generated_mutants"
# Two megabytes, and minutes to make: nothing that is committed depends on it.
REPORT = str(BUILD / "score.json")
OPERATORS = ("mutants/operators.py", "mutants/changes.py")


def item(module: str) -> str:
    """Return what a module of autograd is called in task names: `rules`, `optimize.graph`."""
    return module.removesuffix(".py").replace("/", ".")


def result(module: str) -> str:
    """Return the file that holds the rows of a module's mutants."""
    return str(FOLDER / f"{item(module)}.json")


def results() -> dict[str, str]:
    """Return the file with the rows of each module."""
    return {item(module): result(module) for module in MODULES}


def rows(module: str, programs: Sequence[Program]) -> Artifact:
    """Run every check on every mutant that the operators make of a module."""
    return Artifact(
        name=f"survey:{item(module)}",
        doc=f"Run the checks on the generated mutants of {PACKAGE}/{module}.",
        make=write_survey,
        inputs=(ORIGINAL, SUITE),
        targets=(result(module),),
        code=tuple(dict.fromkeys((*CODE, *COPYING, *OPERATORS))),
        config={"module": module, **programs_config(programs)},
        cached=True,
        stage=SCORE,
        result=result(module),
    )


def report() -> Artifact:
    """Merge the rows into the report."""
    return Artifact(
        name="report:score",
        doc=f"Write {REPORT}.",
        make=write_report,
        inputs=tuple(map(result, MODULES)),
        targets=(REPORT,),
        code=("mutants",),
    )


def write_survey(job: Job) -> None:
    """Make the target of `rows`."""
    from mutants.operators import generated  # noqa: PLC0415 - it parses all of autograd

    module = job.config["module"]
    mutants = [each for each in generated(Path(PACKAGE)) if each.file == module]
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        write_rows(job, _copies(mutants, Path(name)))


def _copies(mutants: Sequence[Mutant], folder: Path) -> Iterator[Path]:
    """Write one copy after the other."""
    from mutants.copies import write_copy  # noqa: PLC0415 - of no use to doit itself

    for mutant in mutants:
        write_copy(mutant, Path(PACKAGE), folder / mutant.id)
        yield folder / mutant.id


def write_report(job: Job) -> None:
    """Make the target of `report`."""
    from mutants.equivalents import EQUIVALENTS  # noqa: PLC0415 - of no use to doit itself
    from mutants.report import report_json  # noqa: PLC0415

    contents = [json.loads(Path(each).read_text()) for each in job.inputs]
    found, trials = rows_of(contents)
    job.targets[0].write_text(report_json(found, summary_of(found, trials), trials, EQUIVALENTS))


def survivor_rows(result: Mapping[str, object]) -> list[list[str]]:
    """Return a row of the table for each mutant that no value catches."""
    found, trials = rows_of([result])
    return [[row.id, *row_cells(row, trials)] for row in found if not row.by_value]


SCORE = Stage(
    "generated mutants that no value catches",
    ("module", "mutant", "what is changed", "outcome", "caught/ran", "by"),
    survivor_rows,
    summary=summary,
)
