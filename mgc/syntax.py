"""The syntax of a program: statements in order, each expression in the order it is evaluated.

An expression is kept in postfix form: every item comes after the items it takes its operands
from, so `a + b @ c` is `a b + c @`. That is also the order in which the IR lists its
operations, and it nests to any depth without recursion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.literals import Literal
    from mgc.shapes import Shape


@dataclass(frozen=True, slots=True)
class Name:
    """A let or a parameter."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    """A scalar."""

    value: float
    span: Span


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix literal."""

    literal: Literal
    span: Span


@dataclass(frozen=True, slots=True)
class Negate:
    """Unary minus, on the last item."""

    span: Span


@dataclass(frozen=True, slots=True)
class Infix:
    """`+ - * / @`, on the last two items."""

    symbol: str
    span: Span


@dataclass(frozen=True, slots=True)
class Invoke:
    """`NAME(...)`: a built-in or a def, on the last `arity` items.

    `integers` are the arguments that are not expressions: the sizes of `reshape` and the axes of
    `permute` as one list, the two lists of axes of `contract`.
    """

    name: str
    arity: int
    integers: tuple[tuple[int, ...], ...]
    span: Span


Item = Name | Number | Matrix | Negate | Infix | Invoke
Expression = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """`NAME: tensor[RxC]`; a size of None is `?`."""

    name: str
    shape: Shape
    span: Span


@dataclass(frozen=True, slots=True)
class Def:
    """`def NAME(PARAMETERS) = EXPRESSION`."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    """`let NAME = EXPRESSION`."""

    name: str
    expression: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Print:
    """`print EXPRESSION`."""

    expression: Expression
    span: Span


Statement = Def | Let | Print
