"""Native code: at every level, the same bits as plain Python has."""

from __future__ import annotations

import math
import random
from array import array
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mgc import jit, ops
from mgc.ir import Apply
from mgc.jit import run_native
from mgc.lower import kernels, machine_code
from mgc.lower.arena import Place
from mgc.lower.kernels import LOWERINGS, Placement, kernel_of
from mgc.lower.step_loop import packed
from mgc.ops import OPS, Op
from mgc.shapes import element_count
from tests.mgc import plain_python
from tests.mgc.compiled_main import run_compiled
from tests.mgc.static_modules import Body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mgc.ir import Value
    from mgc.lower.machine_code import Level
    from mgc.memref_text import Printed
    from mgc.shapes import StaticShape
    from mgc.specialize import StaticProgram

LEVELS: list[Level] = [0, 1, 2, 3]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 5e-324, 1e308, math.inf, -math.inf, math.nan, 710.0]
SHAPES = [(1, 1), (1, 5), (7, 1), (2, 2), (3, 9), (4, 8), (5, 16), (6, 33), (13, 6), (17, 41)]
"""Fewer than a vector or a block, as many, and some left over."""


COMPUTED = [op for op in OPS if not isinstance(LOWERINGS[op], Placement)]
GUARD = 16
"""Elements around a buffer, half of them on each side."""


def bits(printed: Iterable[Printed]) -> list[tuple[StaticShape, list[str]]]:
    """The shape and every bit of each value, but no bits of NaN: arithmetic does not fix them."""
    return [(each.shape, [element.hex() for element in each.elements]) for each in printed]


def numbers(count: int, *, special: bool = False) -> list[float]:
    source = random.Random(count)  # noqa: S311 - the same numbers every time
    some = [source.uniform(-3.0, 3.0) for _ in range(count)]
    if special:
        some = [source.choice([*SPECIAL, number]) for number in some]
    return some


def applied(body: Body, op: Op, shape: StaticShape, *, special: bool) -> Value:
    """Apply the op to constants, the first of this shape."""
    rows, columns = shape
    shapes = [shape for _ in op.operands]
    attributes: dict[str, Any] = {}
    if op is ops.MATMUL:
        shapes[1] = (columns, rows + 4)
    elif op is ops.PERMUTE:
        shapes, attributes = [(rows, 3, 2, columns)], {"permutation": (2, 0, 3, 1)}
    elif op is ops.RESHAPE:
        attributes = {"shape": (columns, rows)}
    elif op is ops.BROADCAST:
        attributes = {"shape": tuple(5 if size == 1 else size for size in shape)}
    elif kernels.number_names(op):
        attributes = {"value": -0.7}
    operands = [
        body.constant(each, numbers(math.prod(each) + i, special=special)[i:])
        for i, each in enumerate(shapes)
    ]
    return body.apply(op, *operands, **attributes)


def every_op() -> StaticProgram:
    """A program of every operation, in shapes that leave something over."""
    body = Body()
    for op in OPS[1:]:
        for special in (False, True):
            body.print(applied(body, op, (7, 11), special=special))
    return body.program()


# ---- every bit


@pytest.mark.parametrize("op", OPS[1:], ids=repr)
def test_an_operation_has_the_bits_of_plain_python(op: Op) -> None:
    body = Body()
    for shape in SHAPES:
        for special in (False, True):
            body.print(applied(body, op, shape, special=special))
    program = body.program()
    expected = bits(plain_python.run(program.module))
    assert bits(run_native(program, 0)) == expected
    assert bits(run_native(program, 2)) == expected


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_the_same_bits(level: Level) -> None:
    program = every_op()
    assert bits(run_native(program, level)) == bits(plain_python.run(program.module))


@pytest.mark.parametrize("level", LEVELS)
def test_portable_code_has_the_same_bits(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes into executables, run in this process to see more than six digits."""
    monkeypatch.setattr(jit, "_addresses", defaultdict(dict))
    monkeypatch.setattr(jit, "host_machine", machine_code.portable_machine)
    monkeypatch.setattr(jit, "host_lanes", lambda: machine_code.PORTABLE_LANES)
    program = every_op()
    assert bits(run_native(program, level)) == bits(plain_python.run(program.module))


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 6, 7, 12, 13])
def test_products_of_any_shape_have_the_bits_of_plain_python(rows: int) -> None:
    body = Body()
    for inner in (1, 2, 31):
        for columns in (1, 2, 3, 4, 7, 8, 11, 16, 17, 26):
            x = body.constant((rows, inner), numbers(rows * inner))
            y = body.constant((inner, columns), numbers(inner * columns))
            body.print(body.apply(ops.MATMUL, x, y))
    program = body.program()
    assert bits(run_native(program, 0)) == bits(plain_python.run(program.module))


def test_a_value_can_be_both_operands() -> None:
    body = Body()
    x = body.constant((9, 9), numbers(81))
    for op in (ops.MUL, ops.DIV, ops.GE, ops.MATMUL):
        body.print(body.apply(op, x, x))
    program = body.program()
    assert bits(run_native(program, 2)) == bits(plain_python.run(program.module))


@pytest.mark.parametrize("level", [0, 2])
def test_a_maximum_keeps_the_first_of_equals_and_any_nan(level: Level) -> None:
    rows = [[-0.0, 0.0], [0.0, -0.0], [math.nan, 1.0], [1.0, math.nan], [-math.inf, -1.0]]
    body = Body()
    x = body.constant((5, 2), [element for row in rows for element in row])
    body.print(body.apply(ops.ROW_MAX, x))
    body.print(body.apply(ops.COL_MAX, body.apply(ops.TRANSPOSE, x)))
    expected = ["-0x0.0p+0", "0x0.0p+0", "nan", "nan", "-0x1.0000000000000p+0"]
    assert [elements for _, elements in bits(run_native(body.program(), level))] == [expected] * 2


def test_negation_flips_the_sign_of_nan_too() -> None:
    body = Body()
    body.print(body.apply(ops.NEG, body.constant((1, 4), [math.nan, -math.nan, 0.0, -0.0])))
    (printed,) = run_native(body.program(), 0)
    assert [math.copysign(1.0, element) for element in printed.elements] == [-1.0, 1.0, -1.0, 1.0]


@st.composite
def drawn_programs(draw: st.DrawFn) -> StaticProgram:
    """Twenty operations on each other's results, in main and in a def."""
    inside = Body((3, 3), (3, 3))
    result = grown(draw, inside, list(inside.parameters))
    callee = inside.function("f", result)
    body = Body()
    values = [body.constant((3, 3), numbers(9 + i)[i:]) for i in range(2)]
    values.append(body.call(callee, *values))
    values.append(grown(draw, body, values))
    for value in values:
        body.print(body.call(callee, value, values[-1]))
    return body.program(callee)


def grown(draw: st.DrawFn, body: Body, values: list[Value]) -> Value:
    """Append operations that keep the shape 3x3; return one of the values."""
    values = list(values)
    unary = [ops.NEG, ops.EXP, ops.RELU, ops.TRANSPOSE, ops.SQRT]
    binary = [ops.ADD, ops.SUB, ops.MUL, ops.GE, ops.MATMUL]
    for op in draw(st.lists(st.sampled_from([*unary, *binary]), min_size=1, max_size=10)):
        values.append(body.apply(op, *[draw(st.sampled_from(values)) for _ in op.operands]))
        if draw(st.booleans()):
            flat = body.apply(ops.RESHAPE, values[-1], shape=(9,))
            values.append(body.apply(ops.RESHAPE, flat, shape=(3, 3)))
    return draw(st.sampled_from(values))


@settings(max_examples=60)
@given(program=drawn_programs(), level=st.sampled_from([0, 2]))
def test_values_do_not_overwrite_each_other(program: StaticProgram, level: Level) -> None:
    expected = bits(plain_python.run(program.module))
    assert bits(run_native(program, level)) == expected
    assert bits(run_compiled(program, level)) == expected


@pytest.mark.parametrize("op", COMPUTED, ids=repr)
def test_a_kernel_writes_its_result_and_nothing_else(op: Op) -> None:
    body = Body()
    for shape in SHAPES:
        applied(body, op, shape, special=False)
    for statement in body.statements:
        if not isinstance(statement, Apply) or statement.op is not op:
            continue
        kernel = kernel_of(statement)
        assert kernel is not None
        jit._compile_kernels([kernel], 2)
        counts = [element_count(value.shape) for value in (*statement.operands, statement.result)]
        buffers = [array("d", [1.5] * (count + GUARD)) for count in counts]
        pointers = [buffer.buffer_info()[0] + GUARD // 2 * 8 for buffer in buffers]
        values = [statement.attributes[name] for name in kernels.number_names(op)]
        *operands, out = [Place(base, 0) for base in range(len(pointers))]
        step = packed(jit._addresses[2][kernel], operands, out, values)
        bases = array("Q", pointers)
        jit._step_loop()(step, len(step), bases.buffer_info()[0])
        around = [buffers[-1][: GUARD // 2], buffers[-1][-GUARD // 2 :]]
        assert [list(guard) for guard in around] == [[1.5] * (GUARD // 2)] * 2
