"""Softmax and log-softmax, found in a program and differentiated as one step each.

With a the softmax of t along an axis, and sums along that axis:

    out = exp(t) / sum(exp(t))      the adjoint of t is  a * (g - sum(g * a))
    out = t - log(sum(exp(t)))      the adjoint of t is  g - a * sum(g)

Both adjoints add up to zero along the axis, since a adds up to one. So where t = z - m, and m is
one number along the axis (the maximum, subtracted for the range of exp), the adjoint of m is
minus that sum: it is zero, whatever m is computed from, and all of the adjoint goes to z.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograd.expression import apply
from autograd.optimize.algebra import core
from autograd.reverse import Shortcut
from mgc import ops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograd.expression import Value
    from mgc.ops import Op


def shortcuts(steps: Sequence[Value]) -> dict[Value, Shortcut]:
    """Return the softmaxes and log-softmaxes among the steps of a program."""
    found: dict[Value, Shortcut] = {}
    for step in steps:
        shortcut = _softmax(step) or _log_softmax(step) or _log_of_softmax(step, found)
        if shortcut is not None:
            found[step] = shortcut
    return found


def _softmax(value: Value) -> Shortcut | None:
    if value.op is not ops.DIV:
        return None
    exponential, total = value.operands[0], core(value.operands[1])
    total_op = _total_of(exponential, total)
    if total_op is None:
        return None

    def pass_back(ct: Value) -> Value:
        return value * (ct - apply(total_op, ct * value))

    return _shortcut(exponential.operands[0], total, pass_back, "softmax")


def _log_softmax(value: Value) -> Shortcut | None:
    if value.op is not ops.SUB or core(value.operands[1]).op is not ops.LOG:
        return None
    t, total = value.operands[0], core(value.operands[1]).operands[0]
    if total.op not in (ops.ROW_SUM, ops.COL_SUM):
        return None
    exponential = total.operands[0]
    total_op = _total_of(exponential, total)
    if total_op is None or exponential.operands[0] is not t:
        return None

    def pass_back(ct: Value) -> Value:
        return ct - exponential * (apply(total_op, ct) / total)

    return _shortcut(t, total, pass_back, "log-softmax")


def _log_of_softmax(value: Value, found: dict[Value, Shortcut]) -> Shortcut | None:
    softmax = value.operands[0] if value.op is ops.LOG else None
    if softmax is None or softmax not in found or not found[softmax].name.startswith("softmax"):
        return None
    total = core(softmax.operands[1])

    def pass_back(ct: Value) -> Value:
        return ct - softmax * apply(total.op, ct)

    return _shortcut(softmax.operands[0].operands[0], total, pass_back, "log-softmax")


def _total_of(exponential: Value, total: Value) -> Op | None:
    """Return which sum `total` is of `exponential`, if that is an exponential and it is one."""
    if exponential.op is not ops.EXP or total.op not in (ops.ROW_SUM, ops.COL_SUM):
        return None
    return total.op if total.operands[0] is exponential else None


def _shortcut(t: Value, total: Value, pass_back: Callable[[Value], Value], name: str) -> Shortcut:
    """Go past the subtraction of a shift, if that is what t is."""
    if t.op is ops.SUB and t.operands[1].op is ops.BROADCAST:
        shift = core(t.operands[1])
        axis = 1 if total.op is ops.ROW_SUM else 0
        if shift.shape[axis] == 1:
            return Shortcut(t.operands[0], pass_back, f"{name} with its shift")
    return Shortcut(t, pass_back, name)
