"""The IR: functions of SSA values, one statement per operation, shapes of any rank.

A `Module` comes from `elaborate` (with source spans) or from `ir_text.parse_ir` (with the spans
of the IR text). `specialize` turns it into another in which every shape is static.

The fields are `Final` and the classes not frozen: there is a value and a statement for each
operation of a program, and a frozen one takes several times as long to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.ops import Attributes, Op
    from mgc.shapes import Shape


@dataclass(slots=True, eq=False)
class Value:
    """The result of one statement, or a parameter; `name` is without the `%`."""

    name: Final[str]
    shape: Final[Shape]


@dataclass(slots=True, eq=False)
class Apply:
    """`result = op(operands)`; `attributes` holds what varies, by the names of the op's row."""

    op: Final[Op]
    operands: Final[tuple[Value, ...]]
    attributes: Final[Attributes]
    result: Final[Value]
    span: Final[Span]


@dataclass(slots=True, eq=False)
class Call:
    """`result = @callee(operands)`."""

    callee: Final[str]
    operands: Final[tuple[Value, ...]]
    result: Final[Value]
    span: Final[Span]


@dataclass(slots=True, eq=False)
class Cast:
    """The operand under a type that differs only by `?`; checked when the program runs."""

    operand: Final[Value]
    result: Final[Value]
    span: Final[Span]


@dataclass(slots=True, eq=False)
class Print:
    """The operand is printed."""

    operand: Final[Value]
    span: Final[Span]


Statement = Apply | Call | Cast | Print


@dataclass(slots=True, eq=False)
class Function:
    """A def, or main (no parameters, no result)."""

    name: Final[str]
    parameters: Final[tuple[Value, ...]]
    body: Final[tuple[Statement, ...]]
    result: Final[Value | None]


@dataclass(slots=True, eq=False)
class Module:
    """The defs by name, each after those it calls, and main."""

    functions: Final[dict[str, Function]]
    main: Final[Function]
