"""LLVM IR text to an object file in memory, for this machine or for a fixed one."""

from __future__ import annotations

from functools import cache
from typing import Literal

import llvmlite.binding as llvm

Level = Literal[0, 1, 2, 3]

PORTABLE_LANES = 2
"""The f64 in a vector register of any 64-bit machine; see `KernelText`."""


@cache
def host_lanes() -> int:
    """Return the f64 in a vector register of this machine; see `KernelText`."""
    return 4 if llvm.get_host_cpu_features().get("avx") else PORTABLE_LANES


@cache
def host_machine(level: Level) -> llvm.TargetMachine:
    """Return the code generator for exactly this machine."""
    features = llvm.get_host_cpu_features().flatten()
    return _machine(llvm.get_host_cpu_name(), features, level)


@cache
def portable_machine(level: Level) -> llvm.TargetMachine:
    """Return the code generator for any machine of this one's kind that is not very old."""
    cpu = "x86-64-v2" if llvm.get_process_triple().startswith("x86_64") else "generic"
    return _machine(cpu, "", level)


def _machine(cpu: str, features: str, level: Level) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="small"
    )


def object_code(text: str, machine: llvm.TargetMachine, level: Level) -> bytes:
    """Compile a module; every level gives the same bits of every result."""
    context = llvm.create_context()
    module = llvm.parse_assembly(text, context)
    try:
        module.triple = machine.triple
        module.data_layout = str(machine.target_data)
        if level > 0:
            _optimise(module, machine, level)
        return machine.emit_object(module)
    finally:
        module.close()
        context.close()


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: Level) -> None:
    options = llvm.create_pipeline_tuning_options(level)
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.run(module, builder)
    passes.close()
    builder.close()
    options.close()
