"""The `mgc` command: `mlir`, `run` and `build`, as docs/language.md describes them.

What a subcommand needs is imported when it runs, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

_EPILOG = """\
environment:
  MGC_KEEP=DIR   keep every intermediate file in DIR: the IR text, the LLVM modules, the objects
                 and the C file of `build`

exit status: 0 good; 1 the program is bad, or stopped while it ran; 2 the command line is wrong
or the machine lacks something (cc, space, permission).
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = _parser().parse_args(arguments)
    from mgc.aot import ToolError
    from mgc.diagnostics import Diagnostic

    try:
        status: int = options.action(options)
        sys.stdout.flush()
    except Diagnostic as fault:
        print(fault, file=sys.stderr)
        return 1
    except BrokenPipeError:
        discard_output()
        return 2
    except (ToolError, OSError) as error:
        print(f"mgc: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print("mgc: the program needs more memory than there is", file=sys.stderr)
        return 2
    return status


def discard_output() -> None:
    """Forget what is buffered for a reader that has gone: it must not raise again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mgc",
        description="Compile Mountain Goat programs to native code.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    mlir = commands.add_parser("mlir", help="print the IR text")
    mlir.set_defaults(action=_mlir)
    run = commands.add_parser("run", help="compile and run")
    run.add_argument(
        "--digits",
        type=_digits,
        default=6,
        metavar="N",
        help="significant digits of each number, 1 to 17; 17 read back to the same f64 (default 6)",
    )
    run.set_defaults(action=_run)
    build = commands.add_parser("build", help="compile to a native executable (needs cc)")
    build.add_argument(
        "-o", dest="output", type=Path, metavar="EXE", help="the executable (default: ./PROG)"
    )
    build.set_defaults(action=_build)
    for command in (mlir, run, build):
        command.add_argument("program", type=Path, metavar="PROG.mg", help="the source file")
    for command in (run, build):
        command.add_argument(
            "-O",
            dest="level",
            type=int,
            choices=range(4),
            default=0,
            help="optimisation of the native code, -O0 to -O3; no bit of a result depends on it "
            "(default -O0)",
        )
    return parser


def _digits(text: str) -> int:
    most = 17  # that many tell every f64 apart
    if text not in map(str, range(1, most + 1)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 to {most}")
    return int(text)


def _mlir(options: argparse.Namespace) -> int:
    from mgc.compile import compile_source, read_source
    from mgc.ir_text import ir_text

    program: Path = options.program
    sys.stdout.write(ir_text(compile_source(read_source(program), str(program))))
    return 0


def _run(options: argparse.Namespace) -> int:
    from mgc.compile import keep_folder, read_source, run_source
    from mgc.memref_text import memref_text

    program: Path = options.program
    source = read_source(program)
    printed, trap = run_source(source, str(program), options.level, keep_folder())
    for each in printed:
        address = each.elements.buffer_info()[0]
        sys.stdout.write(memref_text(each, address, options.digits))
    if trap is None:
        return 0
    sys.stdout.flush()
    print(trap, file=sys.stderr)
    return 1


def _build(options: argparse.Namespace) -> int:
    from mgc.aot import ToolError, build_executable
    from mgc.compile import keep_folder, read_source, static_program

    program: Path = options.program
    output: Path = options.output or Path(program.stem)
    if output.absolute() == program.absolute():
        raise ToolError(f"{output} is the program itself; name another file with -o")
    keep = keep_folder()
    static = static_program(read_source(program), str(program), keep)
    build_executable(static, options.level, output, keep)
    return 0
