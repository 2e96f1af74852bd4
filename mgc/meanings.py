"""The meanings of the operations in NumPy: arrays and attributes in, a float64 array out.

NumPy is imported where a meaning needs it by name, so that compiling a program, which calls none
of them, does not load it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mgc.literals import Literal
    from mgc.shapes import StaticShape

    Array = NDArray[np.float64]


def constant(literal: Literal) -> Array:
    """Return the elements of the literal in its shape."""
    import numpy as np

    return np.array(literal.elements, dtype=np.float64).reshape(literal.shape)


def add(x: Array, y: Array) -> Array:
    """Return x + y."""
    return x + y


def sub(x: Array, y: Array) -> Array:
    """Return x - y."""
    return x - y


def mul(x: Array, y: Array) -> Array:
    """Return x * y."""
    return x * y


def div(x: Array, y: Array) -> Array:
    """Return x / y."""
    return x / y


def ge(x: Array, y: Array) -> Array:
    """Return 1.0 where x >= y, else 0.0."""
    return (x >= y).astype(x.dtype)


def matmul(x: Array, y: Array) -> Array:
    """Return the matrix product."""
    return x @ y


def neg(x: Array) -> Array:
    """Return -x."""
    return -x


def exp(x: Array) -> Array:
    """Return e to the x."""
    import numpy as np

    return np.exp(x)


def log(x: Array) -> Array:
    """Return the natural logarithm of x."""
    import numpy as np

    return np.log(x)


def sqrt(x: Array) -> Array:
    """Return the square root of x."""
    import numpy as np

    return np.sqrt(x)


def relu(x: Array) -> Array:
    """Return x where it is positive or NaN, else 0.0."""
    import numpy as np

    return np.where((x > 0.0) | np.isnan(x), x, 0.0)


def add_scalar(x: Array, value: float) -> Array:
    """Return x + value."""
    return x + value


def scalar_add(x: Array, value: float) -> Array:
    """Return value + x."""
    return value + x


def sub_scalar(x: Array, value: float) -> Array:
    """Return x - value."""
    return x - value


def scalar_sub(x: Array, value: float) -> Array:
    """Return value - x."""
    return value - x


def mul_scalar(x: Array, value: float) -> Array:
    """Return x * value."""
    return x * value


def scalar_mul(x: Array, value: float) -> Array:
    """Return value * x."""
    return value * x


def div_scalar(x: Array, value: float) -> Array:
    """Return x / value."""
    return x / value


def scalar_div(x: Array, value: float) -> Array:
    """Return value / x."""
    return value / x


def transpose(x: Array) -> Array:
    """Return x with rows and columns swapped."""
    return x.T


def broadcast(x: Array, shape: StaticShape) -> Array:
    """Return x repeated along its sizes of 1 until it has the shape."""
    import numpy as np

    return np.broadcast_to(x, shape).copy()


def reshape(x: Array, shape: StaticShape) -> Array:
    """Return the elements of x, row by row, in the shape."""
    return x.reshape(shape)


def permute(x: Array, permutation: tuple[int, ...]) -> Array:
    """Return the array whose axis i is axis permutation[i] of x."""
    return x.transpose(permutation)


def row_sum(x: Array) -> Array:
    """Return the sum of each row, a column."""
    return x.sum(axis=1, keepdims=True)


def row_max(x: Array) -> Array:
    """Return the largest entry of each row, a column."""
    return x.max(axis=1, keepdims=True)


def col_sum(x: Array) -> Array:
    """Return the sum of each column, a row."""
    return x.sum(axis=0, keepdims=True)


def col_max(x: Array) -> Array:
    """Return the largest entry of each column, a row."""
    return x.max(axis=0, keepdims=True)
