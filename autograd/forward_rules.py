"""Every derivative once more: one forward-mode rule for each operation, in the order of `OPS`.

`rule_table` says what a rule's parameters mean. The two tables are written independently of each
other, so that each checks the other: <J v, w> must be <v, J' w>.
"""

from __future__ import annotations

from autograd.expression import (
    Value,
    col_sum,
    ge,
    reshape_like,
    row_sum,
    stretch_like,
    transpose,
    zero,
)
from autograd.rule_table import JVPS, Contributions, Refused, Zero, declare, jvp
from mgc import ops

__all__ = ["JVPS"]

declare(JVPS, ops.CONSTANT, Zero("a literal has no operands"))


# ---- elementwise, two operands


@jvp(ops.ADD)
def t_add(tx: Value, ty: Value) -> Contributions:
    """out = x + y."""
    return tx, ty


@jvp(ops.SUB)
def t_sub(tx: Value, ty: Value) -> Contributions:
    """out = x - y."""
    return tx, -ty


@jvp(ops.MUL)
def t_mul(tx: Value, ty: Value, x: Value, y: Value) -> Contributions:
    """out = x * y."""
    return tx * y, x * ty


@jvp(ops.DIV)
def t_div(tx: Value, ty: Value, y: Value, out: Value) -> Contributions:
    """out = x / y."""
    return tx / y, -(out * ty) / y


declare(JVPS, ops.GE, Zero("a comparison is flat"))


# ---- the matrix product


@jvp(ops.MATMUL)
def t_matmul(tx: Value, ty: Value, x: Value, y: Value) -> Contributions:
    """out = x @ y."""
    return tx @ y, x @ ty


# ---- elementwise, one operand


@jvp(ops.NEG)
def t_neg(tx: Value) -> Contributions:
    """out = -x."""
    return -tx


@jvp(ops.EXP)
def t_exp(tx: Value, out: Value) -> Contributions:
    """out = exp(x)."""
    return tx * out


@jvp(ops.LOG)
def t_log(tx: Value, x: Value) -> Contributions:
    """out = log(x)."""
    return tx / x


@jvp(ops.SQRT)
def t_sqrt(tx: Value, out: Value) -> Contributions:
    """out = sqrt(x)."""
    return tx * 0.5 / out


@jvp(ops.RELU)
def t_relu(tx: Value, x: Value) -> Contributions:
    """out = x where x > 0, else 0; at exactly 0 the derivative is taken as 1."""
    return tx * ge(x, zero())


# ---- a matrix and a number


@jvp(ops.ADD_SCALAR)
def t_add_scalar(tx: Value) -> Contributions:
    """out = x + value."""
    return tx


@jvp(ops.SCALAR_ADD)
def t_scalar_add(tx: Value) -> Contributions:
    """out = value + x."""
    return tx


@jvp(ops.SUB_SCALAR)
def t_sub_scalar(tx: Value) -> Contributions:
    """out = x - value."""
    return tx


@jvp(ops.SCALAR_SUB)
def t_scalar_sub(tx: Value) -> Contributions:
    """out = value - x."""
    return -tx


@jvp(ops.MUL_SCALAR)
def t_mul_scalar(tx: Value, value: float) -> Contributions:
    """out = x * value."""
    return tx * value


@jvp(ops.SCALAR_MUL)
def t_scalar_mul(tx: Value, value: float) -> Contributions:
    """out = value * x."""
    return tx * value


@jvp(ops.DIV_SCALAR)
def t_div_scalar(tx: Value, value: float) -> Contributions:
    """out = x / value."""
    return tx / value


@jvp(ops.SCALAR_DIV)
def t_scalar_div(tx: Value, x: Value, out: Value) -> Contributions:
    """out = value / x."""
    return -(out * tx) / x


# ---- moving elements


@jvp(ops.TRANSPOSE)
def t_transpose(tx: Value) -> Contributions:
    """out = x with rows and columns swapped."""
    return transpose(tx)


@jvp(ops.BROADCAST)
def t_broadcast(tx: Value, out: Value) -> Contributions:
    """out = x stretched."""
    return stretch_like(tx, out)


@jvp(ops.RESHAPE)
def t_reshape(tx: Value, out: Value) -> Contributions:
    """out = the elements of x in another shape."""
    return reshape_like(tx, out)


declare(JVPS, ops.PERMUTE, Refused("permute reorders the axes of values of any rank"))


# ---- reductions


@jvp(ops.ROW_SUM)
def t_row_sum(tx: Value) -> Contributions:
    """out = the sum of each row."""
    return row_sum(tx)


@jvp(ops.ROW_MAX)
def t_row_max(tx: Value, x: Value, out: Value) -> Contributions:
    """out = the maximum of each row: the mean of the tangents of the entries that attain it."""
    mask = ge(x, out)
    return row_sum(mask * tx) / row_sum(mask)


@jvp(ops.COL_SUM)
def t_col_sum(tx: Value) -> Contributions:
    """out = the sum of each column."""
    return col_sum(tx)


@jvp(ops.COL_MAX)
def t_col_max(tx: Value, x: Value, out: Value) -> Contributions:
    """out = the maximum of each column: the mean of the tangents of the entries that attain it."""
    mask = ge(x, out)
    return col_sum(mask * tx) / col_sum(mask)
