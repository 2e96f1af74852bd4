"""Where the values of a function lie while it runs.

The buffers of a function are cut out of one frame: a buffer is taken when its value is computed
and given back after the last statement that uses it. The result is computed where the caller
wants it, if it is computed at all and not merely a parameter or a constant that is passed on.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from typing import TYPE_CHECKING, NamedTuple

from mgc.ir import Apply, Cast, Print
from mgc.lower.kernels import LOWERINGS, Placement
from mgc.lower.lanes import BYTES
from mgc.shapes import element_count

if TYPE_CHECKING:
    from mgc.ir import Function, Value
    from mgc.literals import Literal

ALIGNMENT = 64
"""Of every buffer, in bytes: a cache line, and the widest vector of any machine."""


def buffer_bytes(value: Value) -> int:
    """Return the bytes that a value takes in a frame."""
    return aligned(element_count(value.shape) * BYTES)


def aligned(count: int) -> int:
    """Round a number of bytes up to the alignment of a buffer."""
    return -(-count // ALIGNMENT) * ALIGNMENT


class Arena:
    """Cuts buffers out of one frame, each at the lowest offset where it fits."""

    def __init__(self) -> None:
        """Start with an empty frame."""
        self.size = 0
        self._starts: list[int] = []
        self._ends: list[int] = []

    def take(self, count: int) -> int:
        """Return the offset of `count` free bytes; the frame grows where no hole is big enough."""
        starts, ends = self._starts, self._ends
        for hole, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if end - start > count:
                starts[hole] = start + count
                return start
            if end - start == count:
                del starts[hole], ends[hole]
                return start
        if ends and ends[-1] == self.size:
            ends.pop()
            start = starts.pop()
        else:
            start = self.size
        self.size = start + count
        return start

    def give(self, start: int, count: int) -> None:
        """Take a buffer back; it joins the holes beside it."""
        starts, ends = self._starts, self._ends
        end = start + count
        hole = bisect(starts, start)
        if hole < len(starts) and starts[hole] == end:
            end = ends[hole]
            del starts[hole], ends[hole]
        if hole and ends[hole - 1] == start:
            ends[hole - 1] = end
        else:
            starts.insert(hole, start)
            ends.insert(hole, end)


class Constants:
    """The matrix literals of a program in one block of bytes; equal bits are there once."""

    def __init__(self) -> None:
        """Start with no literal."""
        self._offsets: dict[bytes, int] = {}
        self._size = 0

    def offset(self, literal: Literal) -> int:
        """Return where the literal's elements begin."""
        bits = array("d", literal.elements).tobytes()
        offset = self._offsets.get(bits)
        if offset is None:
            offset = self._offsets[bits] = self._size
            self._size = offset + aligned(len(bits))
        return offset

    def known_offset(self, literal: Literal) -> int:
        """Return where a literal of the program begins; KeyError if it is none."""
        return self._offsets[array("d", literal.elements).tobytes()]

    def blob(self) -> bytes:
        """Return the block."""
        return b"".join(bits.ljust(aligned(len(bits)), b"\0") for bits in self._offsets)


class Place(NamedTuple):
    """An address: a pointer that the routine has, and bytes after it."""

    base: str
    offset: int


class Frame(NamedTuple):
    """Where each value of a function lies, and the bytes of its frame."""

    places: dict[Value, Place]
    size: int


def plan(function: Function, constants: Constants) -> Frame:
    """Lay out the values of a function whose shapes are all static.

    The bases are `%frame`, `%constants`, `%out` for the result and `%a0, %a1 ...` for parameters.
    """
    owners, last_uses = _lifetimes(function)
    result = owners[function.result] if function.result else None
    places = {value: Place(f"%a{i}", 0) for i, value in enumerate(function.parameters)}
    arena = Arena()
    dying: dict[int, list[tuple[int, int]]] = {}
    for index, statement in enumerate(function.body):
        assert not isinstance(statement, Cast)
        if not isinstance(statement, Print):
            value = statement.result
            if owners[value] is not value:
                places[value] = places[owners[value]]
            elif isinstance(statement, Apply) and LOWERINGS[statement.op] is Placement.DATA:
                places[value] = Place(
                    "%constants", constants.offset(statement.attributes["literal"])
                )
            elif value is result:
                places[value] = Place("%out", 0)
            else:
                count = buffer_bytes(value)
                offset = arena.take(count)
                places[value] = Place("%frame", offset)
                dying.setdefault(last_uses[value], []).append((offset, count))
        for offset, count in dying.pop(index, ()):
            arena.give(offset, count)
    return Frame(places, arena.size)


def _lifetimes(function: Function) -> tuple[dict[Value, Value], dict[Value, int]]:
    """Return the value in whose buffer each value lies, and the statement that uses it last."""
    owners = {value: value for value in function.parameters}
    last_uses: dict[Value, int] = {}
    for index, statement in enumerate(function.body):
        if isinstance(statement, Print | Cast):
            last_uses[owners[statement.operand]] = index
            continue
        for operand in statement.operands:
            last_uses[owners[operand]] = index
        is_alias = isinstance(statement, Apply) and LOWERINGS[statement.op] is Placement.ALIAS
        owner = owners[statement.operands[0]] if is_alias else statement.result
        owners[statement.result] = owner
        last_uses[owner] = index
    return owners, last_uses
