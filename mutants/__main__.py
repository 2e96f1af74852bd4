"""The command line: `python -m mutants`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

# Threads of BLAS would not survive the forks, and the matrices are small. It is read when NumPy
# is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from checks.programs import listed_programs
from checks.subject import ROOT
from checks.warmth import warm
from mutants.baseline import Baseline, baseline_of
from mutants.copies import PACKAGE, distinct_copies, prove_unchanged, read_package, write_copy
from mutants.equivalents import EQUIVALENTS
from mutants.hand_written import MUTANTS
from mutants.html_page import html_page
from mutants.matrix import Row, summary
from mutants.operators import generated
from mutants.report import (
    failed_baseline_json,
    print_baseline,
    print_rows,
    print_summary,
    report_json,
)
from mutants.run import run_copies
from mutants.spec import MutantError
from mutants.stryker import stryker_json
from mutants.trials import CheckSuite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mutants.spec import Mutant
    from mutants.trials import Suite

COPIES = ROOT / "generated" / "build" / "copies"
WIDTH_OF_A_FILE = 150
VOID = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # end the children
    width = None if sys.stdout.isatty() else WIDTH_OF_A_FILE
    console = Console(width=width, highlight=False, markup=False)
    try:
        with prove_unchanged(ROOT / PACKAGE):
            known = [*MUTANTS, *(generated(ROOT / PACKAGE) if options.generated else ())]
            unknown = set(options.ids) - {mutant.id for mutant in known}
            if unknown:
                parser.error(f"there is no mutant {', '.join(sorted(unknown))}")
            return _run(_chosen(known, options.ids), options, console)
    except MutantError as error:
        console.print(f"error: {error}")
        return VOID


def _chosen(known: Sequence[Mutant], ids: Sequence[str]) -> list[Mutant]:
    """Return the mutants that are asked for, or all, and the copies that prove that it works."""
    proofs = ("harmless", "control")
    return [each for each in known if not ids or each.id in ids or each.kind in proofs]


def _run(mutants: Sequence[Mutant], options: argparse.Namespace, console: Console) -> int:
    folders = _written(mutants)
    suite = CheckSuite(listed_programs(ROOT))
    with warm():
        baseline = baseline_of(suite, ROOT)
        print_baseline(console, baseline)
        if baseline.failed:
            _write(options.json, failed_baseline_json(baseline))
            return VOID
        rows = _rows(folders, suite, baseline, options.workers)
    trials = baseline.trials
    said = summary(rows, trials, EQUIVALENTS)
    print_rows(console, rows, trials)
    print_summary(console, rows, said, trials, EQUIVALENTS)
    _write(options.json, report_json(rows, said, trials, EQUIVALENTS))
    _write(options.stryker, stryker_json(rows, trials, EQUIVALENTS, ROOT))
    _write(options.html, html_page(rows, said, trials, EQUIVALENTS))
    return said.exit_status


def _written(mutants: Sequence[Mutant]) -> list[Path]:
    """Write the copies and return their folders; MutantError if any is not as it must be."""
    distinct_copies(mutants, read_package(ROOT / PACKAGE))
    for mutant in mutants:
        write_copy(mutant, ROOT / PACKAGE, COPIES / mutant.id)
    return [COPIES / mutant.id for mutant in mutants]


def _rows(folders: Sequence[Path], suite: Suite, baseline: Baseline, workers: int) -> list[Row]:
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    # Drawn by this thread alone: a fork would copy the locks that another one holds.
    with Progress(
        *columns, console=Console(stderr=True), auto_refresh=False, transient=True
    ) as progress:
        bar = progress.add_task("", total=len(folders))

        def show(row: Row) -> None:
            progress.update(bar, advance=1, description=f"{row.id}: {row.status}", refresh=True)

        return run_copies(folders, suite, baseline, workers=workers, on_row=show)


def _write(path: Path | None, text: str) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m mutants",
        description="Run the checks on deliberately wrong copies of autograd.",
        epilog="exit status: 0 every wrong copy is caught and no harmless one is; 1 otherwise; "
        "2 the run proves nothing: the original fails, a control is off or a mutant does not apply",
    )
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="run these, and the harmless ones and controls"
    )
    parser.add_argument(
        "--generated", action="store_true", help="run the generated mutants as well"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="run so many copies at a time (default: one for each CPU)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON")
    parser.add_argument(
        "--stryker",
        type=Path,
        metavar="FILE",
        help="write a report of the mutation testing report schema",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page to look at")
    return parser


if __name__ == "__main__":
    sys.exit(main())
