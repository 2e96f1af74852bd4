"""What each operation gives in plain Python: floats, math.exp, and sums in ascending order.

It is written from the definitions and shares nothing with the back end, so that native code can
be held to it bit by bit.
"""

from __future__ import annotations

import itertools
import math
from array import array
from typing import TYPE_CHECKING

from mgc import ops
from mgc.ir import Apply, Call, Function, Module, Print, Value
from mgc.memref_text import Printed

if TYPE_CHECKING:
    from collections.abc import Callable

    from mgc.ops import Op

Elements = list[float]
Shape = tuple[int, ...]


def divide(x: float, y: float) -> float:
    if y != 0.0:
        return x / y
    if x == 0.0 or math.isnan(x) or math.isnan(y):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def log(x: float) -> float:
    if x == 0.0:
        return -math.inf
    return math.nan if x < 0.0 else math.log(x)


def sqrt(x: float) -> float:
    return math.nan if x < 0.0 else math.sqrt(x)


def relu(x: float) -> float:
    return x if x > 0.0 or math.isnan(x) else 0.0


def total(elements: Elements) -> float:
    result = 0.0
    for element in elements:
        result += element
    return result


def largest(elements: Elements) -> float:
    result = elements[0]
    for element in elements[1:]:
        if element > result or math.isnan(element):
            result = element
    return result


ELEMENTWISE: dict[Op, Callable[..., float]] = {
    ops.ADD: lambda x, y: x + y,
    ops.SUB: lambda x, y: x - y,
    ops.MUL: lambda x, y: x * y,
    ops.DIV: divide,
    ops.GE: lambda x, y: 1.0 if x >= y else 0.0,
    ops.NEG: lambda x: -x,
    ops.EXP: exp,
    ops.LOG: log,
    ops.SQRT: sqrt,
    ops.RELU: relu,
    ops.ADD_SCALAR: lambda x, k: x + k,
    ops.SCALAR_ADD: lambda x, k: k + x,
    ops.SUB_SCALAR: lambda x, k: x - k,
    ops.SCALAR_SUB: lambda x, k: k - x,
    ops.MUL_SCALAR: lambda x, k: x * k,
    ops.SCALAR_MUL: lambda x, k: k * x,
    ops.DIV_SCALAR: divide,
    ops.SCALAR_DIV: lambda x, k: divide(k, x),
}
FOLDS: dict[Op, tuple[int, Callable[[Elements], float]]] = {
    ops.ROW_SUM: (1, total),
    ops.ROW_MAX: (1, largest),
    ops.COL_SUM: (0, total),
    ops.COL_MAX: (0, largest),
}


def evaluate(apply: Apply, operands: list[Elements]) -> Elements:
    """Return the elements of the result, in row-major order as those of the operands are."""
    if apply.op is ops.CONSTANT:
        return list(apply.attributes["literal"].elements)
    if apply.op is ops.RESHAPE:
        return operands[0]
    shape = static(apply.operands[0])
    if apply.op is ops.MATMUL:
        return matmul(operands[0], operands[1], shape[1])
    if apply.op in FOLDS:
        return folded(apply.op, operands[0], shape[1])
    if apply.op in ELEMENTWISE:
        numbers = [[number] * len(operands[0]) for number in apply.attributes.values()]
        return [ELEMENTWISE[apply.op](*each) for each in zip(*operands, *numbers, strict=True)]
    return moved(apply, operands[0])


def matmul(x: Elements, y: Elements, inner: int) -> Elements:
    columns = len(y) // inner
    return [
        total([x[row + k] * y[k * columns + j] for k in range(inner)])
        for row in range(0, len(x), inner)
        for j in range(columns)
    ]


def folded(op: Op, x: Elements, columns: int) -> Elements:
    axis, fold = FOLDS[op]
    if axis == 0:
        return [fold(x[j::columns]) for j in range(columns)]
    return [fold(x[row : row + columns]) for row in range(0, len(x), columns)]


def moved(apply: Apply, x: Elements) -> Elements:
    """Read, for each index of the result, the element that it comes from."""
    shape = static(apply.operands[0])
    steps = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    if apply.op is ops.TRANSPOSE:
        steps.reverse()
    elif apply.op is ops.PERMUTE:
        steps = [steps[axis] for axis in apply.attributes["permutation"]]
    else:
        assert apply.op is ops.BROADCAST
        steps = [0 if size == 1 else step for size, step in zip(shape, steps, strict=True)]
    indices = itertools.product(*map(range, static(apply.result)))
    return [x[sum(i * step for i, step in zip(index, steps, strict=True))] for index in indices]


def static(value: Value) -> Shape:
    return tuple(size for size in value.shape if size is not None)


def run(module: Module) -> list[Printed]:
    """Return what the program prints."""
    printed: list[Printed] = []
    run_function(module, module.main, [], printed)
    return printed


def run_function(
    module: Module, function: Function, arguments: list[Elements], printed: list[Printed]
) -> dict[Value, Elements]:
    known = dict(zip(function.parameters, arguments, strict=True))
    for statement in function.body:
        match statement:
            case Apply():
                operands = [known[operand] for operand in statement.operands]
                known[statement.result] = evaluate(statement, operands)
            case Call():
                callee = module.functions[statement.callee]
                operands = [known[operand] for operand in statement.operands]
                inside = run_function(module, callee, operands, printed)
                assert callee.result is not None
                known[statement.result] = inside[callee.result]
            case Print():
                elements = array("d", known[statement.operand])
                printed.append(Printed(static(statement.operand), elements))
            case _:
                raise AssertionError(statement)
    return known
