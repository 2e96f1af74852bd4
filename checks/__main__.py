"""The command line: `python -m checks`."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

# The matrices are small: threads of BLAS would cost more than they save, and take turns with
# those of whatever else runs. It is read when NumPy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checks.programs import Program

WIDTH_OF_A_FILE = 140


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    from rich.console import Console

    from checks.catalogue import items, run
    from checks.check import Draw
    from checks.programs import listed_programs
    from checks.report import print_tables, report_json
    from checks.subject import ROOT, Subject, WrongSubject

    parser = _parser()
    options = parser.parse_args(arguments)
    programs: list[Program] = listed_programs(ROOT)
    known = items(programs)
    unknown = [item for item in options.items if item not in known]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there is {', '.join(known)}")
    try:
        subject = Subject(options.autograd)
    except WrongSubject as wrong:
        parser.error(str(wrong))
    draw = Draw()
    if options.examples is not None:
        seed = secrets.randbits(32) if options.seed is None else options.seed
        draw = Draw(options.examples, seed)
    verdicts = [
        verdict for item in options.items or known for verdict in run(item, programs, subject, draw)
    ]
    width = None if sys.stdout.isatty() else WIDTH_OF_A_FILE
    console = Console(width=width, highlight=False, markup=False)
    console.print(f"autograd of {subject.folder}")
    print_tables(console, verdicts)
    if options.examples is not None:
        console.print(f"the seed of the random programs is {draw.seed}")
    if options.json is not None:
        options.json.write_text(report_json(verdicts), encoding="utf-8")
    return 0 if all(verdict.passed for verdict in verdicts) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m checks",
        description="Check an autograd: its gradients, and what it writes and refuses.",
        epilog="exit status: 0 every check passed; 1 one failed; 2 the command line is wrong",
    )
    parser.add_argument(
        "items", nargs="*", metavar="ITEM", help="a program of pipeline.yaml or a name such as ties"
    )
    parser.add_argument(
        "--autograd",
        type=Path,
        metavar="PATH",
        help="the folder that contains the autograd package to check (default: the environment "
        "variable CHK_AUTOGRAD, or this repository)",
    )
    parser.add_argument(
        "--examples", type=int, metavar="N", help="draw N random programs, from a new seed"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="the seed of --examples")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
