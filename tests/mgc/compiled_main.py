"""The main of an executable, run in this process: to see all of its bits, without linking."""

from __future__ import annotations

import ctypes
from array import array
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from mgc.lower.kernels import kernels_text
from mgc.lower.machine_code import host_lanes, host_machine, object_code
from mgc.lower.routines import MAIN, lower
from mgc.memref_text import Printed
from mgc.shapes import element_count

if TYPE_CHECKING:
    from mgc.lower.machine_code import Level
    from mgc.specialize import StaticProgram


def run_compiled(program: StaticProgram, level: Level) -> list[Printed]:
    """Compile kernels and main as `mgc build` does, for this machine, and run them."""
    lowered = lower(program.module)
    builder = llvm.JITLibraryBuilder().add_current_process().export_symbol(MAIN)
    if lowered.kernels:
        text = kernels_text(lowered.kernels, host_lanes())
        builder.add_object_img(object_code(text, host_machine(level), level))
    builder.add_object_img(object_code(lowered.main, host_machine(0), 0))
    library = builder.link(llvm.create_lljit_compiler(), "program")
    entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    blocks = [
        ctypes.create_string_buffer(lowered.arena_bytes + 1),
        ctypes.create_string_buffer(lowered.constants.blob() + b"\0"),
        ctypes.create_string_buffer(lowered.output_bytes + 1),
    ]
    entry(library[MAIN])(*map(ctypes.addressof, blocks))
    return [
        Printed(shape, array("d", blocks[2].raw[offset : offset + element_count(shape) * 8]))
        for shape, offset in lowered.outputs
    ]
