"""Compiling and running natively: cold, with the kernels compiled already, and as a process.

`python -m benchmarks.native`. Targets for the transformer: JIT cold under 120 ms at -O0 and
600 ms at -O2, under 50 ms when its kernels are compiled already, faster to run than the NumPy
interpreter; `mgc run` as a process under 0.6 s at -O0 and 1.3 s at -O2. For 40,000 operations:
compiled in under 3 s, with less than 300 MB.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks.measure import (
    command_cpu_milliseconds,
    cpu_milliseconds,
    machine,
    peak_megabytes,
)
from benchmarks.programs import TRANSFORMER, long_program

if TYPE_CHECKING:
    from mgc.lower.machine_code import Level

OPERATIONS = 40_000
SMALL = TRANSFORMER.parents[1] / "generated" / "m05_elementwise_grad.mg"
LEVELS: tuple[Level, ...] = (0, 2)


def main() -> None:
    """Measure each part in a process of its own, since a process keeps its compiled kernels."""
    if len(sys.argv) > 1:
        part, level = sys.argv[1:]
        {"small": small, "transformer": transformer, "long": long}[part](LEVELS[int(level)])
        return
    print(f"CPU time on {machine()}")
    for part in ("small", "transformer", "long"):
        for index in range(len(LEVELS)):
            command = [sys.executable, "-m", "benchmarks.native", part, str(index)]
            subprocess.run(command, check=True)
    for level in LEVELS:
        command = [sys.executable, "-m", "mgc", "run", str(TRANSFORMER), f"-O{level}"]
        milliseconds = command_cpu_milliseconds(command, rounds=5)
        print(f"mgc run -O{level} of the transformer, as a process: {milliseconds:.0f} ms")


def small(level: Level) -> None:
    """Print the cost of a small program, as the checks run hundreds of them, at one level."""
    from mgc.compile import run_source

    source = SMALL.read_text()
    run_source(source, SMALL.name, level)
    whole, _ = cpu_milliseconds(lambda: run_source(source, SMALL.name, level), rounds=50)
    print(f"{SMALL.name} at -O{level}, its kernels compiled: {whole:.1f} ms from text to numbers")


def transformer(level: Level) -> None:
    """Print the cost of the transformer program at one level, beside the interpreter."""
    from mgc.compile import static_program
    from mgc.interpret import interpret
    from mgc.jit import compile_native

    program = static_program(TRANSFORMER.read_text(), TRANSFORMER.name)
    cold, _ = cpu_milliseconds(lambda: compile_native(program, level), rounds=1)
    warm, native = cpu_milliseconds(lambda: compile_native(program, level), rounds=10)
    running, _ = cpu_milliseconds(native.run, rounds=20)
    interpreting, _ = cpu_milliseconds(lambda: interpret(program.module), rounds=20)
    print(
        f"transformer at -O{level}: compile cold {cold:.0f} ms, warm {warm:.0f} ms, "
        f"run {running:.1f} ms, {interpreting / running:.1f} times as fast as the interpreter"
    )


def long(level: Level) -> None:
    """Print the cost of a program of many operations at one level."""
    from mgc.compile import static_program
    from mgc.jit import compile_native

    program = static_program(long_program(OPERATIONS), "long")
    cold, native = cpu_milliseconds(lambda: compile_native(program, level), rounds=1)
    running, _ = cpu_milliseconds(native.run, rounds=1)
    print(
        f"{OPERATIONS:,} operations at -O{level}: compile {cold / 1e3:.2f} s, "
        f"run {running:.0f} ms, peak memory {peak_megabytes():.0f} MB, front end included"
    )


if __name__ == "__main__":
    main()
