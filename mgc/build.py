"""Building one function of the IR: fresh names, shape checks, explicit stretching."""

from __future__ import annotations

from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING

from mgc import ops
from mgc.diagnostics import Diagnostic
from mgc.ir import Apply, Call, Cast, Function, Print, Statement, Value
from mgc.shapes import Shape, ShapeError, shape_text, stretched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mgc.diagnostics import Span
    from mgc.literals import Literal
    from mgc.ops import Op

_shape_of = attrgetter("shape")


class FunctionBuilder:
    """Appends statements to a function and hands out `t1, t2, ...` for their results."""

    def __init__(self, name: str, parameters: tuple[Value, ...] = ()) -> None:
        """Start an empty function."""
        self.name = name
        self.parameters = parameters
        self._names = _fresh_names({parameter.name for parameter in parameters})
        self._body: list[Statement] = []

    def finish(self, result: Value | None) -> Function:
        """Return the function as built so far."""
        return Function(self.name, self.parameters, tuple(self._body), result)

    def apply(self, op: Op, operands: tuple[Value, ...], span: Span, **attributes: object) -> Value:
        """Append an operation; Diagnostic when the shapes of its operands do not fit it."""
        try:
            shape = op.shape(*map(_shape_of, operands), **attributes)
        except ShapeError as error:
            raise Diagnostic(f"{op.name}: {error}", span) from None
        result = Value(next(self._names), shape)
        self._body.append(Apply(op, operands, attributes, result, span))
        return result

    def stretch(self, op: Op, left: Value, right: Value, span: Span) -> Value:
        """Append an elementwise operation, its operands stretched to each other's sizes."""
        if left.shape == right.shape:
            return self.apply(op, (left, right), span)
        shape = stretched(left.shape, right.shape)
        if shape is None:
            msg = f"{op.name}: the shapes {shape_text(left.shape)} and {shape_text(right.shape)} "
            raise Diagnostic(msg + "do not stretch to a common one", span)
        return self.apply(
            op, (self._grown(left, shape, span), self._grown(right, shape, span)), span
        )

    def _grown(self, value: Value, shape: Shape, span: Span) -> Value:
        if value.shape == shape:
            return value
        sizes = zip(value.shape, shape, strict=True)
        grown = tuple([new if old == 1 else old for old, new in sizes])
        if grown == value.shape:
            return value
        return self.apply(ops.BROADCAST, (value,), span, shape=grown)

    def constant(self, literal: Literal, span: Span) -> Value:
        """Append a matrix literal."""
        return self.apply(ops.CONSTANT, (), span, literal=literal)

    def call(self, callee: Function, arguments: list[Value], span: Span) -> Value:
        """Append a call; an argument whose type differs from the parameter's by `?` is cast."""
        operands = tuple(
            argument if argument.shape == parameter.shape else self._cast(argument, parameter, span)
            for argument, parameter in zip(arguments, callee.parameters, strict=True)
        )
        assert callee.result is not None
        result = Value(next(self._names), callee.result.shape)
        self._body.append(Call(callee.name, operands, result, span))
        return result

    def _cast(self, argument: Value, parameter: Value, span: Span) -> Value:
        result = Value(next(self._names), parameter.shape)
        self._body.append(Cast(argument, result, span))
        return result

    def print(self, operand: Value, span: Span) -> None:
        """Append a print."""
        self._body.append(Print(operand, span))


def _fresh_names(taken: set[str]) -> Iterator[str]:
    for number in count(1):
        name = f"t{number}"
        if name not in taken:
            yield name
