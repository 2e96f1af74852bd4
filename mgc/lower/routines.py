"""A program as straight-line calls: main and the defs call kernels and one another.

A routine takes the start of its frame, the constants, its arguments and where its result goes
(for main: where what it prints goes). A callee's frame lies behind its caller's. LLVM takes
quadratic time over one long run of calls, so a long body is cut into several functions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mgc.ir import Apply, Call, Print
from mgc.lower.arena import (
    CONSTANTS,
    FIRST_PARAMETER,
    FRAME,
    OUT,
    Constants,
    Frame,
    Place,
    buffer_bytes,
    plan,
)
from mgc.lower.kernels import Kernel, kernel_of, number_names
from mgc.lower.lanes import BYTES, f64_text
from mgc.shapes import StaticShape, element_count, static

if TYPE_CHECKING:
    from mgc.ir import Function, Module, Statement, Value

CHUNK = 256
"""Calls in one LLVM function, at most."""

MAIN = "mg_main"
"""The symbol of the routine that runs a program."""

_COPY = "llvm.memcpy.p0.p0.i64"


class Output(NamedTuple):
    """A printed value: its shape, and the bytes before it in the block of all that is printed."""

    shape: StaticShape
    offset: int


class Lowered(NamedTuple):
    """A program in the form in which LLVM compiles it.

    `main` is the LLVM module of the routines. Its `mg_main` takes pointers to `arena_bytes` of
    scratch memory, to the block of `constants` and to `output_bytes` for what is printed, and calls
    the functions of `kernels`.
    """

    kernels: list[Kernel]
    main: str
    constants: Constants
    arena_bytes: int
    outputs: list[Output]
    output_bytes: int


def lower(module: Module) -> Lowered:
    """Lower a module whose shapes are all static, as `specialize` makes it."""
    program = _Program()
    for number, function in enumerate(module.functions.values()):
        readable = re.sub("[^A-Za-z0-9]+", "_", function.name)
        program.add(function, f"mg_def{number}_{readable}", "internal ")
    arena_bytes = program.add(module.main, MAIN, "")
    declarations = [kernel.declaration() for kernel in program.kernels]
    declarations.append(f"declare void @{_COPY}(ptr, ptr, i64, i1)")
    return Lowered(
        list(program.kernels),
        "\n".join(declarations + program.texts),
        program.constants,
        arena_bytes,
        program.outputs,
        program.output_bytes,
    )


def _base_name(number: int) -> str:
    """Return what a routine calls one of its pointers."""
    named = {FRAME: "%frame", CONSTANTS: "%constants", OUT: "%out"}
    return named.get(number) or f"%a{number - FIRST_PARAMETER}"


class _Routine(NamedTuple):
    """What its callers need to know of a def's routine."""

    symbol: str
    scratch: int
    """The bytes of its frame and of those behind it."""


class _Program:
    """What the routines of one program share."""

    def __init__(self) -> None:
        self.constants = Constants()
        self.kernels: dict[Kernel, str] = {}
        self.outputs: list[Output] = []
        self.output_bytes = 0
        self.texts: list[str] = []
        self.routines: dict[str, _Routine] = {}
        self._parts = 0

    def add(self, function: Function, symbol: str, linkage: str) -> int:
        """Write the routine of a function; return the bytes of scratch memory it needs."""
        frame = plan(function, self.constants)
        body = _Body(self, frame)
        for statement in function.body:
            body.add(statement)
        if function.result and frame.places[function.result].base != OUT:
            body.copy(function.result, Place(OUT, 0))
        arguments = [_base_name(FIRST_PARAMETER + i) for i in range(len(function.parameters))]
        names = [_base_name(FRAME), _base_name(CONSTANTS), *arguments, _base_name(OUT)]
        self._define(f"{linkage}void @{symbol}", ", ".join(f"ptr {n}" for n in names), body.calls)
        self.routines[function.name] = _Routine(symbol, body.scratch)
        return body.scratch

    def symbol(self, kernel: Kernel) -> str:
        """Return the symbol of a kernel that the program calls."""
        symbol = self.kernels.get(kernel)
        if symbol is None:
            symbol = self.kernels[kernel] = kernel.symbol
        return symbol

    def output(self, value: Value) -> Place:
        """Return where a printed value goes."""
        place = Place(OUT, self.output_bytes)
        self.outputs.append(Output(static(value.shape), place.offset))
        self.output_bytes += buffer_bytes(value)
        return place

    def _define(self, head: str, pointers: str, calls: list[str]) -> None:
        """Write a function that makes these calls, in parts where they are many.

        `pointers` is both its parameters and, since its parts have the same, their arguments.
        """
        if len(calls) > CHUNK:
            parts: list[str] = []
            for start in range(0, len(calls), CHUNK):
                part = f"void @mg_part{self._parts}"
                self._parts += 1
                self._define(f"internal {part}", pointers, calls[start : start + CHUNK])
                parts.append(f"call {part}({pointers})")
            self._define(head, pointers, parts)
            return
        body = "\n".join([*calls, "ret void"])
        self.texts.append(f"define {head}({pointers}) nounwind {{\n{body}\n}}")


class _Body:
    """The calls of one routine, each with the instructions that find its arguments.

    An address is computed once for all the calls that `_Program._define` keeps in one function.
    """

    def __init__(self, program: _Program, frame: Frame) -> None:
        self.calls: list[str] = []
        self.scratch = frame.size
        self._program = program
        self._frame = frame
        self._known: dict[Place, str] = {}
        self._lines: list[str] = []

    def add(self, statement: Statement) -> None:
        """Write the call of a statement, if it takes one."""
        if isinstance(statement, Apply):
            kernel = kernel_of(statement)
            if kernel is not None:
                self._apply(statement, self._program.symbol(kernel))
        elif isinstance(statement, Call):
            self._call(statement)
        else:
            assert isinstance(statement, Print)  # a static program has no Cast
            self.copy(statement.operand, self._program.output(statement.operand))

    def copy(self, value: Value, to: Place) -> None:
        """Write a copy of a value."""
        source, target = self._pointers([self._frame.places[value], to])
        size = element_count(value.shape) * BYTES
        self._write(f"call void @{_COPY}({target}, {source}, i64 {size}, i1 false)")

    def _apply(self, apply: Apply, kernel: str) -> None:
        places = self._frame.places
        *operands, out = self._pointers([places[v] for v in (*apply.operands, apply.result)])
        numbers = [f"double {f64_text(apply.attributes[name])}" for name in number_names(apply.op)]
        arguments = ", ".join([*operands, *numbers, out])
        self._write(f"call void @{kernel}({arguments})")

    def _call(self, call: Call) -> None:
        callee = self._program.routines[call.callee]
        behind = self._frame.size
        self.scratch = max(self.scratch, behind + callee.scratch)
        places = [self._frame.places[value] for value in (*call.operands, call.result)]
        frame, *pointers = self._pointers([Place(FRAME, behind), *places])
        arguments = ", ".join([frame, f"ptr {_base_name(CONSTANTS)}", *pointers])
        self._write(f"call void @{callee.symbol}({arguments})")

    def _pointers(self, places: list[Place]) -> list[str]:
        """Return these addresses as arguments; write the instructions that compute them."""
        if len(self.calls) % CHUNK == 0:
            self._known.clear()  # the next call may be the first of another function
        pointers: list[str] = []
        for place in places:
            pointer = self._known.get(place)
            if pointer is None:
                pointer = self._known[place] = self._pointer(place)
            pointers.append(pointer)
        return pointers

    def _pointer(self, place: Place) -> str:
        base = _base_name(place.base)
        if place.offset == 0:
            return f"ptr {base}"
        name = f"%p{len(self._known)}"
        self._lines.append(f"{name} = getelementptr i8, ptr {base}, i64 {place.offset}")
        return f"ptr {name}"

    def _write(self, call: str) -> None:
        self._lines.append(call)
        self.calls.append("\n".join(self._lines))
        self._lines.clear()
