"""The stage that checks: a verdict file for each program and subject, and a report of all."""

import importlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from pipeline.child import in_child
from pipeline.layout import BUILD
from pipeline.spec import Artifact, Job, Stage
from stages.schema import Program

SECONDS = 600
FOLDER = BUILD / "checks"
REPORT = "generated/reports/check.json"
EXPECTED = tuple(sorted(str(file) for file in Path("checks/expected").glob("*.json")))
"""What an independent program computed, which the checks compare with."""

SUBJECTS = ("rules", "kinks", "descent", "refusals", "structure", "random")
"""What is checked of no program in particular; a test compares with the checks' own list."""

TYPICAL_BYTES = 10_000
"""A program of this size takes about as long to check as a subject."""

REPORTED = ("id", "group", "title", "program", "passed", "elements", "worst", "tolerance", "detail")


def result(item: str) -> str:
    """Return the file that holds the verdicts on an item."""
    return str(FOLDER / f"{item}.json")


def verdict(item: str, programs: Sequence[Program]) -> Artifact:
    """Run the checks of a program, or of one of the subjects."""
    chosen = [program for program in programs if program.name == item]
    return Artifact(
        name=f"verdict:{item}",
        doc=f"Run the checks of {item}.",
        make=write_verdict,
        inputs=(*(program.file for program in chosen), *EXPECTED),
        targets=(result(item),),
        code=("checks", "autograd", "mgc", "ground_truth"),
        config={
            "item": item,
            "programs": [
                [program.name, program.file, list(program.wrt), program.loss] for program in chosen
            ],
        },
        cached=True,
        stage=CHECKS,
        result=result(item),
    )


def longest_first(programs: Sequence[Program]) -> list[str]:
    """Return what there is to check in the order to start it in, by the size of the program.

    What takes longest must not be what is left at the end, for one process alone.
    """
    sizes = {each.name: Path(each.file).stat().st_size for each in programs if _is_there(each)}
    items = [*(program.name for program in programs), *SUBJECTS]
    return sorted(items, key=lambda item: -sizes.get(item, TYPICAL_BYTES))


def _is_there(program: Program) -> bool:
    # An excerpt that was deleted is copied again before it is checked.
    return Path(program.file).is_file()


def report(items: Sequence[str]) -> Artifact:
    """Merge the verdicts into one file; times are left out, since they are never the same."""
    return Artifact(
        name="report:check",
        doc=f"Write {REPORT}.",
        make=write_report,
        inputs=tuple(map(result, items)),
        targets=(REPORT,),
    )


def judge(result: Mapping[str, object]) -> str:
    """Return the checks that failed, each with the element and both its numbers."""
    failed = [row for row in _rows(result) if not row["passed"]]
    return "\n".join(
        f"{row['id']} of {row['program']}: {row['detail']}; the error is {row['worst']}, "
        f"the tolerance {row['tolerance']}: {row['reason']}"
        for row in failed
    )


def write_verdict(job: Job) -> None:
    """Make the target of `verdict`; what is imported here, the child need not import again."""
    # Small matrices: threads would cost more than they save. Read when NumPy is first imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    importlib.import_module("checks.catalogue")
    importlib.import_module("mgc.jit")
    in_child(partial(_write_verdict, job), job.log, SECONDS)


def _write_verdict(job: Job) -> None:
    from checks.catalogue import run  # noqa: PLC0415 - of no use to doit itself
    from checks.groups import GROUPS  # noqa: PLC0415
    from checks.programs import Program as Checked  # noqa: PLC0415
    from checks.subject import Subject  # noqa: PLC0415
    from checks.warmth import warm  # noqa: PLC0415

    rows = cast("Sequence[tuple[str, str, list[str], int]]", job.config["programs"])
    programs = [Checked(name, Path(file), tuple(wrt), loss) for name, file, wrt, loss in rows]
    with warm():
        found = run(str(job.config["item"]), programs, Subject())
    verdicts = [
        {**each.as_json(), "heading": f"{each.group}. {GROUPS[each.group]}"} for each in found
    ]
    content = {"item": job.config["item"], "verdicts": verdicts}
    job.targets[0].write_text(f"{json.dumps(content, indent=1)}\n")


def write_report(job: Job) -> None:
    """Make the target of `report`."""
    rows = [row for file in job.inputs for row in _rows(json.loads(Path(file).read_text()))]
    rows.sort(key=lambda row: cast("int", row["group"]))
    passed = sum(bool(row["passed"]) for row in rows)
    content = {
        "checks": [{name: row[name] for name in REPORTED} for row in rows],
        "passed": passed,
        "failed": len(rows) - passed,
    }
    job.targets[0].write_text(f"{json.dumps(content, indent=1)}\n")


def check_rows(result: Mapping[str, object]) -> list[list[str]]:
    """Return the cells of each check of an item; a failed one is marked."""
    return [
        [
            str(row["heading"]),
            f"{'' if row['passed'] else 'FAILED '}{row['id']}",
            str(row["elements"]),
            f"{float(cast('str', row['worst'])):.2g}",
            str(row["detail"]).partition(":")[0],
            f"{float(cast('str', row['tolerance'])):.0e}",
            f"{row['seconds']:.2f} s",
        ]
        for row in _rows(result)
    ]


def summary(results: Sequence[Mapping[str, object]]) -> str:
    """Return the line below the tables."""
    rows = [row for result in results for row in _rows(result)]
    passed = sum(bool(row["passed"]) for row in rows)
    elements = sum(cast("int", row["elements"]) for row in rows)
    return (
        f"{len(rows)} checks: {passed} passed, {len(rows) - passed} failed; "
        f"{elements} elements compared"
    )


def _rows(result: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    return cast("Sequence[Mapping[str, object]]", result["verdicts"])


CHECKS = Stage(
    "checks",
    ("item", "group", "check", "elements", "worst", "where", "tolerance", "time"),
    check_rows,
    by="group",
    summary=summary,
)
