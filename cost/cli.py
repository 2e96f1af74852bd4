"""`python -m cost`: measure programs of pipeline.yaml and print the tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from cost.measure import measured
from cost.measurement import LEVELS, Measurement
from cost.programs import Program, read_programs
from cost.report import (
    BREAKDOWN_COLUMNS,
    COLUMNS,
    breakdown_rows,
    breakdown_title,
    cost_rows,
    json_text,
)
from cost.toolchain import CountError, toolchain
from mgc.diagnostics import Diagnostic, did_you_mean

SETTINGS = Path("pipeline.yaml")
EPILOG = """\
exit status: 0 good; 1 a limit of pipeline.yaml is passed; 2 the command line is wrong, a program
cannot be measured or the machine lacks something (valgrind, cc).
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        programs = _chosen(options.programs)
        described = toolchain()
        measurements = {program.name: measured(program) for program in programs}
        if options.json:
            every = [each for program in measurements.values() for each in program]
            options.json.write_text(json_text(described, every), encoding="utf-8")
    except (CountError, Diagnostic, OSError) as error:
        sys.stderr.write(f"cost: {error}\n")
        return 2
    for program in measurements.values():
        _print_tables(program)
    passed = [
        excess
        for program in programs
        for limit in program.limits
        if (excess := limit.excess(program.name, measurements[program.name]))
    ]
    for line in passed:
        sys.stderr.write(f"{line}\n")
    return 1 if passed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cost",
        description="Count the instructions that programs of pipeline.yaml and their gradients "
        "execute.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "programs", nargs="*", metavar="PROGRAM", help="by name (default: those with cost: true)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report as JSON")
    return parser


def _chosen(names: list[str]) -> list[Program]:
    """Return the programs to measure; CountError for a name that there is none of."""
    known = {program.name: program for program in read_programs(SETTINGS)}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f" (the programs are: {', '.join(known)})"
            raise CountError(f"there is no program '{name}' in {SETTINGS}{hint}")
    chosen = [known[name] for name in names] or [each for each in known.values() if each.listed]
    if not chosen:
        raise CountError(f"no program of {SETTINGS} has cost: true; name some")
    return chosen


def _print_tables(measurements: list[Measurement]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 100, highlight=False, markup=False)
    program = measurements[0].program
    console.print(_table(program, COLUMNS, cost_rows(measurements)))
    for level in LEVELS:
        rows = breakdown_rows([each for each in measurements if each.level == level])
        console.print(_table(breakdown_title(program, level), BREAKDOWN_COLUMNS, rows))


def _table(title: str, columns: tuple[str, ...], rows: list[list[str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    for row in rows:
        table.add_row(*row)
    return table
