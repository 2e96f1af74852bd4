"""Builds an executable: the same machine code as in process, linked with a C file that prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mgc.lower.kernels import kernels_text
from mgc.lower.machine_code import PORTABLE_LANES, object_code, portable_machine
from mgc.lower.routines import lower

if TYPE_CHECKING:
    from collections.abc import Generator

    from mgc.lower.machine_code import Level
    from mgc.lower.routines import Lowered
    from mgc.specialize import StaticProgram

_RUNTIME = Path(__file__).with_name("runtime") / "main.c"


class ToolError(Exception):
    """Something outside the program keeps it from being built; the message is one line."""


def build_executable(program: StaticProgram, level: Level, output: Path, keep: Path | None) -> None:
    """Compile and link a program; ToolError where that is not possible.

    `output` is replaced in one step when the executable is complete, so that nothing is left
    half-written. `keep` is a folder that gets every intermediate file.
    """
    cc = shutil.which("cc")
    if cc is None:
        raise ToolError("cc is not installed: apt-get install gcc")
    files = _files(lower(program.module), program.trap or "", level)
    if keep is not None:
        with _writing(keep):
            _write(files, keep)
    with _writing(output), tempfile.TemporaryDirectory(prefix=".mgc-", dir=output.parent) as name:
        scratch = Path(name)
        _write(files, scratch)
        _linked(cc, scratch).replace(output)


@contextmanager
def _writing(path: Path) -> Generator[None]:
    """Turn a full disk or a missing permission into an error that names `path`."""
    try:
        yield
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error.strerror}") from error


def _write(files: dict[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _files(lowered: Lowered, trap: str, level: Level) -> dict[str, bytes]:
    """Return every intermediate file by its name."""
    kernels = kernels_text(lowered.kernels, PORTABLE_LANES)
    main = lowered.main + _data(lowered, trap)
    return {
        "kernels.ll": kernels.encode(),
        "kernels.o": object_code(kernels, portable_machine(level), level),
        "main.ll": main.encode(),
        "main.o": object_code(main, portable_machine(0), 0),
        "main.c": _RUNTIME.read_bytes(),
    }


def _data(lowered: Lowered, trap: str) -> str:
    """Return the LLVM definitions of what main.c declares."""
    table: list[int] = []
    for shape, offset in lowered.outputs:
        table += [offset, len(shape), *shape]
    numbers = ", ".join(f"i64 {number}" for number in table)
    return f"""
@mg_constants = constant {_bytes(lowered.constants.blob())}, align 64
@mg_arena_bytes = constant i64 {lowered.arena_bytes}
@mg_output_bytes = constant i64 {lowered.output_bytes}
@mg_output_count = constant i64 {len(lowered.outputs)}
@mg_outputs = constant [{len(table)} x i64] [{numbers}]
@mg_trap = constant {_bytes(trap.encode() + bytes(1))}
"""


def _bytes(content: bytes) -> str:
    """Return LLVM's type and spelling of some bytes."""
    escaped = "\\" + content.hex("\\") if content else ""
    return f'[{len(content)} x i8] c"{escaped}"'


def _linked(cc: str, folder: Path) -> Path:
    """Link what is in the folder; return the executable, which is in it too."""
    done = subprocess.run(
        [cc, "main.c", "main.o", "kernels.o", "-lm", "-o", "program"],
        cwd=folder,
        env={**os.environ, "TMPDIR": "."},  # what cc would leave behind goes with the folder
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ToolError(f"cc failed: {_first_error(done.stderr) or f'status {done.returncode}'}")
    return folder / "program"


def _first_error(messages: str) -> str:
    """Return the first line that says what is wrong, rather than where or what follows from it."""
    lines = [line for line in messages.splitlines() if line and not line.startswith("collect2:")]
    faults = [line for line in lines if re.search("error|cannot|failed|undefined|No space", line)]
    return (faults or lines or [""])[0]
