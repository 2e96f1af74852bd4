"""The built-in functions: what each wants and which operations it becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mgc import ops
from mgc.diagnostics import Diagnostic
from mgc.shapes import ShapeError, element_count, shape_text, static

if TYPE_CHECKING:
    from mgc.build import FunctionBuilder
    from mgc.ir import Value
    from mgc.ops import Op
    from mgc.shapes import StaticShape
    from mgc.syntax import Invoke

Builtin = Callable[["FunctionBuilder", "Invoke", list["Value"]], "Value"]


def _applied(op: Op) -> Builtin:
    def elaborate(builder: FunctionBuilder, call: Invoke, arguments: list[Value]) -> Value:
        check_arity(call, len(op.operands))
        return builder.apply(op, tuple(arguments), call.span)

    return elaborate


def _ge(builder: FunctionBuilder, call: Invoke, arguments: list[Value]) -> Value:
    check_arity(call, 2)
    left, right = arguments
    return builder.stretch(ops.GE, left, right, call.span)


def _mean(sum_op: Op, axis: int) -> Builtin:
    def elaborate(builder: FunctionBuilder, call: Invoke, arguments: list[Value]) -> Value:
        check_arity(call, 1)
        total = builder.apply(sum_op, tuple(arguments), call.span)
        shape = arguments[0].shape
        size = shape[axis]
        if size is None:
            what = ("rows", "columns")[axis]
            msg = f"{call.name} divides by the number of {what}, unknown in {shape_text(shape)}"
            raise Diagnostic(msg, call.span)
        return builder.apply(ops.DIV_SCALAR, (total,), call.span, value=float(size))

    return elaborate


def _reshape(builder: FunctionBuilder, call: Invoke, arguments: list[Value]) -> Value:
    (sizes,) = _integers(call, 1, "a matrix and its new sizes, as in reshape(a, 2, 3)")
    if 0 in sizes:
        raise Diagnostic(f"reshape: a size of 0 in {shape_text(sizes)}", call.span)
    return _reshaped(builder, call, arguments[0], sizes)


def _permute(builder: FunctionBuilder, call: Invoke, arguments: list[Value]) -> Value:
    (axes,) = _integers(call, 1, "a matrix and the order of its axes, as in permute(a, 1, 0)")
    return _permuted(builder, call, arguments[0], axes)


def _contract(builder: FunctionBuilder, call: Invoke, arguments: list[Value]) -> Value:
    """Sum of products over paired axes: A as (free, paired) @ B as (paired, free)."""
    paired = _integers(call, 2, "two matrices, each with axes: contract(a, (1), b, (0))")
    left, right = arguments
    free = [_free_axes(call, value, axes) for value, axes in zip(arguments, paired, strict=True)]
    left_sizes, right_sizes = _static(call, left), _static(call, right)
    inner = _paired_sizes(call, left_sizes, paired[0], right_sizes, paired[1])
    free_sizes = [
        [left_sizes[axis] for axis in free[0]],
        [right_sizes[axis] for axis in free[1]],
    ]
    rows, columns = (element_count(tuple(sizes)) for sizes in free_sizes)
    left = _permuted(builder, call, left, (*free[0], *paired[0]))
    left = _reshaped(builder, call, left, (rows, inner))
    right = _permuted(builder, call, right, (*paired[1], *free[1]))
    right = _reshaped(builder, call, right, (inner, columns))
    product = builder.apply(ops.MATMUL, (left, right), call.span)
    shape = (*free_sizes[0], *free_sizes[1]) or (1, 1)
    return _reshaped(builder, call, product, shape)


BUILTINS: dict[str, Builtin] = {
    **{op.name: _applied(op) for op in ops.OPS if op.callable},
    "ge": _ge,
    "row_mean": _mean(ops.ROW_SUM, 1),
    "col_mean": _mean(ops.COL_SUM, 0),
    "reshape": _reshape,
    "permute": _permute,
    "contract": _contract,
}


def check_arity(call: Invoke, wanted: int) -> None:
    """Raise Diagnostic unless the call has this many matrix arguments."""
    if call.arity != wanted:
        matrices = "1 matrix" if wanted == 1 else f"{wanted} matrices"
        raise Diagnostic(f"{call.name} takes {matrices}, not {call.arity}", call.span)


def _integers(call: Invoke, matrices: int, usage: str) -> tuple[tuple[int, ...], ...]:
    if call.arity != matrices or len(call.integers) != matrices:
        raise Diagnostic(f"{call.name} takes {usage}", call.span)
    return call.integers


def _static(call: Invoke, value: Value) -> StaticShape:
    try:
        return static(value.shape)
    except ShapeError as error:
        raise Diagnostic(f"{call.name}: {error}", call.span) from None


def _reshaped(builder: FunctionBuilder, call: Invoke, value: Value, shape: StaticShape) -> Value:
    if _static(call, value) == shape:
        return value
    return builder.apply(ops.RESHAPE, (value,), call.span, shape=shape)


def _permuted(builder: FunctionBuilder, call: Invoke, value: Value, axes: tuple[int, ...]) -> Value:
    if axes == tuple(range(len(_static(call, value)))):
        return value
    return builder.apply(ops.PERMUTE, (value,), call.span, permutation=axes)


def _free_axes(call: Invoke, value: Value, paired: tuple[int, ...]) -> list[int]:
    rank = len(value.shape)
    axes = range(rank)
    if len(set(paired)) != len(paired) or not set(paired) <= set(axes):
        listed = ", ".join(map(str, paired))
        msg = f"contract: ({listed}) must name different axes of {shape_text(value.shape)}"
        raise Diagnostic(f"{msg}, which are 0 to {rank - 1}", call.span)
    return [axis for axis in axes if axis not in paired]


def _paired_sizes(
    call: Invoke,
    left: StaticShape,
    left_axes: tuple[int, ...],
    right: StaticShape,
    right_axes: tuple[int, ...],
) -> int:
    """Return the number of products in each sum: the paired axes must have equal sizes."""
    left_sizes = tuple(left[axis] for axis in left_axes)
    right_sizes = tuple(right[axis] for axis in right_axes)
    if left_sizes != right_sizes:
        msg = (
            f"contract: {shape_text(left)} and {shape_text(right)} are paired along axes of sizes "
        )
        sizes = f"({', '.join(map(str, left_sizes))}) and ({', '.join(map(str, right_sizes))})"
        raise Diagnostic(msg + sizes, call.span)
    return element_count(left_sizes)
