"""The table of reverse-mode rules, and what may stand in it.

A rule is a function named `d_<op>`. Its parameter `ct` is the adjoint of the result (the
cotangent); the others are operands and attributes of the operation, by the names in its row of
`mgc.ops`, or `out`, the result. It returns the adjoint that each operand receives, in operand
order. What a rule does not name it does not need, so nothing else is kept for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from autograd.expression import Value

if TYPE_CHECKING:
    from mgc.ops import Op

Cotangents = Value | tuple[Value, Value]
Function = TypeVar("Function", bound=Callable[..., Cotangents])


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as registered, with the names of what it wants."""

    function: Callable[..., Cotangents]
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Zero:
    """The derivative is zero wherever it exists: nothing flows back."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A program whose loss depends on this operation is refused."""

    reason: str


VJPS: dict[Op, Rule | Zero | Refused] = {}


def vjp(op: Op) -> Callable[[Function], Function]:
    """Register the decorated function as the rule of `op`.

    TypeError when its name or one of its parameters is not what the row of `op` allows.
    """

    def register(function: Function) -> Function:
        if function.__name__ != f"d_{op.name}":
            msg = f"the rule of {op} must be named d_{op.name}, not {function.__name__}"
            raise TypeError(msg)
        wanted = tuple(inspect.signature(function).parameters)
        known = ("ct", *op.operands, *op.attributes, "out")
        unknown = [name for name in wanted if name not in known]
        if unknown:
            msg = f"{function.__name__} asks for {', '.join(unknown)}; there is {', '.join(known)}"
            raise TypeError(msg)
        _fill(op, Rule(function, wanted))
        return function

    return register


def declare(op: Op, entry: Zero | Refused) -> None:
    """Say of an operation without a rule why it has none."""
    _fill(op, entry)


def _fill(op: Op, entry: Rule | Zero | Refused) -> None:
    if op in VJPS:
        msg = f"{op} has two rows"
        raise TypeError(msg)
    VJPS[op] = entry
