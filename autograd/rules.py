"""Every derivative: one reverse-mode rule for each operation, in the order of `mgc.ops.OPS`.

`rule_table` says what a rule's parameters mean. The rules hold mathematics only; accumulating,
naming and leaving out what nobody needs is the business of `reverse`.
"""

from __future__ import annotations

from autograd.expression import (
    Value,
    col_sum,
    ge,
    ones_like,
    reshape_like,
    row_sum,
    transpose,
    zero,
)
from autograd.rule_table import VJPS, Cotangents, Refused, Zero, declare, vjp
from mgc import ops

__all__ = ["VJPS"]

declare(VJPS, ops.CONSTANT, Zero("a literal has no operands"))


# ---- elementwise, two operands


@vjp(ops.ADD)
def d_add(ct: Value) -> Cotangents:
    """out = x + y."""
    return ct, ct


@vjp(ops.SUB)
def d_sub(ct: Value) -> Cotangents:
    """out = x - y."""
    return ct, -ct


@vjp(ops.MUL)
def d_mul(ct: Value, x: Value, y: Value) -> Cotangents:
    """out = x * y."""
    return ct * y, ct * x


@vjp(ops.DIV)
def d_div(ct: Value, x: Value, y: Value) -> Cotangents:
    """out = x / y."""
    return ct / y, -(ct * x) / (y * y)


declare(VJPS, ops.GE, Zero("a comparison is flat"))


# ---- the matrix product


@vjp(ops.MATMUL)
def d_matmul(ct: Value, x: Value, y: Value) -> Cotangents:
    """out = x @ y."""
    return ct @ transpose(y), transpose(x) @ ct


# ---- elementwise, one operand


@vjp(ops.NEG)
def d_neg(ct: Value) -> Cotangents:
    """out = -x."""
    return -ct


@vjp(ops.EXP)
def d_exp(ct: Value, out: Value) -> Cotangents:
    """out = exp(x)."""
    return ct * out


@vjp(ops.LOG)
def d_log(ct: Value, x: Value) -> Cotangents:
    """out = log(x)."""
    return ct / x


@vjp(ops.SQRT)
def d_sqrt(ct: Value, out: Value) -> Cotangents:
    """out = sqrt(x)."""
    return ct / (out * 2.0)


@vjp(ops.RELU)
def d_relu(ct: Value, x: Value) -> Cotangents:
    """out = x where x > 0, else 0; at exactly 0 the derivative is taken as 1."""
    return ct * ge(x, zero())


# ---- a matrix and a number


@vjp(ops.ADD_SCALAR)
def d_add_scalar(ct: Value) -> Cotangents:
    """out = x + value."""
    return ct


@vjp(ops.SCALAR_ADD)
def d_scalar_add(ct: Value) -> Cotangents:
    """out = value + x."""
    return ct


@vjp(ops.SUB_SCALAR)
def d_sub_scalar(ct: Value) -> Cotangents:
    """out = x - value."""
    return ct


@vjp(ops.SCALAR_SUB)
def d_scalar_sub(ct: Value) -> Cotangents:
    """out = value - x."""
    return -ct


@vjp(ops.MUL_SCALAR)
def d_mul_scalar(ct: Value, value: float) -> Cotangents:
    """out = x * value."""
    return ct * value


@vjp(ops.SCALAR_MUL)
def d_scalar_mul(ct: Value, value: float) -> Cotangents:
    """out = value * x."""
    return ct * value


@vjp(ops.DIV_SCALAR)
def d_div_scalar(ct: Value, value: float) -> Cotangents:
    """out = x / value."""
    return ct / value


@vjp(ops.SCALAR_DIV)
def d_scalar_div(ct: Value, x: Value, value: float) -> Cotangents:
    """out = value / x."""
    return -(ct * value) / (x * x)


# ---- moving elements


@vjp(ops.TRANSPOSE)
def d_transpose(ct: Value) -> Cotangents:
    """out = x with rows and columns swapped."""
    return transpose(ct)


@vjp(ops.BROADCAST)
def d_broadcast(ct: Value, x: Value) -> Cotangents:
    """out = x stretched: an entry of x receives the sum over the entries it was copied to."""
    over_rows = x.shape[0] != ct.shape[0]
    over_columns = x.shape[1] != ct.shape[1]
    summed = col_sum(ct) if over_rows else ct
    return row_sum(summed) if over_columns else summed


@vjp(ops.RESHAPE)
def d_reshape(ct: Value, x: Value) -> Cotangents:
    """out = the elements of x in another shape."""
    return reshape_like(ct, x)


declare(VJPS, ops.PERMUTE, Refused("permute reorders the axes of values of any rank"))


# ---- reductions


@vjp(ops.ROW_SUM)
def d_row_sum(ct: Value, x: Value) -> Cotangents:
    """out = the sum of each row: every entry of a row receives the row's adjoint."""
    return ones_like(x) * ct


@vjp(ops.ROW_MAX)
def d_row_max(ct: Value, x: Value, out: Value) -> Cotangents:
    """out = the maximum of each row: the entries that attain it share its adjoint equally."""
    mask = ge(x, out)
    return mask * (ct / row_sum(mask))


@vjp(ops.COL_SUM)
def d_col_sum(ct: Value, x: Value) -> Cotangents:
    """out = the sum of each column: every entry of a column receives the column's adjoint."""
    return ones_like(x) * ct


@vjp(ops.COL_MAX)
def d_col_max(ct: Value, x: Value, out: Value) -> Cotangents:
    """out = the maximum of each column: the entries that attain it share its adjoint equally."""
    mask = ge(x, out)
    return mask * (ct / col_sum(mask))
