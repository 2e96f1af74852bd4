"""Runs a program in this process: compiles what is not yet compiled and calls it."""

from __future__ import annotations

import itertools
from functools import cache
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from mgc.dispatch import Dispatcher, is_computed, native_at
from mgc.ir import Apply
from mgc.lower.kernels import kernel_of, kernels_text, number_names
from mgc.lower.machine_code import host_lanes, host_machine, object_code
from mgc.lower.routines import lower

if TYPE_CHECKING:
    from pathlib import Path

    from mgc.dispatch import Native
    from mgc.ir import Module
    from mgc.lower.kernels import Kernel
    from mgc.lower.machine_code import Level
    from mgc.memref_text import Printed
    from mgc.specialize import StaticProgram

_natives: dict[tuple[Kernel, Level], Native] = {}
"""The kernels that this process has compiled."""

_libraries: list[llvm.ResourceTracker] = []
"""Keeps those kernels in memory."""

_serial = itertools.count()
"""Numbers the libraries of kernels: a linker never takes a name twice."""


def run_native(program: StaticProgram, level: Level, keep: Path | None = None) -> list[Printed]:
    """Compile and run a program; see `compile_native` and `Dispatcher.run`."""
    return compile_native(program, level, keep).run()


def compile_native(program: StaticProgram, level: Level, keep: Path | None = None) -> Dispatcher:
    """Compile the kernels of a program that this process does not have yet.

    `keep` is a folder that gets the LLVM text of the kernels and of a main that calls them.
    """
    if keep is not None:
        lowered = lower(program.module)
        (keep / "kernels.ll").write_text(kernels_text(lowered.kernels, host_lanes()))
        (keep / "main.ll").write_text(lowered.main)
    kernels = _kernels(program.module)
    _compile_kernels(kernels, level)
    return Dispatcher(program.module, {kernel: _natives[kernel, level] for kernel in kernels})


def _kernels(module: Module) -> list[Kernel]:
    """Return the kernels of a module, each once."""
    functions = (*module.functions.values(), module.main)
    statements = [each for function in functions for each in function.body]
    computed = [each for each in statements if isinstance(each, Apply) and is_computed(each)]
    return list(dict.fromkeys(map(kernel_of, computed)))


def _compile_kernels(kernels: list[Kernel], level: Level) -> None:
    """Compile those kernels that this process does not have yet."""
    missing = [kernel for kernel in kernels if (kernel, level) not in _natives]
    if not missing:
        return
    code = object_code(kernels_text(missing, host_lanes()), host_machine(level), level)
    builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
    for kernel in missing:
        builder.export_symbol(kernel.symbol)
    library = builder.link(_kernel_linker(), f"kernels{next(_serial)}")
    _libraries.append(library)
    for kernel in missing:
        callable_at = native_at(len(kernel.op.operands), len(number_names(kernel.op)))
        _natives[kernel, level] = callable_at(library[kernel.symbol])


@cache
def _kernel_linker() -> llvm.LLJIT:
    """Return the linker that lasts as long as the process, as the kernels do."""
    return llvm.create_lljit_compiler()
