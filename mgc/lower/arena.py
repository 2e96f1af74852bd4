"""Where the values of a function lie while it runs.

The buffers of a function are cut out of one frame: a buffer is taken when its value is computed
and given back after the last statement that uses it. The result is computed where the caller
wants it, if it is computed at all and not merely a parameter or a constant that is passed on.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mgc.ir import Apply, Cast, Print
from mgc.lower.kernels import LOWERINGS, Placement
from mgc.lower.lanes import BYTES
from mgc.shapes import element_count

if TYPE_CHECKING:
    from mgc.ir import Function, Value
    from mgc.literals import Literal
    from mgc.shapes import Shape

ALIGNMENT = 64
"""Of every buffer, in bytes: a cache line, and the widest vector of any machine."""


def buffer_bytes(value: Value) -> int:
    """Return the bytes that a value takes in a frame."""
    return _aligned_bytes(value.shape)


@lru_cache(maxsize=4096)
def _aligned_bytes(shape: Shape) -> int:
    return aligned(element_count(shape) * BYTES)


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
        for hole, start in enumerate(starts):
            end = start + count
            if ends[hole] > end:
                starts[hole] = end
                return start
            if ends[hole] == end:
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
        self.size = 0

    def offset(self, literal: Literal) -> int:
        """Return where the literal's elements begin."""
        bits = array("d", literal.elements).tobytes()
        offset = self._offsets.get(bits)
        if offset is None:
            offset = self._offsets[bits] = self.size
            self.size = offset + aligned(len(bits))
        return offset

    def known_offset(self, literal: Literal) -> int:
        """Return where a literal of the program begins; KeyError if it is none."""
        return self._offsets[array("d", literal.elements).tobytes()]

    def blob(self) -> bytes:
        """Return the block."""
        return b"".join(bits.ljust(aligned(len(bits)), b"\0") for bits in self._offsets)


FRAME, CONSTANTS, OUT, FIRST_PARAMETER = range(4)
"""The numbers of the pointers that a routine has: its frame, the constants, where its result goes,
and where its arguments lie, one after the other."""


class Place(NamedTuple):
    """An address: the number of a pointer that the routine has, and bytes after it."""

    base: int
    offset: int


_place = lru_cache(maxsize=4096)(Place)
"""A place is found more quickly than it is made, and functions share their offsets."""

# Looking up a member of an enumeration takes longer than comparing with it.
_DATA = Placement.DATA
_ALIAS = Placement.ALIAS


class Frame(NamedTuple):
    """Where each value of a function lies, and the bytes of its frame."""

    places: dict[Value, Place]
    size: int


def plan(function: Function, constants: Constants) -> Frame:
    """Lay out the values of a function whose shapes are all static."""
    aliases, last_uses = _lifetimes(function)
    result = function.result and aliases.get(function.result, function.result)
    places = {
        value: Place(number, 0) for number, value in enumerate(function.parameters, FIRST_PARAMETER)
    }
    arena = Arena()
    dying: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, statement in enumerate(function.body):
        if not isinstance(statement, Print):
            value = statement.result
            if value in aliases:
                places[value] = places[aliases[value]]
            elif isinstance(statement, Apply) and LOWERINGS[statement.op] is _DATA:
                offset = constants.offset(statement.attributes["literal"])
                places[value] = _place(CONSTANTS, offset)
            elif value is result:
                places[value] = _place(OUT, 0)
            else:
                count = buffer_bytes(value)
                offset = arena.take(count)
                places[value] = _place(FRAME, offset)
                dying[last_uses[value]].append((offset, count))
        if index in dying:
            for offset, count in dying[index]:
                arena.give(offset, count)
    return Frame(places, arena.size)


def _lifetimes(function: Function) -> tuple[dict[Value, Value], dict[Value, int]]:
    """Return the value in whose buffer each alias lies, and the statement that uses a value last.

    A use of an alias is one of that value.
    """
    aliases: dict[Value, Value] = {}
    last_uses: dict[Value, int] = {}
    for index, statement in enumerate(function.body):
        if isinstance(statement, Print):
            last_uses[statement.operand] = index
            continue
        assert not isinstance(statement, Cast)
        for operand in statement.operands:
            last_uses[operand] = index
        last_uses[statement.result] = index
        if isinstance(statement, Apply) and LOWERINGS[statement.op] is _ALIAS:
            (operand,) = statement.operands
            aliases[statement.result] = aliases.get(operand, operand)
    for alias, value in aliases.items():
        last_uses[value] = max(last_uses[value], last_uses[alias])
    return aliases, last_uses
