"""The bundled Mountain Goat compiler: source text to IR to native code.

`run` is the Python interface; `python -m mgc` and the `mgc` command are the command line. The
package knows nothing of derivatives and imports no other folder of the project.

A program goes through `scan` and `parse` (to `syntax`), `elaborate` (to `ir`, with `build` and
`calls`), `specialize` (every size known) and `lower` (to LLVM), and is run by `jit` or linked by
`aot`; `compile` is that chain. The operations are the rows of `ops`.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mgc.lower.machine_code import Level
    from mgc.meanings import Array


def run(source_or_path: str | PathLike[str], optimize: Level = 0) -> list[Array]:
    """Compile and run a program; return each printed matrix as a float64 array.

    A `PathLike`, or a one-line string that ends in `.mg`, names a file; any other string is the
    program itself. `optimize` is 0 to 3, as in `-O0` to `-O3`; it changes no bit of the result.

    Raises `mgc.diagnostics.Diagnostic` for a program that cannot be compiled and
    `mgc.diagnostics.RunTimeMismatch`, which holds what was printed until then, where shapes that
    only meet when the program runs do not fit.
    """
    from mgc.compile import read_source, run_arrays, static_program

    if not isinstance(source_or_path, str) or _names_file(source_or_path):
        path = Path(fspath(source_or_path))
        source, file = read_source(path), str(path)
    else:
        source, file = source_or_path, "<string>"
    return run_arrays(static_program(source, file), optimize)


def _names_file(text: str) -> bool:
    return text.endswith(".mg") and "\n" not in text
