"""Builds the static programs that the back end takes, without the front end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mgc import ops
from mgc.diagnostics import Span
from mgc.ir import Apply, Call, Function, Module, Print, Statement, Value
from mgc.literals import Literal
from mgc.specialize import StaticProgram

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mgc.ops import Op
    from mgc.shapes import StaticShape

NOWHERE = Span(1, 1)


class Body:
    """A function that is being written: each method appends a statement."""

    def __init__(self, *parameters: StaticShape) -> None:
        self.parameters = tuple(Value(f"p{i}", shape) for i, shape in enumerate(parameters))
        self.statements: list[Statement] = []

    def apply(self, op: Op, *operands: Value, **attributes: Any) -> Value:  # noqa: ANN401
        shape = op.shape(*(operand.shape for operand in operands), **attributes)
        result = self._value(shape)
        self.statements.append(Apply(op, operands, attributes, result, NOWHERE))
        return result

    def constant(self, shape: StaticShape, elements: Iterable[float]) -> Value:
        return self.apply(ops.CONSTANT, literal=Literal(shape, tuple(elements)))

    def call(self, callee: Function, *operands: Value) -> Value:
        assert callee.result is not None
        result = self._value(callee.result.shape)
        self.statements.append(Call(callee.name, operands, result, NOWHERE))
        return result

    def print(self, value: Value) -> None:
        self.statements.append(Print(value, NOWHERE))

    def function(self, name: str, result: Value) -> Function:
        return Function(name, self.parameters, tuple(self.statements), result)

    def program(self, *functions: Function, trap: str | None = None) -> StaticProgram:
        main = Function("main", (), tuple(self.statements), None)
        return StaticProgram(
            Module({function.name: function for function in functions}, main), trap
        )

    def _value(self, shape: Any) -> Value:  # noqa: ANN401
        return Value(f"t{len(self.statements)}", shape)
