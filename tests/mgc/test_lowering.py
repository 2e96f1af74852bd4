"""The LLVM text: which kernels there are, where values lie, and how calls are grouped."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing

import llvmlite.binding as llvm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mgc import ops
from mgc.ir import Function, Module, Value
from mgc.literals import Literal
from mgc.lower.arena import ALIGNMENT, OUT, Arena, Constants, Place, plan
from mgc.lower.blocks import block_size, pieces
from mgc.lower.kernels import LOWERINGS, Kernel, Placement, kernels_text
from mgc.lower.routines import Lowered, lower
from mgc.ops import OPS, Op
from tests.mgc.static_modules import Body

LANES = 4


def lowered(body: Body, *functions: Function) -> Lowered:
    return lower(body.program(*functions).module)


def sample(op: Op, size: int) -> Kernel:
    """A kernel of the op for a few thousand elements or more."""
    if op is ops.MATMUL:
        return Kernel(op, (size, size, size))
    if op in (ops.ROW_SUM, ops.ROW_MAX, ops.COL_SUM, ops.COL_MAX):
        return Kernel(op, (size, size))
    if op in (ops.TRANSPOSE, ops.PERMUTE):
        return Kernel(op, (size, 8, size, size * 8))
    if op is ops.BROADCAST:
        return Kernel(op, (size, 8, size, 0))
    return Kernel(op, (size * size,))


COMPUTED = [op for op in OPS if not isinstance(LOWERINGS[op], Placement)]


# ---- the table


def test_every_operation_has_a_row_in_the_order_of_the_operations() -> None:
    assert [*LOWERINGS] == [*OPS]


def test_only_data_and_reshapes_run_no_code() -> None:
    placed = {op: row for op, row in LOWERINGS.items() if isinstance(row, Placement)}
    assert placed == {ops.CONSTANT: Placement.DATA, ops.RESHAPE: Placement.ALIAS}


# ---- kernels


@pytest.mark.parametrize("lanes", [2, 4])
@pytest.mark.parametrize("size", [1, 3, 9, 29, 1001])
def test_llvm_accepts_every_kernel(size: int, lanes: int) -> None:
    text = kernels_text([sample(op, size) for op in COMPUTED], lanes)
    with (
        closing(llvm.create_context()) as context,
        closing(llvm.parse_assembly(text, context)) as module,
    ):
        module.verify()


@pytest.mark.parametrize("op", COMPUTED, ids=repr)
def test_code_does_not_grow_with_the_elements(op: Op) -> None:
    large, huge = (len(kernels_text([sample(op, size)], LANES)) for size in (1001, 100_001))
    assert huge < large + 200
    assert huge < 16_000


def test_no_instruction_may_change_the_bits() -> None:
    text = kernels_text([sample(op, 29) for op in COMPUTED], LANES)
    assert re.findall(r"\b(fast|nnan|ninf|nsz|arcp|contract|afn|reassoc|fmuladd|fma)\b", text) == []


def test_the_functions_of_libm_are_called_for_one_number() -> None:
    text = kernels_text([sample(op, 29) for op in COMPUTED], LANES)
    assert set(re.findall(r"call (.*?) @(exp|log|llvm\.exp|llvm\.log)", text)) == {
        ("double", "exp"),
        ("double", "log"),
    }


def test_elementwise_kernels_are_shared_by_all_shapes_of_a_size() -> None:
    body = Body()
    for shape in [(3, 4), (2, 6), (12, 1)]:
        x = body.constant(shape, range(12))
        body.apply(ops.ADD, x, x)
        body.apply(ops.MUL_SCALAR, x, value=0.5 + shape[0])
    assert lowered(body).kernels == [Kernel(ops.ADD, (12,)), Kernel(ops.MUL_SCALAR, (12,))]


def test_kernels_differ_by_shape_where_the_shape_matters() -> None:
    body = Body()
    for shape in [(3, 4), (4, 3), (2, 6), (3, 4)]:
        body.apply(ops.ROW_SUM, body.constant(shape, range(12)))
    assert [kernel.sizes for kernel in lowered(body).kernels] == [(3, 4), (4, 3), (2, 6)]


def test_axes_that_move_together_are_one() -> None:
    body = Body()
    body.apply(ops.PERMUTE, body.constant((2, 3, 5, 7), range(210)), permutation=(2, 3, 0, 1))
    body.apply(ops.BROADCAST, body.constant((1, 1), [1.0]), shape=(6, 7))
    assert [kernel.sizes for kernel in lowered(body).kernels] == [(35, 8, 6, 280), (42, 0)]


def test_symbols_tell_kernels_apart() -> None:
    kernels = {sample(op, size) for op in COMPUTED for size in (1, 2, 11, 12, 112)}
    assert len({kernel.symbol for kernel in kernels}) == len(kernels)


@given(count=st.integers(1, 40), lanes=st.sampled_from([2, 4]))
def test_pieces_cover_every_element_once(count: int, lanes: int) -> None:
    covered = [offset + i for offset, width in pieces(count, lanes) for i in range(width)]
    assert covered == list(range(count))
    assert {width for _, width in pieces(count, lanes)} <= {1, 2, 4}


@given(rows=st.integers(1, 300), columns=st.integers(1, 300), lanes=st.sampled_from([2, 4]))
def test_blocks_fit_the_matrix_and_the_registers(rows: int, columns: int, lanes: int) -> None:
    height, width = block_size(rows, columns, lanes)
    assert 1 <= height <= rows
    assert 1 <= width <= columns
    assert height * len(pieces(width, lanes)) <= 14


# ---- memory


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 5)), max_size=60))
def test_buffers_in_use_never_overlap(requests: list[tuple[int, int]]) -> None:
    """Each request takes a buffer and then gives the one back that it names, if it is in use."""
    arena = Arena()
    in_use: dict[int, int] = {}
    for lines, given_back in requests:
        count = lines * ALIGNMENT
        start = arena.take(count)
        assert start + count <= arena.size
        assert all(start + count <= other or end <= start for other, end in in_use.items())
        in_use[start] = start + count
        if given_back < len(in_use):
            other = list(in_use)[given_back]
            arena.give(other, in_use.pop(other) - other)


def test_neighbouring_holes_become_one() -> None:
    arena = Arena()
    starts = [arena.take(64) for _ in range(4)]
    for start in (starts[0], starts[2], starts[1]):
        arena.give(start, 64)
    assert arena.take(192) == 0
    assert arena.size == 256


def test_a_chain_needs_two_buffers() -> None:
    body = Body()
    value = body.constant((4, 4), range(16))
    for _ in range(100):
        value = body.apply(ops.NEG, value)
    assert lowered(body).arena_bytes == 2 * 16 * 8


def test_a_reshape_keeps_the_buffer_of_its_operand_in_use() -> None:
    body = Body()
    value = body.apply(ops.NEG, body.constant((2, 8), range(16)))
    reshaped = body.apply(ops.RESHAPE, value, shape=(4, 4))
    other = body.apply(ops.NEG, body.constant((2, 8), range(16)))
    body.print(reshaped)
    places = plan(body.program().module.main, Constants()).places
    assert places[reshaped] == places[value]
    assert places[other] != places[value]


def test_a_result_is_computed_where_the_caller_wants_it() -> None:
    body = Body((2, 8))
    value = body.apply(ops.NEG, body.parameters[0])
    result = body.apply(ops.RESHAPE, value, shape=(4, 4))
    frame = plan(body.function("f", result), Constants())
    assert frame.places[value] == frame.places[result] == Place(OUT, 0)
    assert frame.size == 0


def test_the_frame_of_a_callee_lies_behind_that_of_its_caller() -> None:
    inside = Body((2, 8))
    twice = inside.apply(ops.NEG, inside.apply(ops.NEG, inside.parameters[0]))
    callee = inside.function("f", twice)
    outside = Body((2, 8))
    (x,) = outside.parameters
    caller = outside.function("g", outside.apply(ops.ADD, outside.call(callee, x), x))
    body = Body()
    body.print(body.call(caller, body.constant((2, 8), range(16))))
    matrix = 2 * 8 * 8
    assert lowered(body, callee, caller).arena_bytes == 3 * matrix


def test_equal_bits_are_one_constant() -> None:
    constants = Constants()
    first = constants.offset(Literal((1, 2), (0.0, 1.0)))
    assert constants.offset(Literal((2, 1), (0.0, 1.0))) == first
    negative = constants.offset(Literal((1, 2), (-0.0, 1.0)))
    assert negative != first
    assert len(constants.blob()) == 2 * ALIGNMENT
    assert constants.blob()[negative : negative + 8] == bytes(7) + b"\x80"


# ---- routines


def test_no_function_makes_more_calls_than_llvm_can_take() -> None:
    body = Body()
    value = body.constant((1, 1), [1.0])
    for _ in range(256 * 256 + 1):
        value = body.apply(ops.NEG, value)
    main = lowered(body).main
    calls = [text.count("call void") for text in main.split("\ndefine")]
    assert max(calls) == 256
    assert main.count("call void @mg_neg_1(") == 256 * 256 + 1


def test_names_that_llvm_cannot_spell_stay_apart() -> None:
    names = ["norm<2x4,1x4>", "norm<2x4_1x4>", "norm 2x4 1x4 ", "é"]
    functions: list[Function] = []
    for name in names:
        inside = Body((2, 2))
        functions.append(inside.function(name, inside.apply(ops.NEG, inside.parameters[0])))
    body = Body()
    x = body.constant((2, 2), range(4))
    for function in functions:
        body.print(body.call(function, x))
    main = lowered(body, *functions).main
    defined = Counter(re.findall(r"define internal void @(\w+)\(", main))
    assert len(defined) == len(names)
    assert set(defined.values()) == {1}


def test_code_grows_linearly_in_a_chain_of_defs_that_call_twice() -> None:
    sizes: list[int] = []
    for depth in (10, 20, 30):
        functions = chain(depth)
        body = Body()
        body.print(body.call(functions[-1], body.constant((1, 1), [1.0])))
        sizes.append(len(lowered(body, *functions).main))
    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0], rel=0.01)


def chain(depth: int) -> list[Function]:
    """Defs of which each adds two calls of the one before."""
    inside = Body((1, 1))
    functions = [inside.function("f10", inside.apply(ops.NEG, inside.parameters[0]))]
    for level in range(11, 10 + depth):
        inside = Body((1, 1))
        calls: list[Value] = [inside.call(functions[-1], inside.parameters[0]) for _ in range(2)]
        functions.append(inside.function(f"f{level}", inside.apply(ops.ADD, *calls)))
    return functions


def test_a_module_without_statements_is_lowered() -> None:
    nothing = lower(Module({}, Function("main", (), (), None)))
    assert nothing.kernels == []
    assert nothing.outputs == []
    assert nothing.arena_bytes == nothing.output_bytes == 0
