"""What the machine does for each operation, and the kernels that do it.

A kernel is the code of one operation for one set of sizes. Its parameters are the operands and
the result, as pointers to f64 in row-major order, and between them the number of a scalar op.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mgc import ops
from mgc.lower.blocks import vectors
from mgc.lower.folds import Fold, fold_columns, fold_rows
from mgc.lower.kernel_text import Arguments, KernelText
from mgc.lower.lanes import BYTES, Lanes, Pointer
from mgc.lower.matmul import matmul
from mgc.lower.rearrange import permuted, rearrange, stretched
from mgc.ops import Kind, Op
from mgc.shapes import element_count, static

if TYPE_CHECKING:
    from collections.abc import Callable

    from mgc.ir import Apply

Sizes = tuple[int, ...]
"""All that a kernel's code depends on besides its operation."""


class Placement(Enum):
    """An operation that no code is run for."""

    DATA = "the result is among the constants"
    ALIAS = "the result lies where the operand lies"


class Lowering(NamedTuple):
    """How the sizes of a kernel are found, and what writes its body."""

    sizes: Callable[[Apply], Sizes]
    write: Callable[[KernelText, Arguments, Sizes], None]


# ---- operations on each element


def _elementwise(expression: Callable[[list[Lanes]], Lanes]) -> Lowering:
    """Compute `expression` of the elements of the operands, and of the number if there is one."""

    def write(kernel: KernelText, arguments: Arguments, sizes: Sizes) -> None:
        def body(width: int, pointers: list[Pointer]) -> None:
            *operands, out = pointers
            elements = [operand.load(width) for operand in operands]
            out.store(expression(elements + arguments.numbers))

        vectors(kernel, sizes[0], [*arguments.operands, arguments.out], body)

    return Lowering(_count, write)


def _count(apply: Apply) -> Sizes:
    return (element_count(apply.result.shape),)


def _unary(expression: Callable[[Lanes], Lanes]) -> Lowering:
    return _elementwise(lambda operands: expression(operands[0]))


def _binary(expression: Callable[[Lanes, Lanes], Lanes]) -> Lowering:
    return _elementwise(lambda operands: expression(operands[0], operands[1]))


def _libm(function: str) -> Lowering:
    """Call a function of one number for each element."""

    def write(kernel: KernelText, arguments: Arguments, sizes: Sizes) -> None:
        (x,), out = arguments.operands, arguments.out

        def element(moved: list[Pointer]) -> None:
            x, out = moved
            out.store(x.load(1).call(function))

        kernel.blocks(sizes[0], 1, [(x, BYTES), (out, BYTES)], element)

    return Lowering(_count, write)


# ---- operations on rows and columns


def _fold(
    write: Callable[[KernelText, Arguments, Sizes, Fold], None],
    step: Callable[[Lanes, Lanes], Lanes],
    start: float | None = None,
) -> Lowering:
    fold = Fold(step, start)

    def write_fold(kernel: KernelText, arguments: Arguments, sizes: Sizes) -> None:
        write(kernel, arguments, sizes, fold)

    return Lowering(_operand_sizes, write_fold)


def _operand_sizes(apply: Apply) -> Sizes:
    return static(apply.operands[0].shape)


def _larger(most: Lanes, x: Lanes) -> Lanes:
    """Once NaN, always NaN: nothing compares as more than it."""
    return ((x > most) | x.is_nan()).choose(x, most)


# ---- operations that only move elements


def _transposition(apply: Apply) -> Sizes:
    return permuted(static(apply.operands[0].shape), (1, 0))


def _permutation(apply: Apply) -> Sizes:
    return permuted(static(apply.operands[0].shape), apply.attributes["permutation"])


def _stretch(apply: Apply) -> Sizes:
    return stretched(static(apply.operands[0].shape), static(apply.result.shape))


def _matmul_sizes(apply: Apply) -> Sizes:
    left, right = apply.operands
    return (*static(left.shape), static(right.shape)[1])


# ---- the rows

LOWERINGS: dict[Op, Lowering | Placement] = {
    ops.CONSTANT: Placement.DATA,
    ops.ADD: _binary(lambda x, y: x + y),
    ops.SUB: _binary(lambda x, y: x - y),
    ops.MUL: _binary(lambda x, y: x * y),
    ops.DIV: _binary(lambda x, y: x / y),
    ops.GE: _binary(lambda x, y: (x >= y).choose(1.0, 0.0)),
    ops.MATMUL: Lowering(_matmul_sizes, matmul),
    ops.NEG: _unary(lambda x: -x),
    ops.EXP: _libm("exp"),
    ops.LOG: _libm("log"),
    ops.SQRT: _unary(lambda x: x.sqrt()),
    ops.RELU: _unary(lambda x: x.above_or_nan(0.0).choose(x, 0.0)),
    ops.ADD_SCALAR: _binary(lambda x, value: x + value),
    ops.SCALAR_ADD: _binary(lambda x, value: value + x),
    ops.SUB_SCALAR: _binary(lambda x, value: x - value),
    ops.SCALAR_SUB: _binary(lambda x, value: value - x),
    ops.MUL_SCALAR: _binary(lambda x, value: x * value),
    ops.SCALAR_MUL: _binary(lambda x, value: value * x),
    ops.DIV_SCALAR: _binary(lambda x, value: x / value),
    ops.SCALAR_DIV: _binary(lambda x, value: value / x),
    ops.TRANSPOSE: Lowering(_transposition, rearrange),
    ops.BROADCAST: Lowering(_stretch, rearrange),
    ops.RESHAPE: Placement.ALIAS,
    ops.PERMUTE: Lowering(_permutation, rearrange),
    ops.ROW_SUM: _fold(fold_rows, lambda total, x: total + x, start=0.0),
    ops.ROW_MAX: _fold(fold_rows, _larger),
    ops.COL_SUM: _fold(fold_columns, lambda total, x: total + x, start=0.0),
    ops.COL_MAX: _fold(fold_columns, _larger),
}


class Kernel(NamedTuple):
    """The code of an operation for these sizes."""

    op: Op
    sizes: Sizes

    @property
    def symbol(self) -> str:
        """The name of its function."""
        return f"mg_{self.op.name}_{'x'.join(map(str, self.sizes))}"

    def declaration(self) -> str:
        """Return the LLVM declaration of its function."""
        kinds = [kind for kind, _ in _parameters(self.op)]
        return f"declare void @{self.symbol}({', '.join(kinds)})"


def kernel_of(apply: Apply) -> Kernel | None:
    """Return the kernel of a statement, or None if no code is run for its operation."""
    lowering = LOWERINGS[apply.op]
    return _kernel(apply.op, lowering.sizes(apply)) if isinstance(lowering, Lowering) else None


_kernel = lru_cache(maxsize=4096)(Kernel)
"""A kernel is found more quickly than it is made, and most programs have few."""


def _parameters(op: Op) -> list[tuple[str, str]]:
    """Return the LLVM type and name of each parameter of the op's kernels."""
    operands = [("ptr", f"%{name}") for name in op.operands]
    numbers = [("double", f"%{name}") for name in number_names(op)]
    return [*operands, *numbers, ("ptr", "%out")]


@cache
def number_names(op: Op) -> list[str]:
    """Return the names of the attributes that the op's kernels take as numbers."""
    return [name for name, kind in op.attributes.items() if kind is Kind.F64]


def kernels_text(kernels: list[Kernel], lanes: int) -> str:
    """Return the LLVM module that defines these kernels; `lanes` as for `KernelText`."""
    declarations: set[str] = set()
    texts: list[str] = []
    for kernel in kernels:
        lowering = LOWERINGS[kernel.op]
        assert isinstance(lowering, Lowering)
        text = KernelText(lanes)
        pointers = [Pointer(text, f"%{name}") for name in kernel.op.operands]
        numbers = [Lanes(text, f"%{name}", 1) for name in number_names(kernel.op)]
        arguments = Arguments(pointers, numbers, Pointer(text, "%out"))
        lowering.write(text, arguments, kernel.sizes)
        parameters = [
            f"{kind} noalias {name}" if kind == "ptr" else f"{kind} {name}"
            for kind, name in _parameters(kernel.op)
        ]
        texts.append(text.text(kernel.symbol, parameters))
        declarations |= text.declarations
    return "\n".join([*sorted(declarations), *texts])
