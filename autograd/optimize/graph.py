"""Graphs of values, rebuilt node by node: equal nodes become one, and rules rewrite each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from struct import Struct
from typing import TYPE_CHECKING

from autograd.expression import Value
from mgc import ops

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.literals import Literal
    from mgc.ops import Attributes, Op

_F64 = Struct("d")


def operands_first(roots: Iterable[Value], known: Iterable[Value] = ()) -> list[Value]:
    """Return every value that the roots need, each after its operands.

    Values that are `known` are left out, and so is what only they need.
    """
    return _operands_first(roots, set(known))


def _operands_first(roots: Iterable[Value], done: set[Value]) -> list[Value]:
    """Return what the roots need and is not done, each after its operands; then it is done."""
    order: list[Value] = []
    for root in roots:
        if root in done:
            continue
        # From the root down to a value whose operands are not all done.
        path = [root]
        while path:
            value = path[-1]
            for operand in value.operands:
                if operand not in done:
                    path.append(operand)
                    break
            else:
                path.pop()
                done.add(value)
                order.append(value)
    return order


def groups_operands_first(
    groups: Iterable[Iterable[Value]], known: Iterable[Value]
) -> list[list[Value]]:
    """Return for each group what it needs and none before it did, each after its operands."""
    done = set(known)
    return [_operands_first(group, done) for group in groups]


def with_operands(value: Value, become: Mapping[Value, Value]) -> Value:
    """Return a value of what its operands have become: itself where they are what they were."""
    operands = tuple([become[operand] for operand in value.operands])
    if operands == value.operands:
        return value
    return Value(value.op, operands, value.attributes, value.shape, value.span)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rule: `rewrite` takes the builder and a candidate value, and returns a better one or None.

    `name` is what a listing of the changes calls it. A rule that is `local` asks the builder for
    nothing but new values: what it returns follows from the candidate alone.
    """

    name: str
    rewrite: Callable[[Builder, Value], Value | None]
    local: bool = True


Rules = Mapping["Op", Sequence[Rewriting]]


def together(*tables: Rules) -> Rules:
    """Return all the rules of several tables, those of the first tried first."""
    every = {op for table in tables for op in table}
    return {op: tuple(rule for table in tables for rule in table.get(op, ())) for op in every}


def untried(rules: Rules, tried: Rules) -> Rules:
    """Return the rules that may yet rewrite a value which those that were tried left as it is."""
    return {
        op: tuple(rule for rule in row if not rule.local or rule not in tried.get(op, ()))
        for op, row in rules.items()
    }


class Builder:
    """Makes values, each once: equal operations on the same operands are the same value.

    Literals are equal if they have the same bits, so 0.0 and -0.0 stay apart. A value keeps the
    place in the source of the first that was made equal to it.
    """

    def __init__(
        self, rules: Rules, again: Rules | None = None, normal: Container[Value] = ()
    ) -> None:
        """Start without a value; `rules` are tried on each that is made.

        Only those of `again` are tried on a value that is rebuilt as it is if it is `normal`, as
        `untried` says it of one.
        """
        self.rewritten: Counter[str] = Counter()
        self.uses: Counter[Value] = Counter()
        self._rules = rules
        self._again = rules if again is None else again
        self._normal = normal
        self._known: dict[object, Value] = {}
        self._span: Span | None = None

    def make(self, op: Op, *operands: Value, **attributes: object) -> Value:
        """Return `op` of the operands, or what the rules make of it."""
        shape = op.shape(*[operand.shape for operand in operands], **attributes)
        return self._settled(Value(op, operands, attributes, shape, self._span), self._rules)

    def known(self, op: Op, *operands: Value, **attributes: object) -> Value | None:
        """Return `op` of the operands if that is computed already."""
        return self._known.get(_key(op, operands, attributes))

    def rebuilt(self, order: Sequence[Value], roots: Sequence[Value]) -> dict[Value, Value]:
        """Return what each value has become of those that the roots need, operands first.

        Until a value is rebuilt itself, `uses` says of what it has become by how many operations
        it was used.
        """
        used = Counter(chain(roots, chain.from_iterable([value.operands for value in order])))
        renewed: dict[Value, Value] = {}
        others: set[Value] = set()
        for value in order:
            self._span = value.span
            # Most values stay what they are, and this is quicker than to look at what has become of
            # each operand.
            unmoved = others.isdisjoint(value.operands)
            candidate = value if unmoved else with_operands(value, renewed)
            is_normal = unmoved and value in self._normal
            rules = self._again if is_normal else self._rules
            renewed[value] = become = self._settled(candidate, rules)
            if become is not value:
                others.add(value)
            self.uses[become] = self.uses.get(become, 0) + used[value]
        self._span = None
        return renewed

    def _settled(self, candidate: Value, rules: Rules) -> Value:
        key = _key(candidate.op, candidate.operands, candidate.attributes)
        known = self._known.get(key)
        if known is not None:
            return known
        for rule in rules.get(candidate.op, ()):
            better = rule.rewrite(self, candidate)
            if better is not None:
                self.rewritten[rule.name] += 1
                self._known[key] = better
                return better
        self._known[key] = candidate
        return candidate


def _key(op: Op, operands: tuple[Value, ...], attributes: Attributes) -> object:
    if not attributes:
        return (op, operands)
    if op is ops.CONSTANT:
        literal: Literal = attributes["literal"]
        return (op, literal.shape, literal.bits)
    spelled = tuple([_bits(value) for value in attributes.values()])
    return (op, operands, spelled)


def _bits(value: object) -> object:
    return _F64.pack(value) if isinstance(value, float) else value
