"""Listings that are tables: of the rules, of the reports of other stages, and of what is run."""

import ast
import inspect
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cost.report import COLUMNS as COST_COLUMNS
from cost.report import cost_rows, measurements_of
from pipeline.errors import MakeError
from pipeline.listing import write_table
from pipeline.process import run
from pipeline.spec import Job
from stages.memref import MemrefError, elements, parse

if TYPE_CHECKING:
    from autograd.rule_table import Refused, Rule, Zero
    from mgc.ops import Op

Maker = Callable[[Job], None]

SECONDS = 120
MOST_NAMED = 3
"""So many checks are named in a row of a mutant; the report has all of them."""

RULE_COLUMNS = ("operation", "result", "adjoint of x", "adjoint of y")
CHECK_COLUMNS = ("check", "what it says", "of", "elements", "worst error", "tolerance", "verdict")
MUTATE_COLUMNS = ("mutant", "what is wrong", "outcome", "caught by")
SCORE_COLUMNS = ("mutants", "wrong", "caught", "by value", "by refusal", "by crash", "equivalent")
DESCENT_COLUMNS = ("step", "loss before", "loss after")
SIZE_COLUMNS = ("gradient program", "defs", "lets", "lines", "bytes")


def write_rules(job: Job) -> None:
    """Write what each operation's operands receive, read from the rules themselves."""
    from autograd.rules import VJPS  # noqa: PLC0415 - of no use to doit itself

    write_table(job, RULE_COLUMNS, [rule_row(op, entry) for op, entry in VJPS.items()])


def rule_row(op: "Op", entry: "Rule | Zero | Refused") -> list[str]:
    """Return the cells of `RULE_COLUMNS` for an operation.

    Raises MakeError for a rule that is more than assignments and a return of one value for each
    operand, which a cell cannot show.
    """
    from autograd.rule_table import Rule, Zero  # noqa: PLC0415 - of no use to doit itself

    if isinstance(entry, Rule):
        result, adjoints = _rule_text(op, entry)
    else:
        word = "zero" if isinstance(entry, Zero) else "refused"
        result, adjoints = op.doc.rstrip("."), [f"{word}: {entry.reason}"]
    return [f"`{op.name}`", result, *adjoints, *[""] * (2 - len(adjoints))]


def _rule_text(op: "Op", rule: "Rule") -> tuple[str, list[str]]:
    """Return the formula in a rule's docstring, and what it returns for each operand.

    The formula ends at the first `;` or `:`; what follows is a remark.
    """
    [tree] = ast.parse(inspect.getsource(rule.function)).body
    assert isinstance(tree, ast.FunctionDef)
    name = f"{tree.name} of {Path(inspect.getfile(rule.function)).name}"
    formula = ast.get_docstring(tree)
    if not formula:
        message = f"{name} has no docstring, which is to be its formula"
        raise MakeError(message)
    *steps, last = tree.body[1:]
    values = last.value if isinstance(last, ast.Return) else None
    returned = values.elts if isinstance(values, ast.Tuple) else [values]
    if None in returned or len(returned) != len(op.operands):
        message = f"{name} does not end in a return of {len(op.operands)} values"
        raise MakeError(message)
    if not all(isinstance(step, ast.Assign) for step in steps):
        message = f"{name} does more than assign and return, which the table cannot show"
        raise MakeError(message)
    given = ",\n".join(f"`{ast.unparse(step)}`" for step in reversed(steps))
    where = f",\nwhere {given}" if given else ""
    texts = [f"`{ast.unparse(value)}`{where}" for value in returned if value is not None]
    result, mark, remark = re.split(r"([;:] |$)", " ".join(formula.rstrip(".").split()), maxsplit=1)
    return f"`{result}`{mark.rstrip()}\n{remark}".rstrip(), texts


def write_check(job: Job) -> None:
    """Write a row for each check, whatever it was run on."""
    write_table(job, CHECK_COLUMNS, check_rows(_report(job)))


def check_rows(report: Mapping[str, Any]) -> list[list[str]]:
    """Return the cells of `CHECK_COLUMNS`; the worst error is that nearest to its tolerance."""
    runs: dict[str, list[Mapping[str, Any]]] = {}
    for each in report["checks"]:
        runs.setdefault(each["id"], []).append(each)
    rows: list[list[str]] = []
    for id_, all_of_it in runs.items():
        worst = max(all_of_it, key=_share_of_tolerance)
        failed = sum(not each["passed"] for each in all_of_it)
        programs = {each["program"] for each in all_of_it}
        rows.append(
            [
                f"`{id_}`",
                all_of_it[0]["title"],
                f"{len(programs)} programs" if len(programs) > 1 else programs.pop(),
                f"{sum(each['elements'] for each in all_of_it):,}",
                _magnitude(worst["worst"]),
                _magnitude(worst["tolerance"]),
                f"{failed} failed" if failed else "passed",
            ]
        )
    return rows


def _magnitude(number: str | float) -> str:
    """Return one digit: the others differ with the C library and say nothing."""
    return f"{float(number):.0e}" if float(number) else "0"


def _share_of_tolerance(each: Mapping[str, Any]) -> float:
    error, tolerance = float(each["worst"]), float(each["tolerance"])
    return error / tolerance if tolerance else error


def write_mutate(job: Job) -> None:
    """Write a row for each copy of autograd that somebody broke, or left right, by hand."""
    write_table(job, MUTATE_COLUMNS, mutate_rows(_mutation_report(job)))


def mutate_rows(report: Mapping[str, Any]) -> list[list[str]]:
    """Return the cells of `MUTATE_COLUMNS`; the generated copies are in the score alone."""
    return [
        [f"`{each['id']}`", _title(each), _outcome(each), _named(each["killed_by"])]
        for each in report["mutants"]
        if each["kind"] != "generated"
    ]


def _title(mutant: Mapping[str, Any]) -> str:
    return mutant["title"] if mutant["kind"] == "hand" else f"({mutant['kind']}) {mutant['title']}"


def _outcome(mutant: Mapping[str, Any]) -> str:
    if mutant["status"] == "killed":
        return "caught by a value" if mutant["by_value"] else "caught, by no value"
    passes = mutant["kind"] == "harmless" and mutant["status"] == "survived"
    return "passes, as it should" if passes else mutant["status"]


def _named(checks: Sequence[str]) -> str:
    rest = len(checks) - MOST_NAMED
    return ", ".join(f"`{check}`" for check in checks[:MOST_NAMED]) + (
        f" and {rest} more" if rest > 0 else ""
    )


def write_score(job: Job) -> None:
    """Write how many wrong copies were caught, and how."""
    write_table(job, SCORE_COLUMNS, score_rows(_mutation_report(job)))


def score_rows(report: Mapping[str, Any]) -> list[list[str]]:
    """Return the cells of `SCORE_COLUMNS` for each kind of mutant, and for all."""
    columns = ("wrong", "killed", "by_value", "by_refusal", "by_crash", "explained")
    scores: dict[str, Mapping[str, Any]] = {**report["score"]["by_kind"], "all": report["score"]}
    return [[kind, *(str(score[column]) for column in columns)] for kind, score in scores.items()]


def _mutation_report(job: Job) -> Mapping[str, Any]:
    """Return the report; raises MakeError where the run ended with the original."""
    report = _report(job)
    if report["baseline"] != "pass":
        message = f"{job.inputs[0]} says that autograd itself fails its checks; run: doit check"
        raise MakeError(message)
    return report


def write_cost(job: Job) -> None:
    """Write what was counted of each program; with which tools is in the report alone."""
    write_table(job, ("program", *COST_COLUMNS), cost_table_rows(_report(job)))


def cost_table_rows(report: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows that the cost stage prints, each with its program."""
    measurements = measurements_of(report["programs"])
    return [
        [program, *cells]
        for program in dict.fromkeys(each.program for each in measurements)
        for cells in cost_rows([each for each in measurements if each.program == program])
    ]


def write_descent(job: Job) -> None:
    """Run the program that descends; write the loss on both sides of each step."""
    text = run([sys.executable, "-m", "mgc", "run", *job.inputs], job.log, SECONDS).decode()
    write_table(job, DESCENT_COLUMNS, descent_rows(text))


def descent_rows(printed: str) -> list[list[str]]:
    """Return the cells of `DESCENT_COLUMNS`, from what a descent prints; MakeError if no losses."""
    try:
        matrices = parse(printed)
    except MemrefError as error:
        message = f"the descent does not print its losses: {error}"
        raise MakeError(message) from error
    losses = [f"{element:.6g}" for matrix in matrices for element in elements(matrix)]
    if len(losses) != len(matrices) or len(losses) < 2:  # noqa: PLR2004 - a step has two sides
        message = f"the descent prints {len(losses)} numbers; expected a loss, and one a step"
        raise MakeError(message)
    return [[str(number), *pair] for number, pair in enumerate(pairwise(losses), start=1)]


def write_size(job: Job) -> None:
    """Write the size of a program's hand-derived, plain and optimised gradients."""
    hand, plain = job.inputs
    wrt = ",".join(cast("Sequence[str]", job.config["wrt"]))
    options = ("--wrt", wrt, "--loss", str(job.config["loss"]), "-O")
    optimized = run([sys.executable, "-m", "autograd", hand, *options], job.log, SECONDS).decode()
    texts = {
        "derived by hand": Path(hand).read_text(),
        "autograd": Path(plain).read_text(),
        "autograd -O": optimized,
    }
    write_table(job, SIZE_COLUMNS, [size_row(name, text) for name, text in texts.items()])


def size_row(name: str, text: str) -> list[str]:
    """Return the cells of `SIZE_COLUMNS` for a program's text; bytes are of its UTF-8."""
    lines = text.splitlines()
    counts = [sum(line.startswith(f"{word} ") for line in lines) for word in ("def", "let")]
    return [name, *(f"{count:,}" for count in [*counts, len(lines), len(text.encode())])]


def _report(job: Job) -> Mapping[str, Any]:
    [file] = job.inputs
    return json.loads(Path(file).read_text())
