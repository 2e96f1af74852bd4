"""The IR as text: printing it, one operation a line, as docs/language.md describes it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mgc import ops
from mgc.ir import Apply, Call, Cast, Function, Module, Print, Statement
from mgc.literals import ir_dense, ir_float
from mgc.shapes import type_text as uncached_type_text

if TYPE_CHECKING:
    from mgc.ir import Value
    from mgc.ops import Attributes, Op

type_text = lru_cache(maxsize=4096)(uncached_type_text)


def ir_text(module: Module) -> str:
    """Return the text of a module: each def, then `@main`, every line ended."""
    functions = [*module.functions.values(), module.main]
    return "".join(_function_text(function) for function in functions)


def _function_text(function: Function) -> str:
    lines = [_statement_text(statement) for statement in function.body]
    if function.result is None:
        head = "func.func @main() -> i32 {"
        lines.append("  %zero = arith.constant 0 : i32")
        last = "  func.return %zero : i32"
    else:
        parameters = ", ".join(
            f"%{each.name}: {type_text(each.shape)}" for each in function.parameters
        )
        result = function.result
        head = f"func.func @{function.name}({parameters}) -> {type_text(result.shape)} {{"
        last = f"  func.return %{result.name} : {type_text(result.shape)}"
    return "\n".join([head, "\n".join(lines), last, "}\n"])


def _statement_text(statement: Statement) -> str:
    match statement:
        case Apply():
            return f"  %{statement.result.name} = {_apply_text(statement)}"
        case Call():
            operands = statement.operands
            types = ", ".join(type_text(operand.shape) for operand in operands)
            result = statement.result
            call = f"func.call @{statement.callee}({_names(operands)})"
            return f"  %{result.name} = {call} : ({types}) -> {type_text(result.shape)}"
        case Cast():
            operand, result = statement.operand, statement.result
            types = f"{type_text(operand.shape)} to {type_text(result.shape)}"
            return f"  %{result.name} = tensor.cast %{operand.name} : {types}"
        case Print():
            return f"  mg.print %{statement.operand.name} : {type_text(statement.operand.shape)}"


def _names(values: tuple[Value, ...]) -> str:
    return ", ".join([f"%{value.name}" for value in values])


def _apply_text(apply: Apply) -> str:
    op, result = apply.op, type_text(apply.result.shape)
    if op is ops.CONSTANT:
        return f"mg.constant dense<{ir_dense(apply.attributes['literal'])}> : {result}"
    name, fixed, arrow = _spelling(op)
    attributes = _attributes_text(op, apply.attributes) if fixed is None else fixed
    types = ", ".join([type_text(operand.shape) for operand in apply.operands])
    return f"mg.{name} {_names(apply.operands)}{attributes} : {types} {arrow} {result}"


class _Spelling(NamedTuple):
    """What the lines of an operation share; `attributes` is None where they vary."""

    name: str
    attributes: str | None
    arrow: str


@cache
def _spelling(op: Op) -> _Spelling:
    mnemonic = op.mnemonic
    varies = any(fixed is None for _, fixed in mnemonic.attributes)
    attributes = None if varies else _attributes_text(op, {})
    return _Spelling(mnemonic.name, attributes, mnemonic.arrow)


def _attributes_text(op: Op, values: Attributes) -> str:
    spelled = [
        f"{name} = {fixed or _attribute_text(values[name])}"
        for name, fixed in op.mnemonic.attributes
    ]
    return f" {{{', '.join(spelled)}}}" if spelled else ""


def _attribute_text(value: float | tuple[int, ...]) -> str:
    if isinstance(value, tuple):
        return f"array<i64: {', '.join(map(str, value))}>"
    return f"{ir_float(value)} : f64"
