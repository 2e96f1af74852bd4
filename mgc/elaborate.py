"""Syntax to IR: names resolved, scalars folded, shapes checked, stretching made explicit."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NoReturn

from mgc import ops
from mgc.build import FunctionBuilder
from mgc.calls import BUILTINS, check_arity
from mgc.diagnostics import Diagnostic, did_you_mean
from mgc.ir import Function, Module, Value
from mgc.shapes import MATRIX_RANK, same, shape_text
from mgc.syntax import (
    Def,
    Expression,
    Infix,
    Invoke,
    Let,
    Matrix,
    Name,
    Negate,
    Number,
    Statement,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mgc.ops import Op

Operand = Value | float

_INFIX: dict[str, tuple[Op, Op, Op]] = {
    "+": (ops.ADD, ops.ADD_SCALAR, ops.SCALAR_ADD),
    "-": (ops.SUB, ops.SUB_SCALAR, ops.SCALAR_SUB),
    "*": (ops.MUL, ops.MUL_SCALAR, ops.SCALAR_MUL),
    "/": (ops.DIV, ops.DIV_SCALAR, ops.SCALAR_DIV),
}


def elaborate(program: Iterable[Statement]) -> Module:
    """Return the IR of a program; Diagnostic at its first fault."""
    functions: dict[str, Function] = {}
    main = _Elaborator(FunctionBuilder("main"), {}, functions)
    for statement in program:
        if isinstance(statement, Def):
            functions[statement.name] = _function(statement, functions, main.names)
        elif isinstance(statement, Let):
            main.names[statement.name] = main.expression(statement.expression)
        else:
            value = main.expression(statement.expression)
            if not isinstance(value, Value):
                msg = f"a scalar cannot be printed; write the matrix [[{value!r}]]"
                raise Diagnostic(msg, statement.span)
            main.builder.print(value, statement.span)
    return Module(functions, main.builder.finish(None))


def _function(definition: Def, earlier: dict[str, Function], lets: dict[str, Operand]) -> Function:
    name, span = definition.name, definition.span
    if name == "main":
        raise Diagnostic("a def cannot be named 'main': that is the program itself", span)
    if name in BUILTINS:
        raise Diagnostic(f"a def cannot be named '{name}': that is a built-in function", span)
    if name in earlier:
        raise Diagnostic(f"the def '{name}' is already there", span)
    parameters = tuple(
        Value(parameter.name, parameter.shape) for parameter in definition.parameters
    )
    builder = FunctionBuilder(name, parameters)
    names: dict[str, Operand] = {parameter.name: parameter for parameter in parameters}
    result = _Elaborator(builder, names, earlier, lets).expression(definition.body)
    if not isinstance(result, Value):
        raise Diagnostic(f"'{name}' returns a scalar; a def returns a matrix", span)
    if len(result.shape) != MATRIX_RANK:
        msg = f"'{name}' returns {shape_text(result.shape)}; a def returns a matrix of rank 2"
        raise Diagnostic(msg, span)
    return builder.finish(result)


class _Elaborator:
    """The expressions of one function; `lets` are the names that a def may not use."""

    def __init__(
        self,
        builder: FunctionBuilder,
        names: dict[str, Operand],
        functions: dict[str, Function],
        lets: dict[str, Operand] | None = None,
    ) -> None:
        self.builder = builder
        self.names = names
        self.functions = functions
        self.lets = lets or {}

    def expression(self, expression: Expression) -> Operand:
        """Append the operations of an expression and return its value."""
        stack: list[Operand] = []
        for item in expression:
            match item:
                case Name():
                    value = self.names.get(item.text)
                    if value is None:
                        self._unknown(item)
                    stack.append(value)
                case Infix():
                    right = stack.pop()
                    stack.append(self._infix(item, stack.pop(), right))
                case Invoke():
                    first = len(stack) - item.arity
                    arguments = stack[first:]
                    del stack[first:]
                    stack.append(self._invoke(item, arguments))
                case Number():
                    stack.append(item.value)
                case Matrix():
                    stack.append(self.builder.constant(item.literal, item.span))
                case Negate():
                    stack.append(self._negate(item, stack.pop()))
        return stack.pop()

    def _unknown(self, name: Name) -> NoReturn:
        if name.text in self.lets:
            why = "a def may use its parameters and earlier defs, never a let"
            raise Diagnostic(f"'{name.text}' is a let; {why}", name.span)
        if name.text in self.functions or name.text in BUILTINS:
            msg = f"'{name.text}' is a function; call it as {name.text}(...)"
            raise Diagnostic(msg, name.span)
        hint = did_you_mean(name.text, self.names)
        raise Diagnostic(f"unknown name '{name.text}'{hint}", name.span)

    def _negate(self, item: Negate, operand: Operand) -> Operand:
        if isinstance(operand, Value):
            return self.builder.apply(ops.NEG, (operand,), item.span)
        return -operand

    def _infix(self, item: Infix, left: Operand, right: Operand) -> Operand:
        infix = _INFIX.get(item.symbol)
        if infix is None:
            return self._matmul(item, left, right)
        matrices, scalar_right, scalar_left = infix
        if isinstance(left, Value):
            if isinstance(right, Value):
                return self.builder.stretch(matrices, left, right, item.span)
            return self.builder.apply(scalar_right, (left,), item.span, value=right)
        if isinstance(right, Value):
            return self.builder.apply(scalar_left, (right,), item.span, value=left)
        return _folded(item, left, right)

    def _matmul(self, item: Infix, left: Operand, right: Operand) -> Value:
        if isinstance(left, Value) and isinstance(right, Value):
            return self.builder.apply(ops.MATMUL, (left, right), item.span)
        raise Diagnostic("'@' multiplies two matrices; for a scalar write '*'", item.span)

    def _invoke(self, call: Invoke, arguments: list[Operand]) -> Value:
        builtin = BUILTINS.get(call.name)
        callee = self.functions.get(call.name)
        if builtin is None and callee is None:
            hint = did_you_mean(call.name, [*self.functions, *BUILTINS])
            why = "no built-in function and no earlier def has that name"
            raise Diagnostic(f"unknown function '{call.name}': {why}{hint}", call.span)
        matrices = _matrices(call, arguments)
        if builtin is not None:
            return builtin(self.builder, call, matrices)
        assert callee is not None
        check_arity(call, len(callee.parameters))
        _check_arguments(call, callee, matrices)
        return self.builder.call(callee, matrices, call.span)


def _matrices(call: Invoke, arguments: list[Operand]) -> list[Value]:
    matrices: list[Value] = []
    for position, argument in enumerate(arguments, start=1):
        if not isinstance(argument, Value):
            msg = f"{call.name} wants a matrix, but argument {position} is the scalar {argument!r}"
            raise Diagnostic(msg, call.span)
        matrices.append(argument)
    return matrices


def _check_arguments(call: Invoke, callee: Function, arguments: list[Value]) -> None:
    for argument, parameter in zip(arguments, callee.parameters, strict=True):
        if same(argument.shape, parameter.shape) is None:
            msg = (
                f"{call.name} wants {shape_text(parameter.shape)} for '{parameter.name}', "
                f"not {shape_text(argument.shape)}"
            )
            raise Diagnostic(msg, call.span)


def _folded(item: Infix, left: float, right: float) -> float:
    if item.symbol == "/" and right == 0.0:
        raise Diagnostic(f"{left!r} / {right!r}: a scalar is divided by zero", item.span)
    match item.symbol:
        case "+":
            value = left + right
        case "-":
            value = left - right
        case "*":
            value = left * right
        case _:
            value = left / right
    if not isfinite(value):
        msg = f"{left!r} {item.symbol} {right!r} is out of range for a 64-bit float"
        raise Diagnostic(msg, item.span)
    return value
