"""Runs a program in this process: compiles what is not yet compiled and calls it."""

from __future__ import annotations

import ctypes
import itertools
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from mgc.dispatch import Dispatcher
from mgc.ir import Apply
from mgc.lower import step_loop
from mgc.lower.kernels import kernel_of, kernels_text
from mgc.lower.machine_code import host_lanes, host_machine, object_code
from mgc.lower.routines import lower

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mgc.dispatch import StepLoop
    from mgc.ir import Module
    from mgc.lower.kernels import Kernel
    from mgc.lower.machine_code import Level
    from mgc.memref_text import Printed
    from mgc.specialize import StaticProgram

_addresses: defaultdict[Level, dict[Kernel, int]] = defaultdict(dict)
"""Where the kernels are that this process has compiled at each level."""

_libraries: list[llvm.ResourceTracker] = []
"""Keeps them in memory."""

_serial = itertools.count()
"""Numbers the libraries: a linker never takes a name twice."""


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
    _compile_kernels(kernels.values(), level)
    return Dispatcher(program.module, kernels, _addresses[level], _step_loop())


def _kernels(module: Module) -> dict[Apply, Kernel]:
    """Return the kernel of every statement of a module that one computes."""
    return {
        statement: kernel
        for function in (*module.functions.values(), module.main)
        for statement in function.body
        if isinstance(statement, Apply) and (kernel := kernel_of(statement)) is not None
    }


def _compile_kernels(kernels: Iterable[Kernel], level: Level) -> None:
    """Compile those kernels that this process does not have yet."""
    addresses = _addresses[level]
    missing = list(dict.fromkeys([each for each in kernels if each not in addresses]))
    if not missing:
        return
    library = _library(kernels_text(missing, host_lanes()), level, [k.symbol for k in missing])
    for kernel in missing:
        addresses[kernel] = library[kernel.symbol]


@cache
def _step_loop() -> StepLoop:
    """Return the loop over steps, compiled for this machine."""
    library = _library(step_loop.TEXT, 2, [step_loop.SYMBOL])
    arguments = ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p
    return ctypes.CFUNCTYPE(None, *arguments)(library[step_loop.SYMBOL])


def _library(text: str, level: Level, symbols: list[str]) -> llvm.ResourceTracker:
    """Compile an LLVM module and link it into this process; return where these symbols are."""
    code = object_code(text, host_machine(level), level)
    builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
    for symbol in symbols:
        builder.export_symbol(symbol)
    library = builder.link(_linker(), f"kernels{next(_serial)}")
    _libraries.append(library)
    return library


@cache
def _linker() -> llvm.LLJIT:
    """Return the linker that lasts as long as the process, as the kernels do."""
    return llvm.create_lljit_compiler()
