"""The syntax of a program: statements in order, each expression in the order it is evaluated.

An expression is kept in postfix form: every item comes after the items it takes its operands
from, so `a + b @ c` is `a b + c @`. That is also the order in which the IR lists its
operations, and it nests to any depth without recursion.

The fields are `Final` and the classes not frozen, as those of the IR are and for the same reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.literals import Literal
    from mgc.shapes import Shape


@dataclass(slots=True)
class Name:
    """A let or a parameter."""

    text: Final[str]
    span: Final[Span]


@dataclass(slots=True)
class Number:
    """A scalar."""

    value: Final[float]
    span: Final[Span]


@dataclass(slots=True)
class Matrix:
    """A matrix literal."""

    literal: Final[Literal]
    span: Final[Span]


@dataclass(slots=True)
class Negate:
    """Unary minus, on the last item."""

    span: Final[Span]


@dataclass(slots=True)
class Infix:
    """`+ - * / @`, on the last two items."""

    symbol: Final[str]
    span: Final[Span]


@dataclass(slots=True)
class Invoke:
    """`NAME(...)`: a built-in or a def, on the last `arity` items.

    `integers` are the arguments that are not expressions: the sizes of `reshape` and the axes of
    `permute` as one list, the two lists of axes of `contract`.
    """

    name: Final[str]
    arity: Final[int]
    integers: Final[tuple[tuple[int, ...], ...]]
    span: Final[Span]


Item = Name | Number | Matrix | Negate | Infix | Invoke
Expression = tuple[Item, ...]


@dataclass(slots=True)
class Parameter:
    """`NAME: tensor[RxC]`; a size of None is `?`."""

    name: Final[str]
    shape: Final[Shape]
    span: Final[Span]


@dataclass(slots=True)
class Def:
    """`def NAME(PARAMETERS) = EXPRESSION`."""

    name: Final[str]
    parameters: Final[tuple[Parameter, ...]]
    body: Final[Expression]
    span: Final[Span]


@dataclass(slots=True)
class Let:
    """`let NAME = EXPRESSION`."""

    name: Final[str]
    expression: Final[Expression]
    span: Final[Span]


@dataclass(slots=True)
class Print:
    """`print EXPRESSION`."""

    expression: Final[Expression]
    span: Final[Span]


Statement = Def | Let | Print
