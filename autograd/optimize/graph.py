"""Graphs of values, rebuilt node by node: equal nodes become one, and rules rewrite each."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograd.expression import Value
from mgc import ops

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.literals import Literal
    from mgc.ops import Attributes, Op


def operands_first(roots: Iterable[Value], known: Iterable[Value] = ()) -> list[Value]:
    """Return every value that the roots need, each after its operands.

    Values that are `known` are left out, and so is what only they need.
    """
    order: list[Value] = []
    done = set(known)
    for root in roots:
        waiting = [(root, False)]
        while waiting:
            value, expanded = waiting.pop()
            if expanded:
                order.append(value)
            elif value not in done:
                done.add(value)
                waiting.append((value, True))
                waiting.extend((operand, False) for operand in reversed(value.operands))
    return order


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rule: `rewrite` takes the builder and a candidate value, and returns a better one or None.

    `name` is what a listing of the changes calls it.
    """

    name: str
    rewrite: Callable[[Builder, Value], Value | None]


Rules = Mapping["Op", Sequence[Rewriting]]


def together(*tables: Rules) -> Rules:
    """Return all the rules of several tables, those of the first tried first."""
    every = {op for table in tables for op in table}
    return {op: tuple(rule for table in tables for rule in table.get(op, ())) for op in every}


class Builder:
    """Makes values, each once: equal operations on the same operands are the same value.

    Literals are equal if they have the same bits, so 0.0 and -0.0 stay apart. A value keeps the
    place in the source of the first that was made equal to it.
    """

    def __init__(self, rules: Rules) -> None:
        """Start without a value; `rules` are tried on each that is made."""
        self.rewritten: Counter[str] = Counter()
        self.uses: Counter[Value] = Counter()
        self._rules = rules
        self._known: dict[object, Value] = {}
        self._span: Span | None = None

    def make(self, op: Op, *operands: Value, **attributes: object) -> Value:
        """Return `op` of the operands, or what the rules make of it."""
        shape = op.shape(*(operand.shape for operand in operands), **attributes)
        return self._settled(Value(op, operands, attributes, shape, self._span))

    def known(self, op: Op, *operands: Value, **attributes: object) -> Value | None:
        """Return `op` of the operands if that is computed already."""
        return self._known.get(_key(op, operands, attributes))

    def rebuilt(self, order: Sequence[Value], roots: Sequence[Value]) -> dict[Value, Value]:
        """Return what each value has become of those that the roots need, operands first.

        Until a value is rebuilt itself, `uses` says of what it has become by how many operations
        it was used.
        """
        used = Counter(roots)
        for value in order:
            used.update(value.operands)
        renewed: dict[Value, Value] = {}
        for value in order:
            self._span = value.span
            operands = tuple(renewed[operand] for operand in value.operands)
            candidate = Value(value.op, operands, value.attributes, value.shape, value.span)
            renewed[value] = self._settled(candidate)
            self.uses[renewed[value]] += used[value]
        self._span = None
        return renewed

    def _settled(self, candidate: Value) -> Value:
        key = _key(candidate.op, candidate.operands, candidate.attributes)
        known = self._known.get(key)
        if known is not None:
            return known
        for rule in self._rules.get(candidate.op, ()):
            better = rule.rewrite(self, candidate)
            if better is not None:
                self.rewritten[rule.name] += 1
                self._known[key] = better
                return better
        self._known[key] = candidate
        return candidate


def _key(op: Op, operands: tuple[Value, ...], attributes: Attributes) -> object:
    if op is ops.CONSTANT:
        literal: Literal = attributes["literal"]
        return (op, literal.shape, array("d", literal.elements).tobytes())
    spelled = tuple(_bits(value) for value in attributes.values())
    return (op, tuple(id(operand) for operand in operands), spelled)


def _bits(value: object) -> object:
    return array("d", [value]).tobytes() if isinstance(value, float) else value
