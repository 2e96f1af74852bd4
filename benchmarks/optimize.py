"""What -O costs beside the plain gradient: `python -m benchmarks.optimize [NAME ...]`.

CPU milliseconds for each program of pipeline.yaml, or those named, from the IR text to the written
program. Target: -O takes at most three times as long as the plain gradient.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import cpu_milliseconds, machine

if TYPE_CHECKING:
    from collections.abc import Callable

    from checks.programs import Program

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 30


def main() -> None:
    """Measure the programs, and print a line for each."""
    from checks.programs import listed_programs

    programs = [
        program
        for program in listed_programs(ROOT)
        if program.name in sys.argv[1:] or not sys.argv[1:]
    ]
    print(f"CPU ms, least of {ROUNDS}, on {machine()}")
    print(f"{'':24} {'plain':>8} {'-O':>8} {'ratio':>6}")
    for program in programs:
        plain, optimized = (cpu_milliseconds(write, ROUNDS)[0] for write in (writers(program)))
        print(f"{program.name:24} {plain:8.2f} {optimized:8.2f} {optimized / plain:6.1f}")


def writers(program: Program) -> tuple[Callable[[], str], Callable[[], str]]:
    """Return what writes the plain gradient of a program, and what writes that of -O."""
    from autograd.compiler import Program as Compiled
    from autograd.optimize.passes import optimized
    from autograd.optimize.write import optimized_program
    from autograd.problem import Problem, Request
    from autograd.transform import gradient_program, posed_problem
    from mgc.compile import compile_source
    from mgc.ir_text import ir_text

    name = program.name
    text = ir_text(compile_source(program.source, name))

    def posed() -> Problem:
        compiled = Compiled(program.source, text, name, name, name)
        return posed_problem(compiled, Request(program.wrt, program.loss))

    def plain() -> str:
        return gradient_program(posed(), name)

    def better() -> str:
        problem = posed()
        return optimized_program(problem, optimized(problem), name)

    return plain, better


if __name__ == "__main__":
    main()
