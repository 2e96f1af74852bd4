"""What operations mean for many operands at once, a little way along the imaginary axis.

A number x + ih, with h so small that h*h vanishes beside x*x, carries through a computation the
derivative along its change: the imaginary part of the result, divided by h, is exact to rounding.
What is differentiable in the complex sense needs nothing but NumPy. What compares decides by the
real parts, as the program did. Where these tie, a `Convention` decides.

An operand may be a stack of matrices, one behind the other along a first axis of its own: each is
computed with as it would be alone, to the last bit.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from mgc import ops

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mgc.meanings import Array
    from mgc.ops import Op
    from mgc.shapes import StaticShape

    Complex = NDArray[np.complex128]
    Stack = NDArray[Any]
    """Real or complex matrices, one behind the other along the first axis."""

STEP = 1e-30
"""Its square is far below the last bit of anything; a step has no truncation error to trade for."""


class Convention(Enum):
    """What happens at a kink.

    `ALONG` takes the branch that the change leads into, which makes the derivative the one-sided
    slope; `SHARED` is what docs/conventions.md says: tied maxima share equally, relu at 0 has 1.
    """

    ALONG = "along the change"
    SHARED = "by convention"


def _relu(x: Complex, convention: Convention) -> Complex:
    kept = (x.real > 0.0) | np.isnan(x.real)
    at_zero = x.real == 0.0
    kept |= at_zero & (x.imag > 0.0) if convention is Convention.ALONG else at_zero
    return np.where(kept, x, 0.0)


def _ge(x: Complex, y: Complex, _convention: Convention) -> Array:
    return (x.real >= y.real).astype(np.float64)


def _maximum(axis: int) -> Callable[[Complex, Convention], Complex]:
    def evaluate(x: Complex, convention: Convention) -> Complex:
        largest = x.real.max(axis=axis, keepdims=True)
        tied = x.real == largest
        if convention is Convention.ALONG:
            change = np.where(tied, x.imag, -np.inf).max(axis=axis, keepdims=True)
        else:
            count = tied.sum(axis=axis, keepdims=True)
            change = np.where(tied, x.imag, 0.0).sum(axis=axis, keepdims=True) / count
        return largest + 1j * change

    return evaluate


def _matmul(x: Complex, y: Complex, _convention: Convention) -> Complex:
    """Return the product in products of real matrices, several times as fast.

    Left out are the products of two imaginary parts, of the order of STEP squared.
    """
    product = (x.real @ y.real).astype(np.complex128)
    if np.iscomplexobj(x):
        product.imag += x.imag @ y.real
    if np.iscomplexobj(y):
        product.imag += x.real @ y.imag
    return product


COMPLEX_MEANINGS: dict[Op, Callable[..., Complex | Array]] = {
    ops.RELU: _relu,
    ops.GE: _ge,
    ops.MATMUL: _matmul,
    ops.ROW_MAX: _maximum(-1),
    ops.COL_MAX: _maximum(-2),
}
"""By operation: a function of the operands and the convention."""


def _stacked(x: Stack, shape: StaticShape) -> StaticShape:
    """Return the shape of a stack of so many matrices of this shape."""
    return (len(x), *shape)


STACKED_MEANINGS: dict[Op, Callable[..., Stack]] = {
    ops.TRANSPOSE: lambda x: x.swapaxes(-1, -2),
    ops.BROADCAST: lambda x, shape: np.broadcast_to(x, _stacked(x, shape)).copy(),
    ops.RESHAPE: lambda x, shape: x.reshape(_stacked(x, shape)),
    ops.PERMUTE: lambda x, permutation: x.transpose(0, *(axis + 1 for axis in permutation)),
    ops.ROW_SUM: lambda x: x.sum(axis=-1, keepdims=True),
    ops.COL_SUM: lambda x: x.sum(axis=-2, keepdims=True),
    ops.ROW_MAX: lambda x: x.max(axis=-1, keepdims=True),
    ops.COL_MAX: lambda x: x.max(axis=-2, keepdims=True),
}
"""By operation: its meaning for a stack, where that of a matrix would take the axes for others."""


def _ties(axis: int) -> Callable[[Array], bool]:
    def kinked(x: Array) -> bool:
        return bool(np.any((x == x.max(axis=axis, keepdims=True)).sum(axis=axis) > 1))

    return kinked


AT_KINKS: dict[Op, Callable[[Array], bool]] = {
    ops.RELU: lambda x: bool(np.any(x == 0.0)),
    ops.ROW_MAX: _ties(1),
    ops.COL_MAX: _ties(0),
}
"""By operation: whether an operand lies where the operation has a kink."""
