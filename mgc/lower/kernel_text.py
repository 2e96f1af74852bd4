"""The text of one kernel: an LLVM function over pointers to f64, written with loops.

Whatever a loop computes is carried in SSA values and never in memory, so that the text is good
code before any optimisation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mgc.lower.lanes import Lanes, Pointer, f64_text, lanes_type


class Arguments(NamedTuple):
    """What a kernel is called with: where the operands lie, the number, where the result goes."""

    operands: list[Pointer]
    numbers: list[Lanes]
    out: Pointer


Walk = tuple[Pointer, int]
"""A pointer, and the bytes from one thing that it goes through to the next."""

Body = Callable[[list[Pointer], list[Lanes]], list[Lanes]]
"""One time round: takes the moved pointers and what is carried, returns what is carried on."""


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop that is being written: the block before it, its own first block, its counter.

    `carried` are the LLVM type, name and first value of what is carried round. Their phi
    instructions are inserted at line `phis_at` when the block that jumps back is known.
    """

    before: str
    start: str
    counter: str
    phis_at: int
    carried: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    def carry(self, kind: str, name: str, first: str) -> str:
        """Carry a value from one time round to the next, from `first` on; return its name."""
        self.carried.append((kind, name, first))
        return name


class KernelText:
    """Writes the instructions of one kernel in order; `text` is the finished function.

    `lanes` is the number of f64 in a vector register of the machine: LLVM would split what is
    wider, but kernels that do not need that compile faster and are better code.
    """

    def __init__(self, lanes: int) -> None:
        """Start with an empty body."""
        self.lanes = lanes
        self.declarations: set[str] = set()
        self._lines: list[str] = []
        self._names = 0
        self._block = "entry"

    def text(self, name: str, parameters: Sequence[str]) -> str:
        """Return the function of this name and these parameters (LLVM types and names)."""
        body = "\n".join(self._lines)
        header = f"define void @{name}({', '.join(parameters)}) noinline nounwind {{"
        return f"{header}\nentry:\n{body}\nret void\n}}\n"

    def declare(self, text: str) -> None:
        """Note a function that is called but not defined here."""
        self.declarations.add(text)

    def write(self, text: str) -> None:
        """Append an instruction without a result."""
        self._lines.append(text)

    def assign(self, text: str) -> str:
        """Append an instruction and return the name of its result."""
        name = self._name()
        self._lines.append(f"{name} = {text}")
        return name

    def offset(self, pointer: Pointer, offset: int | str) -> Pointer:
        """Return the address `offset` bytes (a number or a name) after `pointer`."""
        return Pointer(self, self.assign(f"getelementptr i8, ptr {pointer.name}, i64 {offset}"))

    def number(self, value: float, width: int) -> Lanes:
        """Return a number in each of `width` lanes."""
        text = f64_text(value)
        return Lanes(self, text if width == 1 else f"splat (double {text})", width)

    def loop(
        self, trips: int, walks: Sequence[Walk], carried: list[Lanes], body: Body
    ) -> list[Lanes]:
        """Go round `trips` times, the pointers moving on; return what is carried last.

        The counter counts the bytes of the shortest step, so that the pointers that move by it
        need no addition of their own.
        """
        if trips == 0:
            return carried
        if trips == 1:
            return body([pointer for pointer, _ in walks], carried)
        step = min((step for _, step in walks if step), default=1)
        loop = self._open()
        inside: list[Lanes] = []
        for lanes in carried:
            name = loop.carry(lanes_type(lanes.width), self._name(), lanes.name)
            inside.append(Lanes(self, name, lanes.width))
        moved: list[Pointer] = []
        for pointer, own_step in walks:
            if own_step == step:
                moved.append(self.offset(pointer, loop.counter))
            elif own_step:
                moved.append(Pointer(self, loop.carry("ptr", self._name(), pointer.name)))
            else:
                moved.append(pointer)
        outcome = body(moved, inside)
        following = [lanes.name for lanes in outcome]
        for pointer, (_, own_step) in zip(moved, walks, strict=True):
            if own_step not in (0, step):
                following.append(self.offset(pointer, own_step).name)
        self._close(loop, following, step, trips * step)
        return outcome

    def blocks(
        self, count: int, size: int, walks: Sequence[Walk], body: Callable[[list[Pointer]], None]
    ) -> None:
        """Go through `count` things in blocks of `size`, which is no more than `count`.

        `body` takes pointers to the first things of a block. Where blocks do not divide the
        things evenly, the last is moved back to end where they end and does some of the work
        again: that costs less than code of its own for what would be left.
        """
        trips, rest = divmod(count, size)
        if rest == 0:

            def once(moved: list[Pointer], _: list[Lanes]) -> list[Lanes]:
                body(moved)
                return []

            self.loop(trips, [(pointer, size * step) for pointer, step in walks], [], once)
            return
        loop = self._open()
        last = count - size
        is_last = self.assign(f"icmp ugt i64 {loop.counter}, {last}")
        start = self.assign(f"select i1 {is_last}, i64 {last}, i64 {loop.counter}")
        moved: list[Pointer] = []
        for pointer, step in walks:
            moved.append(self.offset(pointer, self.assign(f"mul nuw nsw i64 {start}, {step}")))
        body(moved)
        self._close(loop, [], size, (trips + 1) * size)

    def _open(self) -> _Loop:
        """Begin a loop that is gone round at least once; its counter starts at 0."""
        before, start, counter = self._block, self._name(), self._name()
        self._lines += [f"br label {start}", f"{start[1:]}:"]
        self._block = start[1:]
        return _Loop(before, start, counter, len(self._lines))

    def _close(self, loop: _Loop, following: list[str], step: int, end: int) -> None:
        """End the loop: `following` is carried on, and the counter moves on by `step`."""
        counter = self.assign(f"add nuw nsw i64 {loop.counter}, {step}")
        is_done = self.assign(f"icmp eq i64 {counter}, {end}")
        carried = [("i64", loop.counter, "0"), *loop.carried]
        self._lines[loop.phis_at : loop.phis_at] = [
            f"{name} = phi {kind} [ {first}, %{loop.before} ], [ {later}, %{self._block} ]"
            for (kind, name, first), later in zip(carried, [counter, *following], strict=True)
        ]
        after = self._name()
        self._lines += [f"br i1 {is_done}, label {after}, label {loop.start}", f"{after[1:]}:"]
        self._block = after[1:]

    def _name(self) -> str:
        self._names += 1
        return f"%v{self._names}"
