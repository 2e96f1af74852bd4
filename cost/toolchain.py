"""What a count depends on besides the program, and the tools that counting needs."""

from __future__ import annotations

import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Linking = Literal["static", "dynamic"]

TOOLS = {"cc": "apt-get install gcc libc6-dev", "valgrind": "apt-get install valgrind"}
"""Each program that must be installed, with the command that installs it."""

TUNABLES = "glibc.cpu.hwcaps=" + ",".join(
    f"-{feature}"
    for feature in (
        *("AVX512F", "AVX512VL", "AVX2", "AVX", "FMA", "FMA4", "SSSE3", "ERMS", "FSRM"),
        *("Prefer_ERMS", "Prefer_FSRM", "Fast_Unaligned_Copy", "AVX_Fast_Unaligned_Load"),
    )
)
"""The C library has several versions of exp, log and memcpy, and takes the one that suits the CPU.
Without these features every x86-64 gets the same one; other machines ignore the names."""

ENVIRONMENT = {"GLIBC_TUNABLES": TUNABLES, "LD_BIND_NOW": "1"}
"""All the environment that a counted program has. LD_BIND_NOW keeps the dynamic linker, where
there has to be one, from looking functions up while the program is counted."""

_NEEDS_LIBM = """\
#include <math.h>
int main(int count, char **arguments) { (void)arguments; return exp(count) < log(count); }
"""


class CountError(Exception):
    """A program cannot be counted; the message is one line."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """What a count depends on besides the program; `tunables` is what the C library is told."""

    cpu: str
    cc: str
    libc: str
    llvm: str
    valgrind: str
    linking: Linking
    tunables: str


def missing() -> str:
    """Return a line that says what to install, or an empty string if everything is there."""
    for tool, install in TOOLS.items():
        if shutil.which(tool) is None:
            return f"{tool} is not on PATH; install it with: {install}"
    return ""


def path_of(tool: str) -> str:
    """Return the path of a tool; CountError, with the command that installs it, without one."""
    path = shutil.which(tool)
    if path is None:
        raise CountError(f"{tool} is not on PATH; install it with: {TOOLS[tool]}")
    return path


def toolchain() -> Toolchain:
    """Describe this machine; CountError if a tool is not there."""
    from llvmlite import binding  # noqa: PLC0415 - slow to load, and not needed to ask for tools

    return Toolchain(
        cpu=cpu(),
        cc=_first_line(path_of("cc"), "--version"),
        libc=" ".join(platform.libc_ver()).strip(),
        llvm=".".join(map(str, binding.llvm_version_info)),
        valgrind=_first_line(path_of("valgrind"), "--version"),
        linking=linking(),
        tunables=TUNABLES,
    )


@cache
def linking() -> Linking:
    """Tell how programs are linked to be counted.

    Statically where the C library can be, which has valgrind start four times as fast; some
    systems only have the shared one. The instructions of a program differ between the two only
    by the jumps that lead into the C library.
    """
    with tempfile.TemporaryDirectory(prefix="cost-") as name:
        (Path(name) / "probe.c").write_text(_NEEDS_LIBM)
        command = [path_of("cc"), "-static", "probe.c", "-lm", "-o", "probe"]
        linked = subprocess.run(command, cwd=name, capture_output=True, check=False)  # noqa: S603 - a fixed command
    return "static" if linked.returncode == 0 else "dynamic"


def _first_line(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - a fixed command
    if done.returncode or not done.stdout.strip():
        raise CountError(f"{Path(command[0]).name} does not tell its version")
    return done.stdout.splitlines()[0].strip()


def cpu() -> str:
    """Return the model of the CPU as Linux names it, elsewhere its kind."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def longer_environment() -> dict[str, str]:
    """Return the environment with a variable that no program looks at, of a thousand bytes."""
    return ENVIRONMENT | {"COST_PADDING": "x" * 1000}
