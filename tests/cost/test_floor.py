"""The floor of operations, and that gradient programs stand on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograd.compiler import Program as Compiled
from autograd.compiler import read_program
from autograd.optimize.passes import optimized
from autograd.optimize.write import optimized_program
from autograd.problem import Request
from autograd.transform import gradient_program, posed_problem
from cost.floor import COUNTED, excess, executed, floor
from cost.programs import Program, read_programs
from mgc import ops
from mgc.compile import compile_source
from mgc.ir_text import ir_text
from tests.conftest import ROOT

if TYPE_CHECKING:
    from autograd.problem import Problem


def problem(source: str, *wrt: str, loss: int = 0) -> Problem:
    text = ir_text(compile_source(source, "p.mg"))
    return posed_problem(Compiled(source, text, "p.mg", "p.mg", "p.mg"), Request(wrt, loss))


REPEATING = ("m04_matmul_transpose",)
"""Programs that compute the same matrix product more than once."""

MATRICES = """\
let a = [[1.0, 2.0], [3.0, 4.0]]
let b = [[0.5, 1.0], [-1.0, 2.0]]
let c = [[2.0, 1.0], [1.0, -1.0]]
"""


@pytest.mark.parametrize(
    ("body", "wrt", "products"),
    [
        ("print col_sum(row_sum(a @ b))", ("a", "b"), 3),
        ("print col_sum(row_sum(a @ b))", ("b",), 2),
        ("print col_sum(row_sum(a @ b @ c))", ("a",), 4),
        ("print col_sum(row_sum(a @ b @ c))", ("c",), 3),
        ("print col_sum(row_sum(a @ a))", ("a",), 3),
        # A comparison passes nothing on, so what leads to it or from it takes none.
        ("print col_sum(row_sum(a * ge(a @ b, c)))", ("a",), 1),
        ("print col_sum(row_sum(a * (ge(a, c) @ b)))", ("a",), 1),
    ],
)
def test_a_product_takes_as_many_as_it_has_operands_that_matter(
    body: str, wrt: tuple[str, ...], products: int
) -> None:
    posed = problem(MATRICES + body, *wrt)
    assert floor(posed)[ops.MATMUL] == products
    assert excess(posed, gradient_program(posed, "p.mg"), "p.mg") == {}


def test_what_a_def_does_is_counted_for_each_call() -> None:
    source = "def f(x: tensor[1x1]) = exp(x) @ x\nlet a = [[1.0]]\nprint f(a) + f(f(a))\n"
    done = executed(source, "p.mg")
    assert {op.name: done[op] for op in COUNTED} == {"matmul": 3, "exp": 3, "log": 0, "sqrt": 0}


def test_a_program_that_does_more_than_it_must_is_told_how_much() -> None:
    posed = problem(MATRICES + "print col_sum(row_sum(exp(a @ b)))", "a")
    wasteful = gradient_program(posed, "p.mg") + "print log(exp(a)) @ a\n"
    assert excess(posed, wasteful, "p.mg") == {"matmul": 1, "exp": 1, "log": 1}
    frugal = "print [[1.0]]\n"
    assert excess(posed, frugal, "p.mg") == {"matmul": -2, "exp": -1}


@pytest.mark.parametrize("program", read_programs(ROOT / "pipeline.yaml"), ids=lambda p: p.name)
def test_a_plain_gradient_program_stands_on_the_floor(program: Program) -> None:
    posed = posed_problem(read_program(program.file, None), Request(program.wrt, program.loss))
    assert excess(posed, gradient_program(posed, program.name), program.name) == {}


@pytest.mark.parametrize("program", read_programs(ROOT / "pipeline.yaml"), ids=lambda p: p.name)
def test_an_optimised_gradient_program_executes_no_more_than_the_floor(program: Program) -> None:
    """It may execute fewer: what the program itself computes twice is computed once."""
    posed = posed_problem(read_program(program.file, None), Request(program.wrt, program.loss))
    text = optimized_program(posed, optimized(posed), program.name)
    more = excess(posed, text, program.name)
    assert {name: count for name, count in more.items() if count > 0} == {}
    if program.name not in REPEATING:
        assert more.get("matmul", 0) == 0
