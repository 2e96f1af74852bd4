"""The order of the statements: values as short-lived as their dependences allow."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from autograd.optimize.graph import operands_first
from mgc import ops
from mgc.shapes import element_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from autograd.expression import Value

BYTES = 8


class Liveness:
    """What a graph's values take while they live: from where each is computed to its last use.

    Literals and stretching take nothing, and a root is never done with. Values are numbered as
    they are given: `users` of a value are the numbers of those that it is an operand of, and
    `uses` their count and one more for each time that the value is a root.
    """

    def __init__(self, values: Sequence[Value], roots: Iterable[Value]) -> None:
        """Number the values, and note the size of each and what it is used for."""
        self.numbers = {value: number for number, value in enumerate(values)}
        self.sizes = [_bytes(value) for value in values]
        self.operands = [
            [self.numbers[operand] for operand in dict.fromkeys(value.operands)] for value in values
        ]
        self.users: list[list[int]] = [[] for _ in values]
        for user, operands in enumerate(self.operands):
            for operand in operands:
                self.users[operand].append(user)
        self.uses = [len(users) for users in self.users]
        for root in roots:
            self.uses[self.numbers[root]] += 1

    def peak(self, order: Iterable[Value]) -> int:
        """Return the most bytes that are live at once, where the values come in this order."""
        sizes, operands, uses = self.sizes, self.operands, self.uses.copy()
        live = most = 0
        for value in order:
            number = self.numbers[value]
            live += sizes[number]
            most = max(most, live)
            for operand in operands[number]:
                uses[operand] -= 1
                if not uses[operand]:
                    live -= sizes[operand]
        return most


def peak_bytes(order: Sequence[Value], roots: Iterable[Value]) -> int:
    """Return the most bytes that are live at once; literals and stretching take none."""
    return Liveness(order, roots).peak(order)


def scheduled(order: Sequence[Value], roots: Sequence[Value]) -> list[Value]:
    """Return the order with the least peak of: the given one, depth first, and greedy."""
    needed = operands_first(roots)
    liveness = Liveness(needed, roots)
    candidates = [
        operands_first([*(value for value in order if value in liveness.numbers), *roots]),
        needed,
        operands_first(reversed(roots)),
        [needed[number] for number in Frontier(liveness).taken()],
    ]
    return min(candidates, key=liveness.peak)


class Frontier:
    """The values whose operands are there, queued by what each would add to the live bytes.

    What a value adds only falls, namely when it becomes the last user of an operand. It is then
    queued once more, and its entry that says more is passed over.
    """

    def __init__(self, liveness: Liveness) -> None:
        """Begin before the first value."""
        self._graph = liveness
        self._uses = liveness.uses.copy()
        self._missing = [len(operands) for operands in liveness.operands]
        self._growth = [self._initial_growth(number) for number in range(len(liveness.sizes))]
        self._queue: list[tuple[int, int]] = []
        self._done: set[int] = set()

    def taken(self) -> Iterator[int]:
        """Yield the number of every value: of the ready ones that of the least growth first."""
        for number, missing in enumerate(self._missing):
            if not missing:
                self._enqueue(number)
        while self._queue:
            growth, number = heappop(self._queue)
            if growth == self._growth[number]:
                self._done.add(number)
                yield number
                self._release(number)

    def _initial_growth(self, number: int) -> int:
        sizes, operands = self._graph.sizes, self._graph.operands[number]
        freed = sum([sizes[operand] for operand in operands if self._uses[operand] == 1])
        return sizes[number] - freed

    def _enqueue(self, number: int) -> None:
        heappush(self._queue, (self._growth[number], number))

    def _release(self, number: int) -> None:
        """Let those that only waited for this value be ready, and its operands have a use less."""
        for user in self._graph.users[number]:
            self._missing[user] -= 1
            if not self._missing[user]:
                self._enqueue(user)
        for operand in self._graph.operands[number]:
            self._uses[operand] -= 1
            if self._uses[operand] == 1 and self._graph.sizes[operand]:
                self._credit_last_user(operand)

    def _credit_last_user(self, operand: int) -> None:
        """Let the one user that is left free an operand; there is none where the use is a root."""
        for user in self._graph.users[operand]:
            if user not in self._done:
                self._growth[user] -= self._graph.sizes[operand]
                if not self._missing[user]:
                    self._enqueue(user)


def _bytes(value: Value) -> int:
    if value.op in (ops.CONSTANT, ops.BROADCAST) or not value.op.operands:
        return 0
    return element_count(value.shape) * BYTES
