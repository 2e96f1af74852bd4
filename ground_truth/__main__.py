"""The command line: `python -m ground_truth`, with `--check`, `chapter NAME` or `extract NAME`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ground_truth.chapters import CHAPTERS, staleness, write
from ground_truth.excerpts import EXCERPTS, excerpt_program
from mgc.compile import read_source
from mgc.diagnostics import Diagnostic

_ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.command == "extract":
        return _extract(options.name, options.folder, options.file)
    if options.command == "chapter":
        sys.stdout.write(CHAPTERS[options.name].program())
        return 0
    if options.check:
        difference = staleness(_ROOT)
        sys.stdout.write(difference)
        return 1 if difference else 0
    write(_ROOT)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ground_truth",
        description="Write the chapter programs to examples/chapters/.",
        epilog="exit status: 0 good; 1 a file is stale or not a program; 2 wrong command line",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; print how the files differ, exit 1"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    chapter = commands.add_parser("chapter", help="print a chapter program")
    chapter.add_argument("name", choices=sorted(CHAPTERS))
    extract = commands.add_parser("extract", help="print an excerpt of a chapter program")
    extract.add_argument("name", choices=sorted(EXCERPTS))
    extract.add_argument(
        "folder", nargs="?", type=Path, default=_ROOT, help="where FILE is (default: here)"
    )
    extract.add_argument(
        "file", nargs="?", help="the program to copy out of (default: the chapter program)"
    )
    return parser


def _extract(name: str, folder: Path, file: str | None) -> int:
    excerpt = EXCERPTS[name]
    shown = file or CHAPTERS[excerpt.chapter].path
    try:
        source = read_source(folder / shown)
        sys.stdout.write(excerpt_program(excerpt, source, shown))
    except Diagnostic as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
