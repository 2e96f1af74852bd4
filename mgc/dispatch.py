"""Runs main by calling its kernels one after the other, with addresses worked out for each run.

A program that is run once or a few times gains nothing from having the calls themselves compiled:
that takes LLVM longer than making them from a table does (docs/adr/0006).
"""

from __future__ import annotations

import ctypes
import mmap
from array import array
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mgc.ir import Apply, Call, Cast, Print
from mgc.lower.arena import ALIGNMENT, CONSTANTS, FRAME, OUT, Constants, plan
from mgc.lower.kernels import number_names
from mgc.lower.lanes import BYTES
from mgc.lower.step_loop import packed
from mgc.memref_text import Printed
from mgc.shapes import element_count, static

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mgc.ir import Function, Module, Value
    from mgc.literals import Literal
    from mgc.lower.arena import Frame, Place
    from mgc.lower.kernels import Kernel
    from mgc.shapes import StaticShape

    StepLoop = Callable[[bytes, int, int], None]
    """Runs a table of steps: the table, its size in bytes, the address of the bases."""

MOST_STEPS = 1024
"""In one table, so that an interrupt waits for no more steps than these."""


class _Activation(NamedTuple):
    """A function that is being run: the addresses of its bases, and what is still to be run."""

    function: Function
    bases: array[int]
    left: Iterator[bytes | Call | Print]


class Dispatcher:
    """A program of static shapes, with its memory.

    `kernels` has the kernel of every statement that one computes, `addresses` where it is compiled.
    """

    def __init__(
        self,
        module: Module,
        kernels: Mapping[Apply, Kernel],
        addresses: Mapping[Kernel, int],
        step_loop: StepLoop,
    ) -> None:
        """Lay out the memory."""
        self._main = module.main
        self._functions = module.functions
        self._kernels = kernels
        self._addresses = addresses
        self._step_loop = step_loop
        self._constants = Constants()
        self._frames: dict[str, Frame] = {}
        self._needs: dict[str, int] = {}
        self._parts: dict[str, list[bytes | Call | Print]] = {}
        for function in (*module.functions.values(), module.main):
            self._lay_out(function)

    def run(self, replaced: Mapping[Literal, bytes] | None = None) -> list[Printed]:
        """Run main up to its end, or to where the program traps; return what it prints.

        `replaced` maps matrix literals of the program to the f64 elements to compute with instead,
        wherever these literals are written. KeyError if there is no such literal.
        """
        arena, block = self._memory
        constants = self._constants.blob()
        block[: len(constants)] = constants
        for literal, elements in (replaced or {}).items():
            assert len(elements) == len(literal.elements) * BYTES
            start = self._constants.known_offset(literal)
            block[start : start + len(elements)] = elements
        return self._printed(_address(arena), _address(block))

    @cached_property
    def _memory(self) -> tuple[mmap.mmap, mmap.mmap]:
        """The memory of the values, and that of the constants; every run takes the same."""
        return _memory(self._needs[self._main.name]), _memory(self._constants.size)

    def _printed(self, arena: int, constants: int) -> list[Printed]:
        printed: list[Printed] = []
        bases = array("Q", (arena, constants, 0))
        stack = [_Activation(self._main, bases, iter(self._parts[self._main.name]))]
        while stack:
            active = stack[-1]
            entered = self._until_call(active, printed)
            if entered is not None:
                stack.append(entered)
                continue
            stack.pop()
            self._return(active)
        return printed

    def _until_call(self, active: _Activation, printed: list[Printed]) -> _Activation | None:
        """Run statements up to the next call of a def; return the def's activation."""
        bases, _ = active.bases.buffer_info()
        for part in active.left:
            if isinstance(part, bytes):
                self._step_loop(part, len(part), bases)
            elif isinstance(part, Call):
                return self._entered(part, active)
            else:
                address = self._address(part.operand, active)
                printed.append(_read(address, static(part.operand.shape)))
        return None

    def _address(self, value: Value, active: _Activation) -> int:
        base, offset = self._frames[active.function.name].places[value]
        return active.bases[base] + offset

    def _entered(self, call: Call, caller: _Activation) -> _Activation:
        frame = self._frames[caller.function.name]
        values = (call.result, *call.operands)
        bases = array("Q", (caller.bases[FRAME] + frame.size, caller.bases[CONSTANTS]))
        bases.extend(self._address(value, caller) for value in values)
        function = self._functions[call.callee]
        return _Activation(function, bases, iter(self._parts[function.name]))

    def _return(self, active: _Activation) -> None:
        """Bring the result of a def to where its caller wants it, if it is not there."""
        result = active.function.result
        if result is None:
            return
        address, wanted = self._address(result, active), active.bases[OUT]
        if address != wanted:
            ctypes.memmove(wanted, address, element_count(result.shape) * BYTES)

    def _lay_out(self, function: Function) -> None:
        """Plan the frame of a function, and how much it and those that it calls need."""
        frame = self._frames[function.name] = plan(function, self._constants)
        kernels, addresses, places = self._kernels, self._addresses, frame.places
        inner = 0
        parts: list[bytes | Call | Print] = []
        steps: list[bytes] = []
        for statement in function.body:
            if isinstance(statement, Apply):
                kernel = kernels.get(statement)
                if kernel is not None:
                    steps.append(_step(addresses[kernel], statement, places))
                continue
            assert not isinstance(statement, Cast)
            if isinstance(statement, Call):
                inner = max(inner, self._needs[statement.callee])
            parts += _tables(steps)
            parts.append(statement)
            steps.clear()
        self._needs[function.name] = frame.size + inner
        self._parts[function.name] = [*parts, *_tables(steps)]


def _step(kernel: int, statement: Apply, places: Mapping[Value, Place]) -> bytes:
    operands = [places[value] for value in statement.operands]
    attributes = statement.attributes
    numbers = [attributes[name] for name in number_names(statement.op)] if attributes else ()
    return packed(kernel, operands, places[statement.result], numbers)


def _tables(steps: list[bytes]) -> list[bytes]:
    """Return the steps in tables."""
    starts = range(0, len(steps), MOST_STEPS)
    return [b"".join(steps[start : start + MOST_STEPS]) for start in starts]


def _memory(count: int) -> mmap.mmap:
    """Return at least `count` bytes of memory, all 0, that begin at a page."""
    return mmap.mmap(-1, max(count, ALIGNMENT))


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _read(address: int, shape: StaticShape) -> Printed:
    elements = array("d")
    elements.frombytes(ctypes.string_at(address, element_count(shape) * BYTES))
    return Printed(shape, elements)
