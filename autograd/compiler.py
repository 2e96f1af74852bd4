"""The compiler whose IR text is read: the bundled one, or any other `mgc` command."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mgc.compile import compile_source, decoded, read_source
from mgc.diagnostics import Diagnostic
from mgc.ir_text import ir_text

STANDARD_INPUT = Path("-")


class CompilerError(Exception):
    """An external compiler cannot be run; the message is one line."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program's source, its IR text, and what to call them in a message and a title."""

    source: str
    ir_text: str
    file: str
    title: str
    ir_name: str


def read_program(path: Path, mgc: str | None) -> Program:
    """Return a program as its compiler sees it; `mgc` is an external command, None the bundled.

    The path `-` is standard input. Diagnostic for a program that is refused by the bundled
    compiler, or by the external one, whose own message it then holds.
    """
    if path == STANDARD_INPUT:
        return _standard_input(mgc)
    source = read_source(path)
    text = _compiled(source, str(path)) if mgc is None else _asked(mgc, path)
    return Program(source, text, str(path), path.name, _ir_name(mgc, str(path)))


def _standard_input(mgc: str | None) -> Program:
    file = "<stdin>"
    source = decoded(sys.stdin.buffer.read(), file)
    if mgc is None:
        text = _compiled(source, file)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "stdin.mg"
            path.write_text(source, encoding="utf-8")
            text = _asked(mgc, path)
    return Program(source, text, file, file, _ir_name(mgc, file))


def _compiled(source: str, file: str) -> str:
    return ir_text(compile_source(source, file))


def _ir_name(mgc: str | None, file: str) -> str:
    return f"{mgc or 'mgc'} mlir {file}"


def _asked(mgc: str, path: Path) -> str:
    try:
        run = subprocess.run([mgc, "mlir", path], capture_output=True, check=False)
    except OSError as error:
        raise CompilerError(f"cannot run the compiler {mgc}: {error.strerror}") from None
    said = run.stderr.decode(errors="replace").strip()
    if run.returncode:
        reason = said.splitlines()[-1] if said else f"exit status {run.returncode}"
        raise Diagnostic(f"{mgc} refuses the program: {reason}", file=str(path))
    return run.stdout.decode(errors="replace")
