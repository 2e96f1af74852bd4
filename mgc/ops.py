"""The operations of Mountain Goat, one row each: what an operation *is*.

A row holds the name, the operands, the attributes, the shape rule, the meaning in NumPy, how
source spells it and how the IR spells it. What is *done* with an operation (its derivative, its
native code, its cost) is a row in that concern's own table, keyed by the row here and in the
order of `OPS`. The interpreter, constant folding and the shape checker have no tables: they call
`evaluate` and `shape`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

from mgc import meanings, shape_rules

if TYPE_CHECKING:
    from mgc.meanings import Array
    from mgc.shapes import Shape


class Kind(Enum):
    """How the IR spells an attribute."""

    F64 = "f64"
    INTEGERS = "array<i64>"
    RESULT_SHAPE = "the result type"
    DENSE = "dense<...>"


Attributes = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mnemonic:
    """How the IR spells an operation: `mg.NAME`, and the attributes in braces.

    `attributes` holds them in the order of the text, each with its spelling where the row fixes
    it and None where it varies. Rows may share a name if what they fix tells them apart.
    """

    name: str
    attributes: tuple[tuple[str, str | None], ...] = ()
    arrow: str = "->"


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """One operation.

    `shape` takes the operands' shapes and the attributes by name, returns the result's shape and
    raises ShapeError. `evaluate` takes arrays of those shapes and returns the result in f64.
    `source` is the Mountain Goat expression with operand and attribute names in braces; it is
    empty for an operation that source does not write out. `callable` says that a program writes
    `NAME(operand, ...)`, with one matrix for each operand and nothing else.
    """

    name: str
    operands: tuple[str, ...]
    shape: Callable[..., Shape]
    evaluate: Callable[..., Array]
    doc: str
    source: str
    attributes: Mapping[str, Kind] = field(default_factory=dict[str, Kind])
    spelling: Mnemonic | None = None
    callable: bool = False

    @property
    def mnemonic(self) -> Mnemonic:
        """How the IR spells it: by its own name where the row does not say otherwise."""
        return self.spelling or _own_name(self.name)

    def __repr__(self) -> str:
        """Return the name: it identifies the row."""
        return self.name


# ---- how rows of a kind are spelled in the IR


@cache
def _own_name(name: str) -> Mnemonic:
    return Mnemonic(name)


def _scalar(op: str, *, reversed_: bool) -> Mnemonic:
    fixed = ("op", f'"{op}"'), ("value", None), ("reversed", str(reversed_).lower())
    return Mnemonic("scalar", fixed)


def _reduction(axis: int, kind: str) -> Mnemonic:
    return Mnemonic("reduce", (("axis", f"{axis} : i64"), ("kind", f'"{kind}"')))


_VALUE = {"value": Kind.F64}


# ---- the rows

CONSTANT = Op(
    "constant", (), shape_rules.of_literal, meanings.constant,
    "A matrix literal.", "{literal}", {"literal": Kind.DENSE},
)  # fmt: skip

ADD = Op(
    "add", ("x", "y"), shape_rules.pairwise, meanings.add,
    "x + y, elementwise.", "({x} + {y})",
)  # fmt: skip
SUB = Op(
    "sub", ("x", "y"), shape_rules.pairwise, meanings.sub,
    "x - y, elementwise.", "({x} - {y})",
)  # fmt: skip
MUL = Op(
    "mul", ("x", "y"), shape_rules.pairwise, meanings.mul,
    "x * y, elementwise.", "({x} * {y})",
)  # fmt: skip
DIV = Op(
    "div", ("x", "y"), shape_rules.pairwise, meanings.div,
    "x / y, elementwise.", "({x} / {y})",
)  # fmt: skip
GE = Op(
    "ge", ("x", "y"), shape_rules.pairwise, meanings.ge,
    "1.0 where x >= y, else 0.0 (also where either is NaN).", "ge({x}, {y})",
)  # fmt: skip
MATMUL = Op(
    "matmul", ("x", "y"), shape_rules.matmul, meanings.matmul,
    "The matrix product.", "({x} @ {y})",
)  # fmt: skip

NEG = Op(
    "neg", ("x",), shape_rules.elementwise, meanings.neg,
    "-x, elementwise.", "(-{x})",
)  # fmt: skip
EXP = Op(
    "exp", ("x",), shape_rules.elementwise, meanings.exp,
    "e to the x, elementwise.", "exp({x})", callable=True,
)  # fmt: skip
LOG = Op(
    "log", ("x",), shape_rules.elementwise, meanings.log,
    "The natural logarithm, elementwise.", "log({x})", callable=True,
)  # fmt: skip
SQRT = Op(
    "sqrt", ("x",), shape_rules.elementwise, meanings.sqrt,
    "The square root, elementwise.", "sqrt({x})", callable=True,
)  # fmt: skip
RELU = Op(
    "relu", ("x",), shape_rules.elementwise, meanings.relu,
    "x where x > 0 (or NaN), else 0.0.", "relu({x})", callable=True,
)  # fmt: skip

ADD_SCALAR = Op(
    "add_scalar", ("x",), shape_rules.elementwise, meanings.add_scalar,
    "x + k, for a number k known while compiling.", "({x} + {value})",
    _VALUE, _scalar("add", reversed_=False),
)  # fmt: skip
SCALAR_ADD = Op(
    "scalar_add", ("x",), shape_rules.elementwise, meanings.scalar_add,
    "k + x, for a number k known while compiling.", "({value} + {x})",
    _VALUE, _scalar("add", reversed_=True),
)  # fmt: skip
SUB_SCALAR = Op(
    "sub_scalar", ("x",), shape_rules.elementwise, meanings.sub_scalar,
    "x - k, for a number k known while compiling.", "({x} - {value})",
    _VALUE, _scalar("sub", reversed_=False),
)  # fmt: skip
SCALAR_SUB = Op(
    "scalar_sub", ("x",), shape_rules.elementwise, meanings.scalar_sub,
    "k - x, for a number k known while compiling.", "({value} - {x})",
    _VALUE, _scalar("sub", reversed_=True),
)  # fmt: skip
MUL_SCALAR = Op(
    "mul_scalar", ("x",), shape_rules.elementwise, meanings.mul_scalar,
    "x * k, for a number k known while compiling.", "({x} * {value})",
    _VALUE, _scalar("mul", reversed_=False),
)  # fmt: skip
SCALAR_MUL = Op(
    "scalar_mul", ("x",), shape_rules.elementwise, meanings.scalar_mul,
    "k * x, for a number k known while compiling.", "({value} * {x})",
    _VALUE, _scalar("mul", reversed_=True),
)  # fmt: skip
DIV_SCALAR = Op(
    "div_scalar", ("x",), shape_rules.elementwise, meanings.div_scalar,
    "x / k, for a number k known while compiling.", "({x} / {value})",
    _VALUE, _scalar("div", reversed_=False),
)  # fmt: skip
SCALAR_DIV = Op(
    "scalar_div", ("x",), shape_rules.elementwise, meanings.scalar_div,
    "k / x, for a number k known while compiling.", "({value} / {x})",
    _VALUE, _scalar("div", reversed_=True),
)  # fmt: skip

TRANSPOSE = Op(
    "transpose", ("x",), shape_rules.transposed, meanings.transpose,
    "Rows and columns swapped.", "transpose({x})",
    spelling=Mnemonic("transpose", arrow="to"), callable=True,
)  # fmt: skip
BROADCAST = Op(
    "broadcast", ("x",), shape_rules.broadcast, meanings.broadcast,
    "x repeated along its sizes of 1 until it has the wanted shape.", "",
    {"shape": Kind.RESULT_SHAPE},
)  # fmt: skip
RESHAPE = Op(
    "reshape", ("x",), shape_rules.reshaped, meanings.reshape,
    "The same elements in row-major order, in another shape.", "reshape({x}, {shape})",
    {"shape": Kind.RESULT_SHAPE},
)  # fmt: skip
PERMUTE = Op(
    "permute", ("x",), shape_rules.permuted, meanings.permute,
    "Result axis i is operand axis permutation[i].", "permute({x}, {permutation})",
    {"permutation": Kind.INTEGERS}, Mnemonic("permute", (("permutation", None),)),
)  # fmt: skip

ROW_SUM = Op(
    "row_sum", ("x",), shape_rules.per_row, meanings.row_sum,
    "The sum of each row, a column.", "row_sum({x})",
    spelling=_reduction(1, "sum"), callable=True,
)  # fmt: skip
ROW_MAX = Op(
    "row_max", ("x",), shape_rules.per_row, meanings.row_max,
    "The largest entry of each row, a column.", "row_max({x})",
    spelling=_reduction(1, "max"), callable=True,
)  # fmt: skip
COL_SUM = Op(
    "col_sum", ("x",), shape_rules.per_column, meanings.col_sum,
    "The sum of each column, a row.", "col_sum({x})",
    spelling=_reduction(0, "sum"), callable=True,
)  # fmt: skip
COL_MAX = Op(
    "col_max", ("x",), shape_rules.per_column, meanings.col_max,
    "The largest entry of each column, a row.", "col_max({x})",
    spelling=_reduction(0, "max"), callable=True,
)  # fmt: skip

OPS: tuple[Op, ...] = (
    CONSTANT,
    ADD, SUB, MUL, DIV, GE, MATMUL,
    NEG, EXP, LOG, SQRT, RELU,
    ADD_SCALAR, SCALAR_ADD, SUB_SCALAR, SCALAR_SUB,
    MUL_SCALAR, SCALAR_MUL, DIV_SCALAR, SCALAR_DIV,
    TRANSPOSE, BROADCAST, RESHAPE, PERMUTE,
    ROW_SUM, ROW_MAX, COL_SUM, COL_MAX,
)  # fmt: skip
