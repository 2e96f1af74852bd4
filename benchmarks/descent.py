"""Writing, compiling and running gradient descent on the transformer, by the number of steps.

`python -m benchmarks.descent`. Targets for 200 steps: written in under 5 s, compiled and run in
under 15 s with less than 1 GiB, and time linear in the steps.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks.measure import cpu_milliseconds, machine, peak_megabytes
from benchmarks.programs import TRANSFORMER

if TYPE_CHECKING:
    from autograd.problem import Problem

STEPS = (25, 50, 100, 200)
RATE = 1.0


def main() -> None:
    """Measure each number of steps in a process of its own, for the memory of it."""
    if len(sys.argv) > 1:
        measure(int(sys.argv[1]))
        return
    print(f"CPU time on {machine()}")
    for steps in STEPS:
        subprocess.run([sys.executable, "-m", "benchmarks.descent", str(steps)], check=True)


def measure(steps: int) -> None:
    """Print the cost of so many steps."""
    import mgc
    from autograd.descend import Descent, descent_program

    descent = Descent(steps, RATE, prints_parameters=True)
    writing, text = cpu_milliseconds(
        lambda: descent_program(transformer(), TRANSFORMER.name, descent), rounds=1
    )
    running, printed = cpu_milliseconds(lambda: mgc.run(text), rounds=1)
    print(
        f"{steps} steps, {text.count('let ')} lets: written in {writing / 1e3:.2f} s, "
        f"compiled and run in {running / 1e3:.2f} s, {peak_megabytes():.0f} MB; "
        f"loss {printed[0].item():.6g} to {printed[steps].item():.6g}"
    )


def transformer() -> Problem:
    """Return the problem of all the transformer's parameters, read from its file."""
    from autograd.compiler import read_program
    from autograd.problem import Request
    from autograd.transform import posed_problem

    parameters = "e0 g10 n10 wq0 wk0 wv0 wo0 g20 n20 w10 c10 w20 c20 gf0 nf0 wu0"
    return posed_problem(read_program(TRANSFORMER, None), Request(tuple(parameters.split())))


if __name__ == "__main__":
    main()
