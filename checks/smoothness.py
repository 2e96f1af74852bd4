"""Which programs have a derivative: where the slopes to either side of every entry agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.reference import reference, slopes

if TYPE_CHECKING:
    from checks.programs import Program

_AGREE = 1e-12
"""Of the largest slope: slopes that agree differ by rounding, those at a kink by a jump."""


def is_smooth(program: Program) -> bool:
    """Tell whether the loss is differentiable in each entry of each matrix.

    A maximum may be tied and the loss still smooth: softmax subtracts it and adds it back.
    """
    if not reference(program.source).has_kinks():
        return True
    for name in program.wrt:
        right = slopes(program.source, name, program.loss)
        left = slopes(program.source, name, program.loss, to=-1.0)
        if np.max(np.abs(right - left)) > _AGREE * np.max(np.abs(right)):
            return False
    return True
