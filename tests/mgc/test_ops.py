"""The rows of operations: each meaning by hand, each shape rule, each spelling."""

from __future__ import annotations

from math import e, inf, isnan, log, nan
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import Phase, given, settings

from checks.random_domains import ANYTHING, SMOOTH, Domain
from checks.random_programs import Program, programs
from mgc import ops
from mgc.compile import compile_source
from mgc.ir import Apply
from mgc.literals import Literal, source_matrix
from mgc.ops import OPS, Op
from mgc.shapes import Shape, ShapeError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from mgc.meanings import Array

Rows = list[list[float]]

X: Rows = [[1.0, -2.0, 4.0], [0.0, 8.0, -1.0]]
Y: Rows = [[2.0, 2.0, -4.0], [5.0, 0.0, -1.0]]

# Operands, attributes, result.
MEANINGS: dict[Op, tuple[list[Rows], dict[str, object], ArrayLike]] = {
    ops.CONSTANT: ([], {"literal": Literal((2, 2), (1.0, 2.0, 3.0, 4.0))}, [[1, 2], [3, 4]]),
    ops.ADD: ([X, Y], {}, [[3, 0, 0], [5, 8, -2]]),
    ops.SUB: ([X, Y], {}, [[-1, -4, 8], [-5, 8, 0]]),
    ops.MUL: ([X, Y], {}, [[2, -4, -16], [0, 0, 1]]),
    ops.DIV: ([X, Y], {}, [[0.5, -1, -1], [0, inf, 1]]),
    ops.GE: ([X, Y], {}, [[0, 0, 1], [0, 1, 1]]),
    ops.MATMUL: ([[[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 2], [3, 1]]], {}, [[10, 7], [22, 16]]),
    ops.NEG: ([X], {}, [[-1, 2, -4], [-0.0, -8, 1]]),
    ops.EXP: ([[[0, 1, -1]]], {}, [[1, e, 1 / e]]),
    ops.LOG: ([[[1, e, 2, 0]]], {}, [[0, 1, log(2), -inf]]),
    ops.SQRT: ([[[0, 4, 2.25]]], {}, [[0, 2, 1.5]]),
    ops.RELU: ([[[-1, -0.0, 0, 2, inf, -inf]]], {}, [[0, 0, 0, 2, inf, 0]]),
    ops.ADD_SCALAR: ([X], {"value": 0.5}, [[1.5, -1.5, 4.5], [0.5, 8.5, -0.5]]),
    ops.SCALAR_ADD: ([X], {"value": 0.5}, [[1.5, -1.5, 4.5], [0.5, 8.5, -0.5]]),
    ops.SUB_SCALAR: ([X], {"value": 2.0}, [[-1, -4, 2], [-2, 6, -3]]),
    ops.SCALAR_SUB: ([X], {"value": 2.0}, [[1, 4, -2], [2, -6, 3]]),
    ops.MUL_SCALAR: ([X], {"value": -3.0}, [[-3, 6, -12], [-0.0, -24, 3]]),
    ops.SCALAR_MUL: ([X], {"value": -3.0}, [[-3, 6, -12], [-0.0, -24, 3]]),
    ops.DIV_SCALAR: ([X], {"value": 2.0}, [[0.5, -1, 2], [0, 4, -0.5]]),
    ops.SCALAR_DIV: ([X], {"value": 2.0}, [[2, -1, 0.5], [inf, 0.25, -2]]),
    ops.TRANSPOSE: ([X], {}, [[1, 0], [-2, 8], [4, -1]]),
    ops.BROADCAST: ([[[1], [2]]], {"shape": (2, 3)}, [[1, 1, 1], [2, 2, 2]]),
    ops.RESHAPE: ([X], {"shape": (3, 1, 2)}, [[[1, -2]], [[4, 0]], [[8, -1]]]),
    ops.PERMUTE: ([X], {"permutation": (1, 0)}, [[1, 0], [-2, 8], [4, -1]]),
    ops.ROW_SUM: ([X], {}, [[3], [7]]),
    ops.ROW_MAX: ([X], {}, [[4], [8]]),
    ops.COL_SUM: ([X], {}, [[1, 6, 3]]),
    ops.COL_MAX: ([X], {}, [[1, 8, 4]]),
}


def evaluated(op: Op, operands: list[Rows], attributes: dict[str, object]) -> Array:
    with np.errstate(all="ignore"):
        return op.evaluate(*(np.array(rows, dtype=np.float64) for rows in operands), **attributes)


def test_every_operation_has_its_meaning_written_down() -> None:
    assert list(MEANINGS) == list(OPS)


@pytest.mark.parametrize("op", OPS, ids=repr)
def test_what_an_operation_computes(op: Op) -> None:
    operands, attributes, expected = MEANINGS[op]
    result = evaluated(op, operands, attributes)
    assert result.dtype == np.float64
    np.testing.assert_allclose(result, np.array(expected, dtype=np.float64), rtol=1e-15)
    assert (np.signbit(result) == np.signbit(expected)).all()


@pytest.mark.parametrize("op", OPS, ids=repr)
def test_the_shape_rule_agrees_with_the_meaning(op: Op) -> None:
    operands, attributes, expected = MEANINGS[op]
    shapes = [np.shape(rows) for rows in operands]
    assert op.shape(*shapes, **attributes) == np.shape(expected)


@pytest.mark.parametrize(
    ("op", "operands", "expected"),
    [
        (ops.RELU, [[[nan]]], nan),
        (ops.GE, [[[nan]], [[nan]]], 0.0),
        (ops.GE, [[[0.0]], [[nan]]], 0.0),
        (ops.GE, [[[-0.0]], [[0.0]]], 1.0),
        (ops.DIV, [[[0.0]], [[0.0]]], nan),
        (ops.DIV, [[[-1.0]], [[0.0]]], -inf),
        (ops.LOG, [[[-1.0]]], nan),
        (ops.SQRT, [[[-1.0]]], nan),
        (ops.EXP, [[[1000.0]]], inf),
        (ops.ROW_MAX, [[[1.0, nan, 2.0]]], nan),
        (ops.COL_MAX, [[[1.0], [nan]]], nan),
        (ops.ROW_MAX, [[[-inf, -2.0]]], -2.0),
    ],
    ids=repr,
)
def test_the_edges_of_a_meaning(op: Op, operands: list[Rows], expected: float) -> None:
    (result,) = evaluated(op, operands, {}).ravel()
    assert result == expected or (isnan(result) and isnan(expected))


def test_permute_names_the_axis_that_each_result_axis_comes_from() -> None:
    cube = np.arange(24.0).reshape(2, 3, 4)
    result = ops.PERMUTE.evaluate(cube, permutation=(2, 0, 1))
    assert result.shape == ops.PERMUTE.shape((2, 3, 4), permutation=(2, 0, 1)) == (4, 2, 3)
    assert result[3, 1, 2] == cube[1, 2, 3]


@pytest.mark.parametrize(
    ("op", "shapes", "attributes", "message"),
    [
        (ops.ADD, [(2, 3), (1, 3)], {}, "the shapes 2x3 and 1x3 differ"),
        (ops.ADD, [(2, None), (3, None)], {}, r"the shapes 2x\? and 3x\? differ"),
        (ops.MUL, [(6,), (6,)], {}, r"a matrix \(rank 2\) is wanted, not 6"),
        (ops.MATMUL, [(2, 3), (2, 3)], {},
         "2x3 @ 2x3 does not fit: 3 columns on the left, 2 rows on the right"),
        (ops.MATMUL, [(1, 1), (2, 3)], {}, "1x1 @ 2x3 does not fit"),
        (ops.NEG, [(1, 2, 3)], {}, r"a matrix \(rank 2\) is wanted, not 1x2x3"),
        (ops.ADD_SCALAR, [(6,)], {"value": 1.0}, r"a matrix \(rank 2\) is wanted, not 6"),
        (ops.TRANSPOSE, [(1, 2, 3)], {}, r"a matrix \(rank 2\) is wanted, not 1x2x3"),
        (ops.COL_SUM, [(6,)], {}, r"a matrix \(rank 2\) is wanted, not 6"),
        (ops.BROADCAST, [(2, 1)], {"shape": (3, 1)}, "2x1 does not stretch to 3x1"),
        (ops.BROADCAST, [(2, 1)], {"shape": (2, 1, 1)}, "2x1 does not stretch to 2x1x1"),
        (ops.RESHAPE, [(2, 3)], {"shape": (4,)}, "2x3 has 6 elements and cannot become 4, which"),
        (ops.RESHAPE, [(None, 3)], {"shape": (3,)}, r"a size is not known .*: \?x3"),
        (ops.PERMUTE, [(2, None)], {"permutation": (1, 0)}, r"a size is not known .*: 2x\?"),
        (ops.PERMUTE, [(2, 3)], {"permutation": (1, 1)}, r"\(1, 1\) does not name each of the 2"),
    ],
    ids=repr,
)  # fmt: skip
def test_shapes_that_an_operation_does_not_take(
    op: Op, shapes: list[Shape], attributes: dict[str, object], message: str
) -> None:
    with pytest.raises(ShapeError, match=message):
        op.shape(*shapes, **attributes)


@pytest.mark.parametrize("op", [op for op in OPS if op.source], ids=repr)
def test_the_source_of_an_operation_compiles_to_it(op: Op) -> None:
    operands, attributes, _ = MEANINGS[op]
    names = dict(zip(op.operands, ("a", "b"), strict=False))
    texts = {
        name: source_matrix(value)
        if isinstance(value, Literal)
        else str(value).strip("()").rstrip(",")
        for name, value in attributes.items()
    }
    lets = [
        f"let {name} = {[list(map(float, row)) for row in rows]}"
        for name, rows in zip(names.values(), operands, strict=True)
        if len(rows) > 0
    ]
    source = "\n".join([*lets, f"print {op.source.format(**names, **texts)}"])
    source = source.replace("inf", "1")
    *_, last, _ = compile_source(source, "a.mg").main.body
    assert isinstance(last, Apply)
    assert last.op is op
    assert last.attributes == attributes
    assert [operand.name for operand in last.operands] == ["t1", "t2"][: len(op.operands)]


def test_names_are_told_apart() -> None:
    names = [op.name for op in OPS]
    assert len(set(names)) == len(names)
    spellings = [(op.mnemonic.name, op.mnemonic.attributes) for op in OPS]
    assert len(set(spellings)) == len(spellings)


def uses(program: Program, op: Op) -> bool:
    if f"{op.name}(" in program.source:
        return True  # though a reshape or a permute that changes nothing is not in the IR
    module = compile_source(program.source, "a.mg")
    functions = [*module.functions.values(), module.main]
    statements = [statement for function in functions for statement in function.body]
    return any(isinstance(each, Apply) and each.op is op for each in statements)


@pytest.mark.parametrize("op", [op for op in OPS if op.source and op.operands], ids=repr)
@pytest.mark.parametrize("domain", [ANYTHING, SMOOTH], ids=["anything", "smooth"])
def test_every_operation_can_be_drawn(op: Op, domain: Domain) -> None:
    """Otherwise the properties of drawn programs would say nothing about it."""
    seen: list[bool] = []

    @settings(max_examples=5, database=None, phases=[Phase.generate])
    @given(programs(domain, using=op))
    def draw(program: Program) -> None:
        seen.append(uses(program, op))

    draw()
    assert any(seen)
