"""Values to Mountain Goat source: one `let` a value, textbook style.

Stretching is implicit in source, so a stretched value is never written out: it takes part in
arithmetic at its own size and grows with the other operand. Where nothing else gives an
expression the size it must have, it is multiplied by a matrix of ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd.expression import Value, ones_like
from mgc import ops, shape_rules
from mgc.literals import source_matrix
from mgc.ops import Kind
from mgc.shapes import Shape, stretched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mgc.literals import Literal

_STRETCHING = frozenset({ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.GE})


class Writer:
    """Writes lets and prints; names are fresh, numbered by one counter, and never collide.

    `kept` are the values that keep a name of the program's own; `number` spells a number, and
    must lose none of its bits.
    """

    def __init__(self, kept: Mapping[Value, str], number: Callable[[float], str] = repr) -> None:
        """Start an empty program."""
        self.lines: list[str] = []
        self._number = number
        self._kept = dict(kept)
        self._reserved = set(kept.values())
        self._names: dict[Value, str] = {}
        self._literals: dict[Literal, Value] = {}
        self._counter = 0

    def text(self) -> str:
        """Return the program as written so far."""
        return "\n".join(self.lines) + "\n"

    def comment(self, text: str) -> None:
        """Write a comment line."""
        self.lines.append(f"# {text}")

    def print(self, value: Value) -> None:
        """Print a value that has a let."""
        self.lines.append(f"print {self._names[value]}")

    def has(self, value: Value) -> bool:
        """Tell whether a value has a let."""
        return value in self._names

    def let(self, value: Value, prefix: str, remark: str = "") -> None:
        """Bind a value to its kept name, or to a fresh one; the remark ends the line."""
        text, shape = self._expression(value)
        if shape != value.shape:
            text = f"({self._operand(ones_like(value))[0]} * {text})"
        name = self._kept.get(value) or self._fresh(prefix)
        self._names[value] = name
        self.lines.append(f"let {name} = {text}{remark}")

    def group(self, values: Sequence[Value], prefix: str) -> None:
        """Bind several values; what they share gets a let of its own first."""
        for shared in self._shared(values):
            self.let(shared, "m")
        for value in values:
            self.let(value, prefix)

    def _fresh(self, prefix: str) -> str:
        while True:
            self._counter += 1
            name = f"{prefix}{self._counter}"
            if name not in self._reserved:
                return name

    def _shared(self, values: Iterable[Value]) -> list[Value]:
        """Return the unnamed values that are used more than once, operands first."""
        uses: dict[Value, int] = {}
        order: list[Value] = []
        for value in values:
            self._visit(value, uses, order)
        return [value for value in order if uses[value] > 1 and value.op is not ops.BROADCAST]

    def _visit(self, value: Value, uses: dict[Value, int], order: list[Value]) -> None:
        if value in self._names or value.op is ops.CONSTANT:
            return
        uses[value] = uses.get(value, 0) + 1
        if uses[value] == 1:
            for operand in value.operands:
                self._visit(operand, uses, order)
            order.append(value)

    def _operand(self, value: Value) -> tuple[str, Shape]:
        """Return how to write a value inside an expression, and the shape that this text has."""
        name = self._names.get(value)
        if name is not None:
            return name, value.shape
        if value.op is ops.CONSTANT:
            return self._literal(value), value.shape
        if value.op is ops.BROADCAST:
            return self._operand(value.operands[0])
        return self._expression(value)

    def _literal(self, value: Value) -> str:
        """Return the name of a literal that a rule brought in; each is written once."""
        literal: Literal = value.attributes["literal"]
        known = self._literals.setdefault(literal, value)
        if known not in self._names:
            self.let(known, "ones" if literal.elements[0] else "zero")
        return self._names[known]

    def _expression(self, value: Value) -> tuple[str, Shape]:
        op = value.op
        if op is ops.BROADCAST:
            return self._operand(value.operands[0])
        grows = op in _STRETCHING or op.shape is shape_rules.elementwise
        texts: dict[str, str] = {}
        shapes: list[Shape] = []
        for name, operand in zip(op.operands, value.operands, strict=True):
            texts[name], shape = self._operand(operand)
            if shape != operand.shape and not grows:
                texts[name] = f"({self._operand(ones_like(operand))[0]} * {texts[name]})"
            shapes.append(shape)
        for name, kind in op.attributes.items():
            texts[name] = self._attribute(kind, value.attributes[name])
        return op.source.format_map(texts), _grown(shapes) if grows else value.shape

    def _attribute(self, kind: Kind, value: Any) -> str:  # noqa: ANN401 - as the kind says
        match kind:
            case Kind.F64:
                return self._number(value)
            case Kind.DENSE:
                return source_matrix(value, self._number)
            case Kind.INTEGERS | Kind.RESULT_SHAPE:
                return ", ".join(map(str, value))


def _grown(shapes: Sequence[Shape]) -> Shape:
    """Return the shape that one operand, or two stretched to each other's sizes, has."""
    if len(shapes) == 1:
        return shapes[0]
    shape = stretched(*shapes)
    assert shape is not None
    return shape
