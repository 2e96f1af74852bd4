"""The IR: functions of SSA values, one statement per operation, shapes of any rank.

A `Module` comes from `elaborate` (with source spans) or from `ir_text.parse_ir` (with the spans
of the IR text). `specialize` turns it into another in which every shape is static.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.ops import Attributes, Op
    from mgc.shapes import Shape


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """The result of one statement, or a parameter; `name` is without the `%`."""

    name: str
    shape: Shape


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """`result = op(operands)`; `attributes` holds what varies, by the names of the op's row."""

    op: Op
    operands: tuple[Value, ...]
    attributes: Attributes
    result: Value
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`result = @callee(operands)`."""

    callee: str
    operands: tuple[Value, ...]
    result: Value
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """The operand under a type that differs only by `?`; checked when the program runs."""

    operand: Value
    result: Value
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """The operand is printed."""

    operand: Value
    span: Span


Statement = Apply | Call | Cast | Print


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A def, or main (no parameters, no result)."""

    name: str
    parameters: tuple[Value, ...]
    body: tuple[Statement, ...]
    result: Value | None


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """The defs by name, each after those it calls, and main."""

    functions: dict[str, Function]
    main: Function
