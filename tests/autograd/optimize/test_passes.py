"""Each pass on every program of the repository: bits kept where it says so, rounding elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import mgc
from autograd.compiler import read_program
from autograd.emit import Writer
from autograd.optimize.graph import Builder, operands_first
from autograd.optimize.passes import PASSES, Pass, differentiated, optimized, with_literals
from autograd.optimize.schedule import peak_bytes
from autograd.optimize.write import optimized_program
from autograd.problem import Problem, Request
from autograd.transform import gradient_program, posed_problem
from mgc import ops
from pipeline.config import load
from stages.schema import Pipeline, Program
from tests.conftest import ROOT

if TYPE_CHECKING:
    from autograd.expression import Value
    from mgc.meanings import Array

# Regrouping moves a result by rounding alone. The programs add up at most some hundred terms of
# like size, each good to 1e-16 of the largest.
TOLERANCE = 1e-12


def programs() -> tuple[Program, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return load(Path("pipeline.yaml"), Pipeline).programs


PROGRAMS = programs()
everywhere = pytest.mark.parametrize("program", PROGRAMS, ids=[each.name for each in PROGRAMS])


def posed(program: Program) -> Problem:
    request = Request(program.wrt, program.loss)
    return posed_problem(read_program(ROOT / program.file, None), request)


def printed(problem: Problem, roots: list[Value]) -> list[Array]:
    """Return the values of some roots of a graph with parameters."""
    order = operands_first(roots)
    closed = with_literals(order, problem)
    writer = Writer({matrix: name for name, matrix in problem.matrices.items()})
    for value in order:
        if closed[value].op is not ops.BROADCAST and not writer.has(closed[value]):
            writer.let(closed[value], "v")
    for root in roots:
        if not writer.has(closed[root]):
            writer.let(closed[root], "v")
        writer.print(closed[root])
    return mgc.run(writer.text())


def agree(left: list[Array], right: list[Array]) -> None:
    for one, other in zip(left, right, strict=True):
        scale = np.abs(other).max()
        np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCE * scale)


@everywhere
def test_the_optimised_program_agrees_with_the_plain_one(program: Program) -> None:
    problem = posed(program)
    text = optimized_program(problem, optimized(problem), program.name)
    agree(mgc.run(text), mgc.run(gradient_program(problem, program.name)))


@everywhere
@pytest.mark.parametrize("number", range(len(PASSES)), ids=[each.name for each in PASSES])
def test_a_pass_keeps_what_it_says_it_keeps(program: Program, number: int) -> None:
    problem = posed(program)
    graph = differentiated(problem, [])
    for each in PASSES[:number]:
        graph = graph.renewed(Builder(each.rules).rebuilt(operands_first(graph.roots), graph.roots))
    before = printed(problem, graph.roots)
    this: Pass = PASSES[number]
    after_graph = graph.renewed(
        Builder(this.rules).rebuilt(operands_first(graph.roots), graph.roots)
    )
    after = printed(problem, after_graph.roots)
    if this.exact:
        # A sum of nothing but -0.0 is 0.0, so the sign of a zero is no bit to insist on.
        assert all(
            (one + 0.0).tobytes() == (two + 0.0).tobytes()
            for one, two in zip(before, after, strict=True)
        )
    agree(after, before)


@everywhere
def test_no_line_is_written_twice(program: Program) -> None:
    problem = posed(program)
    lines = optimized_program(problem, optimized(problem), program.name).splitlines()
    expressions = [line.split(" = ", 1)[1].split("  #")[0] for line in lines if " = " in line]
    # Requested matrices may have equal entries, as the scales and shifts of the transformer do.
    computed = [each for each in expressions if not each.startswith("[[")]
    assert computed
    assert len(set(computed)) == len(computed)


@everywhere
def test_every_let_is_used(program: Program) -> None:
    problem = posed(program)
    text = optimized_program(problem, optimized(problem), program.name)
    lets = [line.split(" ")[1] for line in text.splitlines() if line.startswith("let ")]
    code = " ".join(line.split("  #")[0] for line in text.splitlines() if not line.startswith("#"))
    words = code.replace("(", " ").replace(")", " ").replace(",", " ").split()
    assert [name for name in lets if words.count(name) < 2] == []


@everywhere
def test_the_schedule_needs_no_more_memory_than_the_textbook_order(program: Program) -> None:
    better = optimized(posed(program))
    roots = [better.loss, *better.gradients.values()]
    assert peak_bytes(better.order, roots) <= peak_bytes(operands_first(roots), roots)


@everywhere
def test_nothing_transcendental_is_computed_twice(program: Program) -> None:
    problem = posed(program)
    better = optimized(problem)
    for op in (ops.EXP, ops.LOG, ops.SQRT):
        primal = sum(value.op is op for value in problem.steps)
        written = sum(value.op is op for value in better.order)
        assert written <= primal


def test_the_optimised_program_is_shorter_everywhere() -> None:
    for program in PROGRAMS:
        problem = posed(program)
        text = optimized_program(problem, optimized(problem), program.name)
        assert len(text) < len(gradient_program(problem, program.name))
