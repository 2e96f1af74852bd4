"""Runs main by calling its kernels one after the other from here, with addresses worked out here.

A program that is run once or a few times gains nothing from having the calls themselves compiled:
that takes LLVM longer than making them from Python does (docs/adr/0006).
"""

from __future__ import annotations

import ctypes
import mmap
from array import array
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mgc.ir import Apply, Call, Print
from mgc.lower.arena import ALIGNMENT, Constants, plan
from mgc.lower.kernels import LOWERINGS, Placement, kernel_of, number_names
from mgc.lower.lanes import BYTES
from mgc.memref_text import Printed
from mgc.shapes import element_count, static

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mgc.ir import Function, Module
    from mgc.literals import Literal
    from mgc.lower.arena import Frame, Place
    from mgc.lower.kernels import Kernel

    Native = Callable[..., None]
    """A kernel: the addresses of its operands, its numbers, the address of its result."""


class _Step(NamedTuple):
    """A call of a kernel: where the operands and then the result lie, and the numbers it takes."""

    native: Native
    places: tuple[Place, ...]
    numbers: tuple[float, ...]


class _Activation(NamedTuple):
    """A function that is being run: where its bases are, and what of it is still to be run."""

    function: Function
    bases: dict[str, int]
    left: Iterator[_Step | Call | Print]


class Dispatcher:
    """A program of static shapes, with its memory; `natives` are its kernels, compiled."""

    def __init__(self, module: Module, natives: Mapping[Kernel, Native]) -> None:
        """Lay out the memory."""
        self._main = module.main
        self._functions = module.functions
        self._natives = natives
        self._constants = Constants()
        self._frames: dict[str, Frame] = {}
        self._needs: dict[str, int] = {}
        self._steps: dict[str, list[_Step | Call | Print]] = {}
        for function in (*module.functions.values(), module.main):
            self._lay_out(function)

    def run(self, replaced: Mapping[Literal, bytes] | None = None) -> list[Printed]:
        """Run main up to its end, or to where the program traps; return what it prints.

        `replaced` maps matrix literals of the program to the f64 elements to compute with instead,
        wherever these literals are written. KeyError if there is no such literal.
        """
        constants = self._constants.blob()
        with _memory(self._needs[self._main.name]) as arena, _memory(len(constants)) as block:
            block[: len(constants)] = constants
            for literal, elements in (replaced or {}).items():
                assert len(elements) == len(literal.elements) * BYTES
                start = self._constants.known_offset(literal)
                block[start : start + len(elements)] = elements
            # The views have to be gone before the memory is closed.
            return self._printed(_address(arena), _address(block))

    def _printed(self, arena: int, constants: int) -> list[Printed]:
        printed: list[Printed] = []
        bases = {"%frame": arena, "%constants": constants}
        stack = [_Activation(self._main, bases, iter(self._steps[self._main.name]))]
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
        bases = active.bases
        for step in active.left:
            if isinstance(step, _Step):
                native, places, numbers = step
                *operands, result = [bases[base] + offset for base, offset in places]
                native(*operands, *numbers, result)
            elif isinstance(step, Call):
                return self._entered(step, active)
            else:
                base, offset = self._frames[active.function.name].places[step.operand]
                shape = static(step.operand.shape)
                printed.append(Printed(shape, _elements(bases[base] + offset, shape)))
        return None

    def _entered(self, call: Call, caller: _Activation) -> _Activation:
        frame = self._frames[caller.function.name]
        bases = caller.bases
        function = self._functions[call.callee]
        inner = {"%frame": bases["%frame"] + frame.size, "%constants": bases["%constants"]}
        for number, operand in enumerate(call.operands):
            base, offset = frame.places[operand]
            inner[f"%a{number}"] = bases[base] + offset
        base, offset = frame.places[call.result]
        inner["%out"] = bases[base] + offset
        return _Activation(function, inner, iter(self._steps[function.name]))

    def _return(self, active: _Activation) -> None:
        """Bring the result of a def to where its caller wants it, if it is not there."""
        result = active.function.result
        if result is None:
            return
        base, offset = self._frames[active.function.name].places[result]
        if base != "%out":
            count = element_count(result.shape) * BYTES
            ctypes.memmove(active.bases["%out"], active.bases[base] + offset, count)

    def _lay_out(self, function: Function) -> None:
        """Plan the frame of a function, and how much it and those that it calls need."""
        frame = self._frames[function.name] = plan(function, self._constants)
        inner = [self._needs[each.callee] for each in function.body if isinstance(each, Call)]
        self._needs[function.name] = frame.size + max(inner, default=0)
        steps: list[_Step | Call | Print] = []
        for statement in function.body:
            if isinstance(statement, Call | Print):
                steps.append(statement)
            elif isinstance(statement, Apply) and is_computed(statement):
                steps.append(self._step(statement, frame))
        self._steps[function.name] = steps

    def _step(self, statement: Apply, frame: Frame) -> _Step:
        places = tuple(frame.places[each] for each in (*statement.operands, statement.result))
        numbers = tuple(statement.attributes[name] for name in number_names(statement.op))
        return _Step(self._natives[kernel_of(statement)], places, numbers)


def is_computed(statement: Apply) -> bool:
    """Tell whether a kernel computes the statement, which may be mere data or another shape."""
    return not isinstance(LOWERINGS[statement.op], Placement)


@cache
def native_at(operands: int, numbers: int) -> Callable[[int], Native]:
    """Return what makes a callable of the address of a kernel with so many operands and numbers."""
    pointers = [ctypes.c_void_p] * operands
    return ctypes.CFUNCTYPE(None, *pointers, *([ctypes.c_double] * numbers), ctypes.c_void_p)


def _memory(count: int) -> mmap.mmap:
    """Return at least `count` bytes of memory, all 0, that begin at a page."""
    return mmap.mmap(-1, max(count, ALIGNMENT))


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _elements(address: int, shape: tuple[int, ...]) -> array[float]:
    elements = array("d")
    elements.frombytes(ctypes.string_at(address, element_count(shape) * BYTES))
    return elements
