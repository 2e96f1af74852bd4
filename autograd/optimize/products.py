"""Products of three matrices, in the order that multiplies less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograd.optimize.graph import Builder, Rewriting
from mgc import ops
from mgc.shapes import static

if TYPE_CHECKING:
    from autograd.expression import Value
    from autograd.optimize.graph import Rules


def multiplications(rows: int, inner: int, columns: int) -> int:
    """Return how many multiplications a product of these sizes takes."""
    return rows * inner * columns


def _reordered(build: Builder, value: Value) -> Value | None:
    """(x @ y) @ z against x @ (y @ z), where nothing else uses the inner product."""
    left, right = value.operands
    if left.op is ops.MATMUL and build.uses[left] == 1:
        x, y, z = *left.operands, right
    elif right.op is ops.MATMUL and build.uses[right] == 1:
        x, y, z = left, *right.operands
    else:
        return None
    (a, b), (c, d) = static(x.shape), static(z.shape)
    first = multiplications(a, b, c) + multiplications(a, c, d)
    last = multiplications(b, c, d) + multiplications(a, b, d)
    if left.op is ops.MATMUL and last < first:
        return build.make(ops.MATMUL, x, build.make(ops.MATMUL, y, z))
    if right.op is ops.MATMUL and first < last:
        return build.make(ops.MATMUL, build.make(ops.MATMUL, x, y), z)
    return None


PRODUCTS: Rules = {
    ops.MATMUL: (Rewriting("a product of three reordered", _reordered, local=False),)
}
