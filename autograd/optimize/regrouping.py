"""Algebra that may change the rounding: sums and products regrouped, as a person would on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograd.optimize.algebra import core, grown
from autograd.optimize.graph import Rewriting
from mgc import ops
from mgc.shapes import element_count, static

if TYPE_CHECKING:
    from autograd.expression import Value
    from autograd.optimize.graph import Builder, Rules


def _same_term_again(build: Builder, value: Value) -> Value | None:
    """A term that is added again: x + x is 2 x, k x + x is (k + 1) x, (z + x) + x is z + 2 x."""
    for x, y in (value.operands, tuple(reversed(value.operands))):
        if x is y:
            return build.make(ops.MUL_SCALAR, x, value=2.0)
        if x.op is ops.MUL_SCALAR and x.operands[0] is y:
            return build.make(ops.MUL_SCALAR, y, value=x.attributes["value"] + 1.0)
        if x.op is ops.ADD and y in x.operands:
            other = x.operands[0] if x.operands[1] is y else x.operands[1]
            return build.make(ops.ADD, other, build.make(ops.MUL_SCALAR, y, value=2.0))
    return None


def _number_added_last(build: Builder, value: Value) -> Value | None:
    """(x + k) + y is (x + y) + k."""
    for x, y in (value.operands, tuple(reversed(value.operands))):
        if x.op is ops.ADD_SCALAR and build.uses[x] <= 1:
            total = build.make(ops.ADD, x.operands[0], y)
            return build.make(ops.ADD_SCALAR, total, value=x.attributes["value"])
    return None


def _number_onto_smaller(build: Builder, value: Value) -> Value | None:
    """(x * y) * k is x * (y * k), where y is stretched and has fewer entries to scale."""
    (product,) = value.operands
    if product.op is not ops.MUL:
        return None
    for position, operand in enumerate(product.operands):
        if operand.op is ops.BROADCAST:
            k: float = value.attributes["value"]
            scaled = build.make(ops.MUL_SCALAR, operand.operands[0], value=k)
            operands = list(product.operands)
            operands[position] = grown(build, scaled, product.shape)
            return build.make(ops.MUL, *operands)
    return None


def _numbers_merged(build: Builder, value: Value) -> Value | None:
    (x,) = value.operands
    k: float = value.attributes["value"]
    if x.op is ops.MUL_SCALAR:
        return build.make(ops.MUL_SCALAR, x.operands[0], value=x.attributes["value"] * k)
    if x.op is ops.DIV_SCALAR:
        return build.make(ops.MUL_SCALAR, x.operands[0], value=k / x.attributes["value"])
    return None


def _divided_numbers_merged(build: Builder, value: Value) -> Value | None:
    (x,) = value.operands
    k: float = value.attributes["value"]
    if x.op is ops.MUL_SCALAR:
        return build.make(ops.MUL_SCALAR, x.operands[0], value=x.attributes["value"] / k)
    if x.op is ops.NEG:
        return build.make(ops.MUL_SCALAR, x.operands[0], value=-1.0 / k)
    return None


def _reused_quotient(build: Builder, value: Value) -> Value | None:
    """(g * x) / (y * y) is (g / y) * (x / y), where both quotients are there anyway."""
    numerator, denominator = value.operands
    denominator = core(denominator)
    if numerator.op is not ops.MUL or denominator.op is not ops.MUL:
        return None
    y, again = denominator.operands
    if y is not again:
        return None
    y = grown(build, y, value.shape)
    for g, x in (numerator.operands, reversed(numerator.operands)):
        quotient = build.known(ops.DIV, x, y)
        if quotient is not None:
            return build.make(ops.MUL, build.make(ops.DIV, g, y), quotient)
    return None


def _sum_of_stretched(build: Builder, value: Value) -> Value | None:
    """The sum over an axis that was stretched is a factor."""
    (x,) = value.operands
    axis = 1 if value.op is ops.ROW_SUM else 0
    if x.op is not ops.BROADCAST or x.operands[0].shape[axis] != 1:
        return None
    count = float(static(x.shape)[axis])
    return grown(build, build.make(ops.MUL_SCALAR, x.operands[0], value=count), value.shape)


def _factor_out_of_sum(build: Builder, value: Value) -> Value | None:
    """A factor that is the same along the axis can wait for the sum."""
    (x,) = value.operands
    axis = 1 if value.op is ops.ROW_SUM else 0
    if x.op in (ops.MUL_SCALAR, ops.DIV_SCALAR):
        total = build.make(value.op, x.operands[0])
        return build.make(x.op, total, value=x.attributes["value"])
    if x.op is ops.NEG:
        return build.make(ops.NEG, build.make(value.op, x.operands[0]))
    if x.op not in (ops.MUL, ops.DIV):
        return None
    left, right = x.operands
    pairs = ((left, right), (right, left)) if x.op is ops.MUL else ((left, right),)
    for other, factor in pairs:
        inner = core(factor)
        if inner.shape[axis] == 1 and x.shape[axis] != 1:
            total = build.make(value.op, other)
            return build.make(x.op, total, grown(build, inner, total.shape))
    return None


def _number_out_of_product(build: Builder, value: Value) -> Value | None:
    """(x * k) @ y is (x @ y) * k, where that has fewer entries to scale."""
    scaling = (ops.MUL_SCALAR, ops.DIV_SCALAR, ops.NEG)
    for position, operand in enumerate(value.operands):
        if operand.op in scaling and element_count(value.shape) <= element_count(operand.shape):
            operands = list(value.operands)
            operands[position] = operand.operands[0]
            return build.make(operand.op, build.make(ops.MATMUL, *operands), **operand.attributes)
    return None


def _number_out_of_pair(build: Builder, value: Value) -> Value | None:
    """(x * k) * y is (x * y) * k, unless x * k is needed anyway."""
    for position, operand in enumerate(value.operands):
        if operand.op is ops.MUL_SCALAR and build.uses[operand] <= 1:
            operands = list(value.operands)
            operands[position] = operand.operands[0]
            product = build.make(value.op, *operands)
            k: float = operand.attributes["value"]
            if value.op is ops.DIV and position == 1:
                if k == 0.0:
                    return None
                k = 1.0 / k
            return build.make(ops.MUL_SCALAR, product, value=k)
    return None


REGROUPING: Rules = {
    ops.ADD: (
        Rewriting("x + x as 2 x", _same_term_again),
        Rewriting("a number added last", _number_added_last, local=False),
    ),
    ops.MUL_SCALAR: (
        Rewriting("numbers merged", _numbers_merged),
        Rewriting("a number onto the smaller factor", _number_onto_smaller),
    ),
    ops.DIV_SCALAR: (Rewriting("numbers merged", _divided_numbers_merged),),
    ops.DIV: (
        Rewriting("a quotient reused", _reused_quotient, local=False),
        Rewriting("a number moved outwards", _number_out_of_pair, local=False),
    ),
    ops.MUL: (Rewriting("a number moved outwards", _number_out_of_pair, local=False),),
    ops.ROW_SUM: (
        Rewriting("the sum of a stretched value as a factor", _sum_of_stretched),
        Rewriting("a factor out of a sum", _factor_out_of_sum),
    ),
    ops.COL_SUM: (
        Rewriting("the sum of a stretched value as a factor", _sum_of_stretched),
        Rewriting("a factor out of a sum", _factor_out_of_sum),
    ),
    ops.MATMUL: (Rewriting("a number out of a product", _number_out_of_product),),
}
