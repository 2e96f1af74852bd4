"""CPU time and peak memory of a function or a command, and the machine they were measured on."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Result = TypeVar("Result")


def machine() -> str:
    """Return the processor and the Python that a figure belongs to."""
    cpuinfo = Path("/proc/cpuinfo")
    model = platform.processor() or platform.machine()
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def cpu_milliseconds(function: Callable[[], Result], rounds: int) -> tuple[float, Result]:
    """Return the least CPU time of several calls, in milliseconds, and the last result.

    The least, since everything that disturbs a measurement adds to it.
    """
    times: list[float] = []
    results: list[Result] = []
    for _ in range(rounds):
        start = time.process_time()
        results[:] = [function()]
        times.append(time.process_time() - start)
    return min(times) * 1e3, results[0]


def command_cpu_milliseconds(command: Sequence[str], rounds: int) -> float:
    """Return the least CPU time of several runs of a command, in ms, start-up included."""
    times: list[float] = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times) * 1e3


def peak_megabytes() -> float:
    """Return the most memory this process has had, in MB (of 2**20 bytes)."""
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
