"""The `autograd` command.

What it needs is imported when it runs, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograd.problem import Problem, Request
    from mgc.literals import Literal

_EPILOG = """\
examples:
  autograd examples/00_worked_example.mg --wrt w,x > gradient.mg
  autograd examples/00_worked_example.mg --wrt all --descend 10 --lr 0.01 -o train.mg
  autograd compare examples/h34_layer_norm.mg --wrt h

The loss must be 1x1. A matrix of --wrt is a let of the program that is a literal; where a name is
bound more than once, the last let counts.

exit status: 0 good; 1 the program cannot be compiled or differentiated, or `compare` found a
difference; 2 the command line is wrong, or a file or a compiler cannot be used.
"""

_COMPARE_EPILOG = """\
The program prints its loss and then, right after it, one hand-derived gradient for each matrix of
--wrt, in that order. Elements that differ by more than 1e-10 of the largest entry of their matrix
are listed beside a central difference of the loss.

exit status: 0 all elements agree; 1 some differ, or the program cannot be compiled or
differentiated; 2 the command line is wrong, or a file or a compiler cannot be used.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    compares = given[:1] == ["compare"]
    parser = _compare_parser() if compares else _parser()
    options = parser.parse_args(given[1:] if compares else given)
    if not compares:
        _check_modes(parser, options)
    from autograd.compiler import CompilerError
    from mgc.cli import discard_output
    from mgc.diagnostics import Diagnostic, RunTimeMismatch

    try:
        status = _compare(options) if compares else _transform(options)
        sys.stdout.flush()
    except (Diagnostic, RunTimeMismatch) as fault:
        print(fault, file=sys.stderr)
        return 1
    except BrokenPipeError:
        discard_output()
        return 2
    except (CompilerError, OSError) as error:
        print(f"autograd: {error}", file=sys.stderr)
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograd",
        usage="autograd PROG.mg --wrt NAME,... [options]\n       autograd compare --help",
        description="Write a Mountain Goat program that computes the loss of another one and its "
        "gradients, or that descends along them, and print it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_request(parser)
    parser.add_argument(
        "-o", dest="output", type=Path, metavar="FILE", help="write to FILE instead of printing"
    )
    parser.add_argument(
        "-O",
        dest="optimize",
        action="store_true",
        help="write the program an expert would: shared, simplified, ordered, with the names of "
        "the source; a result may differ from the plain program's by rounding",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="list on standard error what each pass of -O did",
    )
    parser.add_argument(
        "--unused",
        choices=("refuse", "zero"),
        default="refuse",
        help="what to do about a matrix that the loss does not depend on: refuse the program "
        "(default), or give the matrix a gradient of zeros",
    )
    parser.add_argument(
        "--jvp",
        type=_directions,
        metavar="V;...",
        help="forward mode instead: write a program that prints the loss and its derivative along "
        "a direction, given as one matrix such as [[1, 0]] for each of --wrt",
    )
    _add_descent(parser)
    return parser


def _add_descent(parser: argparse.ArgumentParser) -> None:
    descent = parser.add_argument_group("gradient descent")
    descent.add_argument(
        "--descend",
        type=_count,
        metavar="STEPS",
        help="write a program that takes STEPS steps on all --wrt matrices at once, and prints "
        "the loss before the first and after each",
    )
    descent.add_argument("--lr", type=_rate, metavar="X", help="the learning rate of --descend")
    descent.add_argument(
        "--print-params",
        action="store_true",
        help="after the last step of --descend, print the matrices too",
    )


def _compare_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograd compare",
        description="Say which elements of hand-derived gradients differ from the generated ones.",
        epilog=_COMPARE_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_request(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.set_defaults(unused="refuse")
    return parser


def _add_request(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "program", type=Path, metavar="PROG.mg", help="the source file; - is standard input"
    )
    parser.add_argument(
        "--wrt",
        required=True,
        type=_names,
        metavar="NAME[,NAME...]",
        help="the matrices to differentiate with respect to, in the order to print them; `all` "
        "means every literal let that the loss depends on other than through comparisons alone",
    )
    parser.add_argument(
        "--loss",
        type=_count,
        default=0,
        metavar="N",
        help="the print that is the loss, counted from 0 (default 0)",
    )
    parser.add_argument(
        "--mgc",
        default=os.environ.get("MGC"),
        metavar="PATH",
        help="an mgc command whose IR text is read instead of the bundled compiler's (default: "
        "the environment variable MGC, if set)",
    )


def _check_modes(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.explain and not options.optimize:
        parser.error("--explain goes with -O")
    if options.optimize and options.jvp is not None:
        parser.error("-O is for gradients and --descend, not for --jvp")
    if options.descend is not None and options.jvp is not None:
        parser.error("--descend and --jvp ask for different programs")
    if options.descend is None and (options.lr is not None or options.print_params):
        parser.error("--lr and --print-params go with --descend STEPS")
    if options.descend is not None and options.lr is None:
        parser.error("--descend needs a learning rate: --lr X")


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"an empty name in '{text}'")
    return names


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 on")
    return int(text)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not (0.0 < rate < math.inf):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return rate


def _directions(text: str) -> list[Literal]:
    from autograd.forward import parsed_direction
    from mgc.diagnostics import Diagnostic

    try:
        return [parsed_direction(part) for part in text.split(";")]
    except Diagnostic as fault:
        raise argparse.ArgumentTypeError(fault.message) from None


def _request(options: argparse.Namespace) -> Request:
    from autograd.problem import Request

    return Request(options.wrt, options.loss, unused_is_zero=options.unused == "zero")


def _transform(options: argparse.Namespace) -> int:
    from autograd.compiler import read_program
    from autograd.transform import posed_problem
    from mgc.diagnostics import Diagnostic

    program = read_program(options.program, options.mgc)
    problem = posed_problem(program, _request(options))
    try:
        text = _written(options, problem, program.title)
    except Diagnostic as fault:
        raise fault.in_file(program.file) from None
    if options.output is None:
        sys.stdout.write(text)
    else:
        _write_whole(options.output, text)
    return 0


def _written(options: argparse.Namespace, problem: Problem, title: str) -> str:
    from autograd.descend import Descent, descent_program
    from autograd.forward import directional_program
    from autograd.optimize.descend import optimized_descent
    from autograd.optimize.passes import optimized
    from autograd.optimize.write import optimized_program
    from autograd.transform import gradient_program

    better = optimized(problem) if options.optimize else None
    if options.explain and better is not None:
        print("\n".join(better.notes), file=sys.stderr)
    if options.descend is not None:
        descent = Descent(options.descend, options.lr, options.print_params)
        if better is not None:
            return optimized_descent(problem, better, title, descent)
        return descent_program(problem, title, descent)
    if options.jvp is not None:
        return directional_program(problem, title, options.jvp)
    if better is not None:
        return optimized_program(problem, better, title)
    return gradient_program(problem, title)


def _compare(options: argparse.Namespace) -> int:
    from autograd.compare import compare
    from autograd.compare_report import json_text, print_tables
    from autograd.compiler import read_program

    program = read_program(options.program, options.mgc)
    comparisons = compare(program, _request(options))
    if options.json:
        sys.stdout.write(json_text(program.title, comparisons))
    else:
        print_tables(program.title, comparisons)
    return 1 if any(each.differing for each in comparisons) else 0


def _write_whole(path: Path, text: str) -> None:
    """Write a file that is either the whole text or what was there before."""
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
        scratch = Path(folder) / path.name
        scratch.write_text(text, encoding="utf-8")
        scratch.replace(path)
