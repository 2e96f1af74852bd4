"""The two tables of derivative rules, and what may stand in them.

A reverse-mode rule is a function named `d_<op>`. Its parameter `ct` is the adjoint of the result
(the cotangent); the others are operands and attributes of the operation, by the names in its row
of `mgc.ops`, or `out`, the result. It returns the adjoint that each operand receives.

A forward-mode rule is a function named `t_<op>`. It takes the tangent of the operand `x` as `tx`,
and otherwise what a reverse-mode rule takes; it returns what each operand's tangent contributes
to the tangent of the result, which is the sum of these.

Both return one value, or one for each operand in operand order. What a rule does not name it does
not need, so nothing else is kept for it.
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
Contributions = Cotangents
Function = TypeVar("Function", bound=Callable[..., Cotangents])


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as registered, with the names of what it wants."""

    function: Callable[..., Cotangents]
    wanted: tuple[str, ...]

    def __call__(self, available: dict[str, object]) -> tuple[Value, ...]:
        """Return one value for each operand, given everything by name."""
        values = self.function(*[available[name] for name in self.wanted])
        return (values,) if isinstance(values, Value) else values


@dataclass(frozen=True, slots=True)
class Zero:
    """The derivative is zero wherever it exists: nothing flows."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A program whose loss depends on this operation is refused."""

    reason: str


Table = dict["Op", Rule | Zero | Refused]

VJPS: Table = {}
"""Reverse mode; `autograd.rules` fills it."""

JVPS: Table = {}
"""Forward mode; `autograd.forward_rules` fills it."""


def vjp(op: Op) -> Callable[[Function], Function]:
    """Register the decorated function as the reverse-mode rule of `op`.

    TypeError when its name or one of its parameters is not what the row of `op` allows.
    """
    return _registering(VJPS, op, f"d_{op.name}", ("ct",))


def jvp(op: Op) -> Callable[[Function], Function]:
    """Register the decorated function as the forward-mode rule of `op`; TypeError as in `vjp`."""
    tangents = tuple(f"t{operand}" for operand in op.operands)
    return _registering(JVPS, op, f"t_{op.name}", tangents)


def declare(table: Table, op: Op, entry: Zero | Refused) -> None:
    """Say of an operation without a rule why it has none."""
    _fill(table, op, entry)


def _registering(
    table: Table, op: Op, name: str, derivatives: tuple[str, ...]
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        if function.__name__ != name:
            msg = f"the rule of {op} must be named {name}, not {function.__name__}"
            raise TypeError(msg)
        wanted = tuple(inspect.signature(function).parameters)
        known = (*derivatives, *op.operands, *op.attributes, "out")
        unknown = [each for each in wanted if each not in known]
        if unknown:
            msg = f"{function.__name__} asks for {', '.join(unknown)}; there is {', '.join(known)}"
            raise TypeError(msg)
        _fill(table, op, Rule(function, wanted))
        return function

    return register


def _fill(table: Table, op: Op, entry: Rule | Zero | Refused) -> None:
    if op in table:
        msg = f"{op} has two rows"
        raise TypeError(msg)
    table[op] = entry
