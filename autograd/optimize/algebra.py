"""Algebra that keeps every bit: what IEEE arithmetic lets one commute and cancel."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from autograd.optimize.graph import Rewriting
from mgc import ops
from mgc.literals import Literal
from mgc.shapes import Shape, element_count, stretched

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograd.expression import Value
    from autograd.optimize.graph import Builder, Rules
    from mgc.ops import Op

    Rewrite = Callable[[Builder, Value], Value | None]

_WITH_NUMBER: dict[Op, tuple[Op | None, Op | None]] = {
    # the operation on a matrix and a number: with the number on the right, and on the left
    ops.ADD: (ops.ADD_SCALAR, ops.SCALAR_ADD),
    ops.SUB: (ops.SUB_SCALAR, ops.SCALAR_SUB),
    ops.MUL: (ops.MUL_SCALAR, ops.SCALAR_MUL),
    ops.DIV: (ops.DIV_SCALAR, ops.SCALAR_DIV),
}

_MEANING: dict[Op, Callable[[float, float], float]] = {
    ops.MUL_SCALAR: lambda x, s: x * s,
    ops.DIV_SCALAR: lambda x, s: x / s,
    ops.NEG: lambda x, _: -x,
}


def number(value: Value) -> float | None:
    """Return the number that every entry of a value is, if it is a stretched 1x1 literal."""
    if value.op is ops.BROADCAST:
        value = value.operands[0]
    if value.op is not ops.CONSTANT:
        return None
    literal: Literal = value.attributes["literal"]
    return literal.elements[0] if len(literal.elements) == 1 else None


def _uniform(value: Value) -> float | None:
    """Return the number that every entry of a literal is, of whatever shape."""
    if value.op is not ops.CONSTANT:
        return None
    literal: Literal = value.attributes["literal"]
    elements, bits = literal.elements, literal.bits
    same = elements and bits == bits[: len(bits) // len(elements)] * len(elements)
    return elements[0] if same else None


def grown(build: Builder, value: Value, shape: Shape) -> Value:
    """Return a value stretched to a shape, itself if it has that shape."""
    return value if value.shape == shape else build.make(ops.BROADCAST, value, shape=shape)


def core(value: Value) -> Value:
    """Return what is stretched, if the value is."""
    return value.operands[0] if value.op is ops.BROADCAST else value


# ---- every bit kept


def _stretch_of_nothing(build: Builder, value: Value) -> Value | None:
    (x,) = value.operands
    if x.shape == value.shape:
        return x
    return grown(build, x.operands[0], value.shape) if x.op is ops.BROADCAST else None


def _ones_times(_build: Builder, value: Value) -> Value | None:
    x, y = value.operands
    for one, other in ((x, y), (y, x)):
        if _uniform(core(one)) == 1.0:
            return other
    return None


def _uniform_literal(build: Builder, value: Value) -> Value | None:
    """A literal whose entries are all one number is that number, stretched."""
    element = _uniform(value)
    if element is None or value.shape == (1, 1):
        return None
    one = build.make(ops.CONSTANT, literal=Literal((1, 1), (element,)))
    return grown(build, one, value.shape)


def _number_operand(build: Builder, value: Value) -> Value | None:
    """An operand that is one number makes it an operation on a matrix and a number."""
    x, y = value.operands
    right, left = _WITH_NUMBER[value.op]
    for operand, k, op in ((x, number(y), right), (y, number(x), left)):
        if k is not None and op is not None and operand.shape == value.shape:
            return build.make(op, operand, value=k)
    return None


def _folded(build: Builder, value: Value) -> Value | None:
    """An operation on a matrix and a number, of a number."""
    k = number(value.operands[0])
    if k is None:
        return None
    if value.attributes.get("value") == 0.0 and value.op is ops.DIV_SCALAR:
        return None
    result = _MEANING[value.op](k, value.attributes.get("value", 0.0))
    if not isfinite(result):
        return None
    one = build.make(ops.CONSTANT, literal=Literal((1, 1), (result,)))
    return grown(build, one, value.shape)


def _stretch_last(build: Builder, value: Value) -> Value | None:
    """Operate before stretching: there are fewer entries."""
    if ops.BROADCAST not in [operand.op for operand in value.operands]:
        return None
    cores = [core(operand) for operand in value.operands]
    shape: Shape | None = cores[0].shape
    if len(cores) > 1:
        shape = stretched(cores[0].shape, cores[1].shape)
    if shape is None or shape == value.shape:
        return None
    operands = [grown(build, each, shape) for each in cores]
    return grown(build, build.make(value.op, *operands, **value.attributes), value.shape)


def _twice(op: Op) -> Rewrite:
    def rewrite(_build: Builder, value: Value) -> Value | None:
        (x,) = value.operands
        return x.operands[0] if x.op is op else None

    return rewrite


def _times_one(_build: Builder, value: Value) -> Value | None:
    return value.operands[0] if value.attributes["value"] == 1.0 else None


def _number_last(build: Builder, value: Value) -> Value | None:
    """A number that is added or multiplied stands last."""
    op = ops.MUL_SCALAR if value.op is ops.SCALAR_MUL else ops.ADD_SCALAR
    return build.make(op, value.operands[0], value=value.attributes["value"])


def _minus_a_negation(build: Builder, value: Value) -> Value | None:
    x, y = value.operands
    if value.op is ops.ADD and y.op is ops.NEG:
        return build.make(ops.SUB, x, y.operands[0])
    if value.op is ops.ADD and x.op is ops.NEG:
        return build.make(ops.SUB, y, x.operands[0])
    if value.op is ops.SUB and y.op is ops.NEG:
        return build.make(ops.ADD, x, y.operands[0])
    return None


def _negation_outwards(build: Builder, value: Value) -> Value | None:
    """(-x) * y is -(x * y): further out it may meet another sign."""
    signs = [operand.op for operand in value.operands].count(ops.NEG)
    if not signs:
        return None
    x, y = (operand.operands[0] if operand.op is ops.NEG else operand for operand in value.operands)
    positive = build.make(value.op, x, y)
    return positive if signs > 1 else build.make(ops.NEG, positive)


def _negative_number(build: Builder, value: Value) -> Value | None:
    (x,) = value.operands
    if x.op is ops.MUL_SCALAR:
        return build.make(ops.MUL_SCALAR, x.operands[0], value=-x.attributes["value"])
    return None


def _number_outwards(build: Builder, value: Value) -> Value | None:
    """Moving entries about and scaling them commute; further out the number may meet another."""
    (x,) = value.operands
    if x.op not in (ops.MUL_SCALAR, ops.DIV_SCALAR, ops.NEG):
        return None
    moved = build.make(value.op, x.operands[0], **value.attributes)
    return build.make(x.op, moved, **x.attributes)


def _moved(build: Builder, value: Value) -> int:
    """Return how many entries a transposition that nothing else uses moves; 0 for other values."""
    if value.op is not ops.TRANSPOSE or build.uses[value] > 1:
        return 0
    return element_count(value.shape)


def _to_move(value: Value) -> int:
    """Return how many entries are moved to transpose a value, which undoes a transposition."""
    return 0 if value.op is ops.TRANSPOSE else element_count(value.shape)


def _transposed_product(build: Builder, value: Value) -> Value | None:
    """(x @ y)' is y' @ x', entry by entry the same sum; it may move fewer entries."""
    (product,) = value.operands
    if product.op is not ops.MATMUL or build.uses[product] > 1:
        return None
    x, y = product.operands
    now = element_count(value.shape) + _moved(build, x) + _moved(build, y)
    if _to_move(x) + _to_move(y) >= now:
        return None
    left, right = build.make(ops.TRANSPOSE, y), build.make(ops.TRANSPOSE, x)
    return build.make(ops.MATMUL, left, right)


def _product_transposed(build: Builder, value: Value) -> Value | None:
    """X' @ y is (y' @ x)', entry by entry the same sum; it may move fewer entries."""
    x, y = value.operands
    now = _moved(build, x) + _moved(build, y)
    if element_count(value.shape) + _to_move(x) + _to_move(y) >= now:
        return None
    left, right = build.make(ops.TRANSPOSE, y), build.make(ops.TRANSPOSE, x)
    return build.make(ops.TRANSPOSE, build.make(ops.MATMUL, left, right))


EXACT: Rules = {
    ops.CONSTANT: (Rewriting("a literal of one number", _uniform_literal),),
    ops.BROADCAST: (Rewriting("stretching of stretching", _stretch_of_nothing),),
    ops.ADD: (
        Rewriting("addition of a negation", _minus_a_negation),
        Rewriting("stretching last", _stretch_last),
        Rewriting("a number as a number", _number_operand),
    ),
    ops.SUB: (
        Rewriting("subtraction of a negation", _minus_a_negation),
        Rewriting("stretching last", _stretch_last),
        Rewriting("a number as a number", _number_operand),
    ),
    ops.MUL: (
        Rewriting("multiplication by ones", _ones_times),
        Rewriting("stretching last", _stretch_last),
        Rewriting("a number as a number", _number_operand),
        Rewriting("negation moved outwards", _negation_outwards),
    ),
    ops.DIV: (
        Rewriting("stretching last", _stretch_last),
        Rewriting("a number as a number", _number_operand),
        Rewriting("negation moved outwards", _negation_outwards),
    ),
    ops.NEG: (
        Rewriting("double negation", _twice(ops.NEG)),
        Rewriting("a number folded", _folded),
        Rewriting("stretching last", _stretch_last),
        Rewriting("negative number", _negative_number),
    ),
    ops.MUL_SCALAR: (
        Rewriting("multiplication by 1", _times_one),
        Rewriting("a number folded", _folded),
        Rewriting("stretching last", _stretch_last),
    ),
    ops.SCALAR_MUL: (Rewriting("a number last", _number_last),),
    ops.SCALAR_ADD: (Rewriting("a number last", _number_last),),
    ops.DIV_SCALAR: (
        Rewriting("division by 1", _times_one),
        Rewriting("a number folded", _folded),
        Rewriting("stretching last", _stretch_last),
    ),
    ops.RESHAPE: (Rewriting("a number moved outwards", _number_outwards),),
    **{
        op: (Rewriting("stretching last", _stretch_last),)
        for op in (ops.EXP, ops.LOG, ops.SQRT, ops.RELU, ops.ADD_SCALAR, ops.SUB_SCALAR)
    },
    ops.MATMUL: (Rewriting("transpose of a product", _product_transposed, local=False),),
    ops.TRANSPOSE: (
        Rewriting("double transpose", _twice(ops.TRANSPOSE)),
        Rewriting("a number moved outwards", _number_outwards),
        Rewriting("transpose of a product", _transposed_product, local=False),
    ),
}
