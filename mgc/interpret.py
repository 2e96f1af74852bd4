"""The meaning of the IR, by NumPy: each operation's own `evaluate`, one at a time.

It is slow, and its sums may differ from native code in the last bits (NumPy orders them for
speed). Tests and checks compare with it; nothing that a user runs goes through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mgc.diagnostics import RunTimeMismatch
from mgc.ir import Apply, Call, Cast, Function, Module, Print, Value
from mgc.shapes import ShapeError, same, shape_text
from mgc.specialize import resolved_attributes

if TYPE_CHECKING:
    from mgc.meanings import Array
    from mgc.shapes import Shape


def interpret(module: Module) -> list[Array]:
    """Return what the program prints; RunTimeMismatch where shapes do not fit as it runs."""
    printed: list[Array] = []
    with np.errstate(all="ignore"):
        try:
            _run(module, module.main, (), printed)
        except ShapeError as error:
            raise RunTimeMismatch(str(error), printed) from None
    return printed


def _run(
    module: Module, function: Function, arguments: tuple[Array, ...], printed: list[Array]
) -> Array | None:
    arrays: dict[Value, Array] = dict(zip(function.parameters, arguments, strict=True))
    for statement in function.body:
        match statement:
            case Apply():
                arrays[statement.result] = _applied(statement, arrays)
            case Call():
                operands = tuple(arrays[operand] for operand in statement.operands)
                result = _run(module, module.functions[statement.callee], operands, printed)
                assert result is not None
                arrays[statement.result] = result
            case Cast():
                array = arrays[statement.operand]
                _check(array, statement.result.shape)
                arrays[statement.result] = array
            case Print():
                printed.append(arrays[statement.operand])
    return None if function.result is None else arrays[function.result]


def _applied(apply: Apply, arrays: dict[Value, Array]) -> Array:
    operands = [arrays[operand] for operand in apply.operands]
    attributes = apply.attributes
    if operands:
        attributes = resolved_attributes(apply, operands[0].shape)
    apply.op.shape(*[operand.shape for operand in operands], **attributes)
    result = apply.op.evaluate(*operands, **attributes)
    _check(result, apply.result.shape)
    return result


def _check(array: Array, wanted: Shape) -> None:
    if same(array.shape, wanted) is None:
        msg = f"a {shape_text(array.shape)} matrix came where {shape_text(wanted)} is wanted"
        raise ShapeError(msg)
