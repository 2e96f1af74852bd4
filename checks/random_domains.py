"""Which numbers a random program may meet.

`ANYTHING` draws any f64, with infinities and NaN on the way. `SMOOTH` keeps every value of
moderate size and away from where a derivative is infinite or jumps; `DIFFERENTIABLE` also leaves
out what autograd refuses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from mgc import ops
from mgc.shapes import MATRIX_RANK

if TYPE_CHECKING:
    from collections.abc import Callable

    from mgc.meanings import Array
    from mgc.ops import Attributes, Op


@dataclass(frozen=True)
class Domain:
    """The numbers a program may meet: the literals, and what every operation must satisfy.

    `allows` takes the operation, its operands (stretched), its attributes and its result;
    `open_sizes` says whether a def may leave sizes open.
    """

    elements: st.SearchStrategy[float]
    positive: st.SearchStrategy[float]
    allows: Callable[[Op, list[Array], Attributes, Array], bool]
    open_sizes: bool = True


MARGIN = 0.05
"""From a pole, a kink or a jump: far more than a finite difference steps."""


def _apart(x: Array, axis: int) -> bool:
    ordered = np.sort(x, axis=axis)
    return bool(np.all(np.diff(ordered, axis=axis) > MARGIN))


SMOOTH_WHERE: dict[Op, Callable[..., bool]] = {
    ops.DIV: lambda _x, y: bool(np.all(np.abs(y) > MARGIN)),
    ops.GE: lambda x, y: bool(np.all(np.abs(x - y) > MARGIN)),
    ops.LOG: lambda x: bool(np.all(x > MARGIN)),
    ops.SQRT: lambda x: bool(np.all(x > MARGIN)),
    ops.RELU: lambda x: bool(np.all(np.abs(x) > MARGIN)),
    ops.DIV_SCALAR: lambda _x, value: abs(value) > MARGIN,
    ops.SCALAR_DIV: lambda x, value: bool(np.all(np.abs(x) > MARGIN)) and value != 0.0,
    ops.ROW_MAX: lambda x: _apart(x, 1),
    ops.COL_MAX: lambda x: _apart(x, 0),
}
LIMIT = 100.0


def _smooth(op: Op, operands: list[Array], attributes: Attributes, result: Array) -> bool:
    if not np.all(np.isfinite(result)) or np.max(np.abs(result)) > LIMIT:
        return False
    where = SMOOTH_WHERE.get(op)
    return where is None or where(*operands, **attributes)


def _always(_op: Op, _operands: list[Array], _attributes: Attributes, _result: Array) -> bool:
    return True


finite = st.floats(allow_nan=False, allow_infinity=False)
eighths = st.integers(-24, 24).map(lambda n: n / 8)
ANYTHING = Domain(st.one_of(eighths, st.sampled_from([0.0, -0.0, 1.0]), finite), finite, _always)
SMOOTH = Domain(eighths, st.integers(1, 24).map(lambda n: n / 8), _smooth)


def _differentiable(op: Op, operands: list[Array], attributes: Attributes, result: Array) -> bool:
    is_matrix = op is not ops.PERMUTE and result.ndim == MATRIX_RANK
    return is_matrix and _smooth(op, operands, attributes, result)


DIFFERENTIABLE = replace(SMOOTH, allows=_differentiable, open_sizes=False)
