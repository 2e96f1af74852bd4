"""Runs a program in this process: compiles what is not yet compiled and calls it."""

from __future__ import annotations

import ctypes
import itertools
import mmap
from array import array
from functools import cache
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from mgc.lower.kernels import kernels_text
from mgc.lower.machine_code import host_lanes, host_machine, object_code
from mgc.lower.routines import MAIN, lower
from mgc.memref_text import Printed
from mgc.shapes import element_count

if TYPE_CHECKING:
    from pathlib import Path

    from mgc.lower.kernels import Kernel
    from mgc.lower.machine_code import Level
    from mgc.lower.routines import Lowered
    from mgc.specialize import StaticProgram

_Entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

_addresses: dict[tuple[Kernel, Level], int] = {}
"""Where the kernels lie that this process has compiled."""

_libraries: list[llvm.ResourceTracker] = []
"""Keeps those kernels in memory."""

_serial = itertools.count()
"""Numbers the libraries of kernels: a linker never takes a name twice."""


class NativeProgram:
    """A compiled program; its machine code is unloaded when this object is dropped."""

    def __init__(self, lowered: Lowered, library: llvm.ResourceTracker) -> None:
        """Hold the code that `library` has loaded for `lowered`."""
        self._library = library
        self._constants = ctypes.create_string_buffer(lowered.constants, len(lowered.constants) + 1)
        self._outputs = lowered.outputs
        self._arena_bytes = lowered.arena_bytes
        self._output_bytes = lowered.output_bytes

    def run(self) -> list[Printed]:
        """Run main up to its end, or to where the program traps; return what it prints."""
        with _memory(self._arena_bytes) as arena, _memory(self._output_bytes) as output:
            main = _Entry(self._library[MAIN])
            main(_address(arena), ctypes.addressof(self._constants), _address(output))
            return [
                Printed(shape, _elements(output, offset, element_count(shape)))
                for shape, offset in self._outputs
            ]


def run_native(program: StaticProgram, level: Level, keep: Path | None = None) -> list[Printed]:
    """Compile and run a program; see `compile_native` and `NativeProgram.run`."""
    return compile_native(program, level, keep).run()


def compile_native(program: StaticProgram, level: Level, keep: Path | None = None) -> NativeProgram:
    """Compile a program for this machine; `keep` is a folder that gets the LLVM text."""
    lowered = lower(program.module)
    if keep is not None:
        (keep / "kernels.ll").write_text(kernels_text(lowered.kernels, host_lanes()))
        (keep / "main.ll").write_text(lowered.main)
    _compile_kernels(lowered.kernels, level)
    main = llvm.JITLibraryBuilder().add_object_img(object_code(lowered.main, host_machine(0), 0))
    for kernel in lowered.kernels:
        main.import_symbol(kernel.symbol, _addresses[kernel, level])
    # A linker of its own, which the library keeps alive, so that all of it goes with the program.
    linker = llvm.create_lljit_compiler()
    library = main.add_current_process().export_symbol(MAIN).link(linker, "program")
    return NativeProgram(lowered, library)


def _compile_kernels(kernels: list[Kernel], level: Level) -> None:
    """Compile those kernels that this process does not have yet."""
    missing = [kernel for kernel in kernels if (kernel, level) not in _addresses]
    if not missing:
        return
    code = object_code(kernels_text(missing, host_lanes()), host_machine(level), level)
    builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
    for kernel in missing:
        builder.export_symbol(kernel.symbol)
    library = builder.link(_kernel_linker(), f"kernels{next(_serial)}")
    _libraries.append(library)
    for kernel in missing:
        _addresses[kernel, level] = library[kernel.symbol]


@cache
def _kernel_linker() -> llvm.LLJIT:
    """Return the linker that lasts as long as the process, as the kernels do."""
    return llvm.create_lljit_compiler()


def _memory(count: int) -> mmap.mmap:
    """Return at least `count` bytes of memory, all 0, that begin at a page."""
    return mmap.mmap(-1, max(count, 1))


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _elements(output: mmap.mmap, offset: int, count: int) -> array[float]:
    elements = array("d")
    elements.frombytes(output[offset : offset + count * elements.itemsize])
    return elements
