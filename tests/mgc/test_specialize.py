"""Every size made known, and programs that stop where sizes do not fit."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

from checks.random_programs import Program, programs
from mgc.compile import compile_source, static_program
from mgc.diagnostics import RunTimeMismatch
from mgc.interpret import interpret
from mgc.ir import Cast, Print, Value
from mgc.ir_parse import parse_ir
from mgc.shapes import is_static
from mgc.specialize import StaticProgram, specialize
from tests.mgc.near_misses import CONFORMANCE


def values(program: StaticProgram) -> list[Value]:
    """Return every value of a program, and check on the way that no cast is left."""
    found: list[Value] = []
    for function in [*program.module.functions.values(), program.module.main]:
        assert not any(isinstance(statement, Cast) for statement in function.body)
        found += function.parameters
        found += [
            statement.result for statement in function.body if not isinstance(statement, Print)
        ]
    return found


@given(programs())
def test_a_specialised_program_prints_the_same(program: Program) -> None:
    module = compile_source(program.source, "a.mg")
    static = specialize(module, "a.mg")
    assert static.trap is None
    assert all(is_static(value.shape) for value in values(static))
    printed, expected = interpret(static.module), interpret(module)
    assert [each.tobytes() for each in printed] == [each.tobytes() for each in expected]
    assert [each.shape for each in printed] == [each.shape for each in expected]


@pytest.mark.parametrize("path", sorted(CONFORMANCE.glob("*.mlir")), ids=lambda path: path.stem)
def test_the_ir_text_of_another_compiler_is_specialised(path: str) -> None:
    module = parse_ir((CONFORMANCE / path).read_text())
    static = specialize(module, "a.mlir")
    assert static.trap is None
    assert all(is_static(value.shape) for value in values(static))
    assert len(interpret(static.module)) == len(interpret(module))


def test_a_def_is_copied_once_for_each_combination_of_shapes() -> None:
    source = (
        "def twice(a: tensor[?x?]) = a + a\ndef unused(a: tensor[1x1]) = a\n"
        "def both(a: tensor[?x?], b: tensor[?x?]) = twice(a) @ twice(b)\n"
        "print both([[1, 2]], [[3], [4]])\nprint both([[5, 6]], [[7], [8]])\nprint twice([[9]])"
    )
    program = static_program(source, "a.mg")
    assert list(program.module.functions) == [
        "twice<1x2>",
        "twice<2x1>",
        "both<1x2,2x1>",
        "twice<1x1>",
    ]
    assert [printed.tolist() for printed in interpret(program.module)] == [
        [[44.0]],
        [[332.0]],
        [[18.0]],
    ]


F = "def f(a: tensor[?x?], b: tensor[?x?]) = "

# The def and what is printed before and by the call that stops the program; place and cause.
TRAPS = [
    (f"{F}a + b", "f([[1, 2]], [[1, 2, 3]])", "1: error: the shapes 1x2 and 1x3 differ"),
    (f"{F}a + b", "f([[1]], [[1, 2]])", "1: error: the shapes 1x1 and 1x2 differ"),
    (f"{F}ge(a, b)", "f([[1]], [[1], [2]])", "1: error: the shapes 1x1 and 2x1 differ"),
    (f"{F}a @ b", "f([[1, 2]], [[3, 4]])",
     "1: error: 1x2 @ 1x2 does not fit: 2 columns on the left, 1 rows on the right"),
    ("def f(a: tensor[1x2], b: tensor[?x2]) = a * b", "f([[1, 2]], [[1, 2], [3, 4]])",
     "1: error: the shapes 1x2 and 2x2 differ"),
    ("def f(a: tensor[?x1], b: tensor[2x3]) = a + b", "f([[1]], [[1, 2, 3], [4, 5, 6]])",
     "1: error: the shapes 1x3 and 2x3 differ"),
    ("def g(a: tensor[2x2]) = a\ndef f(a: tensor[?x2]) = g(a)", "f([[1, 2]])",
     "2: error: a 1x2 matrix was passed where 2x2 is wanted"),
    ("def g(a: tensor[?x?]) = a @ a\ndef f(a: tensor[?x?]) = g(a) + [[1]]", "f([[1, 2]])",
     "1: error: 1x2 @ 1x2 does not fit: 2 columns on the left, 1 rows on the right"),
    ("def f(a: tensor[?x3], b: tensor[2x?]) = a * b", "f([[1, 2, 3]], [[1, 2, 3], [4, 5, 6]])",
     "1: error: the shapes 1x3 and 2x3 differ"),
    ("def g(a: tensor[?x?]) = a\ndef f(a: tensor[?x?]) = g(a) + [[1, 2]]", "f([[1], [2]])",
     "2: error: the shapes 2x1 and 1x2 differ"),
]  # fmt: skip


@pytest.mark.parametrize(("definition", "call", "cause"), TRAPS, ids=range(len(TRAPS)))
def test_sizes_that_do_not_fit_stop_the_program_where_they_meet(
    definition: str, call: str, cause: str
) -> None:
    source = f"{definition}\nprint [[7]]\nlet x = {call}\nprint x\nprint [[8]]"
    program = static_program(source, "a.mg")
    trap = program.trap or ""
    assert re.fullmatch(
        rf"a\.mg:{re.escape(cause)}; this only shows when the program runs \(column \d+\)", trap
    )
    assert trap.isprintable()
    assert [printed.tolist() for printed in interpret(program.module)] == [[[7.0]]]
    with pytest.raises(RunTimeMismatch) as caught:
        interpret(compile_source(source, "a.mg"))
    assert [np.array(printed).tolist() for printed in caught.value.printed] == [[[7.0]]]


@pytest.mark.parametrize("definition", sorted({definition for definition, _, _ in TRAPS}))
def test_a_def_that_nobody_calls_stops_nothing(definition: str) -> None:
    assert static_program(f"{definition}\nprint [[7]]", "a.mg").trap is None


def test_an_unknown_size_may_turn_out_to_be_the_1_that_it_meets() -> None:
    source = "def f(a: tensor[1x2], b: tensor[?x2]) = a * b\nprint f([[1, 2]], [[3, 4]])"
    program = static_program(source, "a.mg")
    assert program.trap is None
    assert [printed.tolist() for printed in interpret(program.module)] == [[[3.0, 8.0]]]


def test_a_chain_that_would_be_a_million_calls_written_out_is_short() -> None:
    defs = ["def f0(a: tensor[?x?]) = a"]
    defs += [f"def f{n}(a: tensor[?x?]) = f{n - 1}(a) + f{n - 1}(a)" for n in range(1, 21)]
    program = static_program("\n".join([*defs, "print f20([[1]])"]), "a.mg")
    assert len(program.module.functions) == 21
