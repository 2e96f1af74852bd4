"""Counting the instructions that a program executes, by running it in valgrind.

Only what happens inside the program's main is counted: not the start of the process, nor the
printing. That leaves nothing of the environment, and `toolchain` pins what is left of the CPU.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cost.breakdown import by_op
from cost.callgrind import ProfileError, self_costs
from cost.toolchain import ENVIRONMENT, CountError, linking, longer_environment, path_of
from mgc.aot import ToolError, build_executable
from mgc.compile import static_program
from mgc.lower.routines import MAIN

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cost.measurement import Level
    from mgc.lower.machine_code import Level as Optimisation

SECONDS = 120
ADDRESS = re.compile(rb"base@ = 0x[0-9a-fA-F]+")
OPTIMISATION: dict[Level, Optimisation] = {"O0": 0, "O2": 2}


@dataclass(frozen=True, slots=True)
class Count:
    """The instructions that a program executes, and where, which adds up to them."""

    instructions: int
    by_op: Mapping[str, int]


def count(source: str, file: str, level: Level) -> Count:
    """Build a program and count it; `file` names it in messages.

    Raises what `function_costs` raises.
    """
    costs = function_costs(source, file, level)
    return Count(sum(costs.values()), by_op(costs))


def function_costs(source: str, file: str, level: Level) -> dict[str, int]:
    """Return the instructions of each function of a program, without those of what it calls.

    They are counted twice, the second time with a longer environment. Raises Diagnostic for a
    program that does not compile, and CountError where a run fails, where valgrind's prints
    something else than the native one, or where the two counts differ.
    """
    with tempfile.TemporaryDirectory(prefix="cost-") as name:
        folder = Path(name)
        native = folder / "native"
        try:
            static = static_program(source, file)
            build_executable(static, OPTIMISATION[level], native, folder)
        except ToolError as error:
            raise CountError(f"{file}: {error}") from error
        counted = _linked_statically(folder) if linking() == "static" else native
        what = f"{file} at -{level}"
        return _agreeing(counted, _printed(native, what), what)


def _linked_statically(folder: Path) -> Path:
    """Link the objects that the compiler left in a folder with the static C library."""
    command = [path_of("cc"), "-static", "main.c", "main.o", "kernels.o", "-lm", "-o", "static"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - a fixed command
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise CountError(f"cc cannot link statically: {said[-1]}")
    return folder / "static"


def _agreeing(program: Path, printed: bytes, what: str) -> dict[str, int]:
    """Count twice, at the same time; return the costs of each function if the two are equal."""
    profiles = [program.with_suffix(f".{number}") for number in (1, 2)]
    with (
        _in_valgrind(program, ENVIRONMENT, profiles[0]) as one,
        _in_valgrind(program, longer_environment(), profiles[1]) as other,
    ):
        first = _costs(one, profiles[0], printed, what)
        second = _costs(other, profiles[1], printed, what)
    if first != second:
        totals = f"{sum(first.values())} and {sum(second.values())} instructions"
        raise CountError(f"{what} executes {totals} in two runs")
    return first


def _printed(program: Path, what: str) -> bytes:
    """Return what a program prints when it runs by itself, without addresses."""
    try:
        done = subprocess.run(  # noqa: S603 - the program that was just built
            [program], env=ENVIRONMENT, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise CountError(f"{what} takes more than {SECONDS} s") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise CountError(f"{what} fails with status {done.returncode}: {said}")
    return ADDRESS.sub(b"", done.stdout)


@contextmanager
def _in_valgrind(
    program: Path, environment: Mapping[str, str], profile: Path
) -> Generator[subprocess.Popen[bytes]]:
    """Run a program in valgrind; leaving the context ends it."""
    command = [
        *(path_of("valgrind"), "--tool=callgrind", f"--toggle-collect={MAIN}"),
        *(f"--callgrind-out-file={profile}", program),
    ]
    with subprocess.Popen(  # noqa: S603 - a fixed command, and what was just built
        command,
        cwd=program.parent,  # where no .valgrindrc is
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _costs(
    process: subprocess.Popen[bytes], profile: Path, printed: bytes, what: str
) -> dict[str, int]:
    """Wait for a run to end; return the instructions of each function."""
    try:
        output, said = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired as error:
        raise CountError(f"{what} takes more than {SECONDS} s in valgrind") from error
    if process.returncode:
        reason = (said.decode(errors="replace").strip().splitlines() or ["nothing said"])[-1]
        raise CountError(f"{what} fails in valgrind with status {process.returncode}: {reason}")
    if ADDRESS.sub(b"", output) != printed:
        raise CountError(f"{what} prints something else in valgrind than by itself")
    try:
        costs = self_costs(profile.read_text())
    except ProfileError as error:
        raise CountError(f"{what}: {error}") from error
    if sum(costs.values()) <= 0:
        raise CountError(f"{what}: valgrind counted nothing inside {MAIN}")
    return costs
