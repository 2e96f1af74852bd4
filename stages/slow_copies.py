"""The stage of slow copies: autograd with a change that keeps it right and makes it cost more.

What counts as right cannot tell such a copy from autograd, and its row of the kill matrix must say
so. So it is measured, at -O0, in the place of autograd, and a limit of the programs must be passed:
this is what shows that the limits would catch anything.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, cast

from cost.measurement import Level, find, ratio
from cost.report import measurements_of
from mutants.slow import SLOW, proofs_of_wrong
from mutants.spec import Mutant
from pipeline.child import in_child
from pipeline.errors import MakeError
from pipeline.layout import BUILD
from pipeline.spec import Artifact, Job, Stage
from stages import cost, mutants
from stages.schema import Program

SECONDS = 600
FOLDER = BUILD / "slow"
LEVEL: Level = "O0"
VARIANTS = ("plain", "optimized")
"""What a copy is asked to write; the other variants hardly pass through autograd."""


def result(copy: str) -> str:
    """Return the file that holds what a copy costs, and which limits it passes."""
    return str(FOLDER / f"{copy}.json")


def measure(mutant: Mutant, programs: Sequence[Program]) -> Artifact:
    """Count what a copy writes for the programs that have limits."""
    limited = [program for program in programs if program.limits]
    return Artifact(
        name=f"slow:{mutant.id}",
        doc=f"Count the instructions of what a slow copy writes: {mutant.title}.",
        make=write_costs,
        inputs=(
            mutants.result(mutant),
            cost.TOOLCHAIN,
            *(program.file for program in limited),
            *map(cost.result, limited),
        ),
        targets=(result(mutant.id),),
        code=(
            "mutants/slow.py",
            "mutants/copies.py",
            "mutants/matrix.py",
            "mutants/report.py",
            "checks/subject.py",
            "cost",
            "autograd",
            "mgc",
        ),
        config={
            "copy": mutant.id,
            "programs": [
                {
                    "name": program.name,
                    "file": program.file,
                    "counted": cost.result(program),
                    "wrt": list(program.wrt),
                    "loss": program.loss,
                    "limits": [asdict(limit) for limit in program.limits],
                }
                for program in limited
            ],
        },
        cached=True,
        long=True,
        stage=SLOW_COPIES,
        result=result(mutant.id),
    )


def judge(result: Mapping[str, object]) -> str:
    """Return that a copy is wrong, or that no limit catches it; MakeError if nobody knows."""
    if result["problem"]:
        raise MakeError(f"{result['copy']}: {result['problem']}")
    proofs = cast("Sequence[str]", result["proofs_of_wrong"])
    if proofs:
        return f"{result['copy']} is slow but right, and is killed by {proofs[0]}"
    if any(row["excess"] for row in _rows(result)):
        return ""
    return f"{result['copy']}: no limit of cost is passed by a copy in which {result['title']}"


def write_costs(job: Job) -> None:
    """Make the target of `measure`."""
    in_child(partial(_write_costs, job), job.log, SECONDS)


def _write_costs(job: Job) -> None:
    """Count in a process of its own, which has the compiler and the copy in it."""
    from checks.subject import ROOT, Subject  # noqa: PLC0415 - of no use to doit itself
    from mutants.copies import PACKAGE, write_copy  # noqa: PLC0415 - the same
    from mutants.report import killing_checks  # noqa: PLC0415 - the same

    mutant = next(each for each in SLOW if each.id == job.config["copy"])
    with tempfile.TemporaryDirectory(prefix="slow-") as name:
        folder = Path(name) / mutant.id
        write_copy(mutant, ROOT / PACKAGE, folder)
        subject = Subject(folder)
        programs = cast("Sequence[dict[str, Any]]", job.config["programs"])
        rows = [_costs(subject, program) for program in programs]
    [row], trials = mutants.rows_of([json.loads(Path(job.inputs[0]).read_text())])
    content = {
        "copy": mutant.id,
        "title": mutant.title,
        "problem": row.problem,
        "proofs_of_wrong": proofs_of_wrong(row, trials),
        "seen_by": killing_checks(row, trials),
        "programs": rows,
    }
    job.targets[0].write_text(f"{json.dumps(content, indent=1)}\n")


def _costs(subject: Any, program: Mapping[str, Any]) -> dict[str, object]:  # noqa: ANN401 - see above
    """Return what a copy costs, as a multiple of what autograd does, and the limits it passes."""
    from checks.writing import accepted  # noqa: PLC0415 - of no use to doit itself
    from cost.limits import Limit  # noqa: PLC0415 - the same
    from cost.measure import measurement  # noqa: PLC0415 - the same

    name = str(program["name"])
    source = Path(program["file"]).read_text(encoding="utf-8")
    request = source, tuple(program["wrt"]), int(program["loss"])
    texts = {
        "plain": accepted(subject.gradient(*request)),
        "optimized": accepted(subject.optimized(*request)),
    }
    counted = measurements_of(json.loads(Path(program["counted"]).read_text())["measurements"])
    of_copy = [measurement(name, variant, texts[variant], LEVEL) for variant in VARIANTS]
    kept = [each for each in counted if each.level == LEVEL and each.variant not in VARIANTS]
    limits = [Limit(**row) for row in program["limits"]]
    lines = [limit.excess(name, [*of_copy, *kept]) for limit in limits if limit.level == LEVEL]
    return {
        "program": name,
        "times": {
            each.variant: ratio(each, find(counted, name, each.variant, LEVEL)) for each in of_copy
        },
        "excess": [line for line in lines if line],
    }


def slow_rows(result: Mapping[str, object]) -> list[list[str]]:
    """Return a row for each program that a copy was measured on."""
    seen = ", ".join(cast("Sequence[str]", result["seen_by"])) or "none"
    return [
        [
            str(row["program"]),
            seen,
            *(f"{row['times'][variant]:.3f}" for variant in VARIANTS),
            "; ".join(row["excess"]) or "none",
        ]
        for row in _rows(result)
    ]


def summary(results: Sequence[Mapping[str, object]]) -> str:
    """Return the line below the table."""
    caught = sum(not judge(result) for result in results)
    return f"{len(results)} slow copies: {caught} right, and caught by a limit of cost"


def _rows(result: Mapping[str, object]) -> "Sequence[dict[str, Any]]":
    return cast("Sequence[dict[str, Any]]", result["programs"])


SLOW_COPIES = Stage(
    "slow copies",
    ("copy", "program", "checks", "plain, times", "optimized, times", "limit passed"),
    slow_rows,
    summary=summary,
)
