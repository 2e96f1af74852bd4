"""Reading programs: parsing and shape checking, printing the IR text and reading it back.

`python -m benchmarks.front_end`. Targets: the transformer's 190 KB under 100 ms, 4 MB of 40,000
operations under 3 s, and time linear in size.
"""

from __future__ import annotations

from benchmarks.measure import cpu_milliseconds, machine
from benchmarks.programs import TRANSFORMER, long_program
from mgc.compile import compile_source
from mgc.ir_parse import parse_ir
from mgc.ir_text import ir_text


def main() -> None:
    """Print one line for each program."""
    print(f"CPU time on {machine()}")
    measure("transformer", TRANSFORMER.read_text(), rounds=10)
    for operations in (10_000, 20_000, 40_000):
        measure("long program", long_program(operations), rounds=2)


def measure(name: str, source: str, rounds: int) -> None:
    """Print how long a program takes to compile to IR, to print and to read back."""
    compiling, module = cpu_milliseconds(lambda: compile_source(source, name), rounds)
    printing, text = cpu_milliseconds(lambda: ir_text(module), rounds)
    reading, _ = cpu_milliseconds(lambda: parse_ir(text), rounds)
    print(
        f"{name}, {len(source) / 1e3:.0f} KB, {len(module.main.body)} operations in main: "
        f"parse and check {compiling:.0f} ms ({compiling / len(source) * 1e6:.0f} ms a MB), "
        f"print the IR {printing:.0f} ms, read it back {reading:.0f} ms"
    )


if __name__ == "__main__":
    main()
