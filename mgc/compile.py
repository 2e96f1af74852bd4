"""From a program's file or text to its IR, its printed values or its executable."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from mgc.diagnostics import Diagnostic, RunTimeMismatch, Span
from mgc.elaborate import elaborate
from mgc.ir_text import ir_text
from mgc.parse import parse
from mgc.specialize import StaticProgram, specialize

if TYPE_CHECKING:
    from mgc.ir import Module
    from mgc.lower.machine_code import Level
    from mgc.meanings import Array
    from mgc.memref_text import Printed


def read_source(path: Path) -> str:
    """Return the text of a source file; Diagnostic if it has none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise Diagnostic(f"cannot read the program: {reason}", file=str(path)) from None
    return decoded(content, str(path))


def decoded(content: bytes, file: str) -> str:
    """Return the text of a source, without a byte order mark; Diagnostic if it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        *earlier, line = error.object[: error.start].split(b"\n")
        span = Span(len(earlier) + 1, len(line.decode()) + 1)
        msg = f"the program is not UTF-8 text: it has the byte 0x{error.object[error.start]:02x}"
        raise Diagnostic(msg, span, file) from None


def compile_source(source: str, file: str) -> Module:
    """Return the IR of a program; Diagnostic, naming `file`, at its first fault."""
    try:
        return elaborate(parse(source))
    except Diagnostic as fault:
        raise fault.in_file(file) from None


def keep_folder() -> Path | None:
    """Return the folder that MGC_KEEP names for the intermediate files, made if need be."""
    name = os.environ.get("MGC_KEEP")
    if not name:
        return None
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def static_program(source: str, file: str, keep: Path | None = None) -> StaticProgram:
    """Return the program with every shape known; its IR text goes to `keep` if that is given."""
    module = compile_source(source, file)
    if keep is not None:
        (keep / Path(file).with_suffix(".mlir").name).write_text(ir_text(module), encoding="utf-8")
    return specialize(module, file)


def run_source(
    source: str, file: str, level: Level, keep: Path | None = None
) -> tuple[list[Printed], str | None]:
    """Compile a program at `-O{level}`, run it in this process and return what it prints.

    The second value is the message with which the program stops, if shapes that only meet when
    it runs do not fit.
    """
    from mgc.jit import run_native

    program = static_program(source, file, keep)
    return run_native(program, level, keep), program.trap


def run_arrays(program: StaticProgram, level: Level) -> list[Array]:
    """Run a program in this process and return each printed matrix as a float64 array.

    RunTimeMismatch, which holds what was printed until then, if it stops at shapes that do not
    fit.
    """
    import numpy as np

    from mgc.jit import run_native

    printed = run_native(program, level)
    arrays = [np.array(each.elements, dtype=np.float64).reshape(each.shape) for each in printed]
    if program.trap is not None:
        raise RunTimeMismatch(program.trap, arrays)
    return arrays
