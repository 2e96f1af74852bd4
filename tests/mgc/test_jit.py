"""Running in this process: programs of every form, and what is compiled for them."""

from __future__ import annotations

import re
import subprocess
import sys
from array import array
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from mgc import jit, ops
from mgc.jit import compile_native, run_native
from mgc.literals import Literal
from mgc.lower import kernels, machine_code
from mgc.lower.kernels import LOWERINGS
from tests.mgc import plain_python
from tests.mgc.static_modules import Body

if TYPE_CHECKING:
    from pathlib import Path

    import llvmlite.binding as llvm

    from mgc.ir import Function
    from mgc.lower.machine_code import Level


def elements(body: Body, *functions: Function) -> list[list[float]]:
    return [list(printed.elements) for printed in run_native(body.program(*functions), 0)]


def test_a_program_without_prints_or_without_statements_prints_nothing() -> None:
    body = Body()
    assert run_native(body.program(), 0) == []
    body.apply(ops.EXP, body.constant((1, 2), [1.0, 2.0]))
    assert run_native(body.program(), 0) == []


def test_prints_show_constants_reshapes_and_values_again() -> None:
    body = Body()
    constant = body.constant((2, 3), range(6))
    negative = body.apply(ops.NEG, constant)
    reshaped = body.apply(ops.RESHAPE, negative, shape=(3, 1, 2))
    for value in (constant, negative, reshaped, negative, constant):
        body.print(value)
    printed = run_native(body.program(), 0)
    assert [each.shape for each in printed] == [(2, 3), (2, 3), (3, 1, 2), (2, 3), (2, 3)]
    up, down = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [-0.0, -1.0, -2.0, -3.0, -4.0, -5.0]
    assert [list(each.elements) for each in printed] == [up, down, down, down, up]


def test_a_def_can_return_what_it_did_not_compute() -> None:
    same = Body((1, 2))
    reshaped = Body((2, 1))
    constant = Body((1, 2))
    functions = [
        same.function("same", same.parameters[0]),
        reshaped.function(
            "reshaped", reshaped.apply(ops.RESHAPE, reshaped.parameters[0], shape=(1, 2))
        ),
        constant.function("constant", constant.constant((1, 2), [7.0, 8.0])),
    ]
    body = Body()
    for function in functions:
        shape = plain_python.static(function.parameters[0])
        argument = body.apply(ops.NEG, body.constant(shape, [1.0, 2.0]))
        body.print(body.call(function, argument))
    assert elements(body, *functions) == [[-1.0, -2.0], [-1.0, -2.0], [7.0, 8.0]]


def test_a_def_can_use_its_result_before_it_returns() -> None:
    inside = Body((1, 2))
    result = inside.apply(ops.NEG, inside.parameters[0])
    for _ in range(3):
        inside.apply(ops.ADD, result, inside.parameters[0])
    doubled = inside.function("f", result)
    body = Body()
    x = body.constant((1, 2), [1.0, 2.0])
    body.print(body.apply(ops.ADD, body.call(doubled, x), body.call(doubled, x)))
    assert elements(body, doubled) == [[-2.0, -4.0]]


def test_defs_that_call_twice_run_as_often_as_they_are_called() -> None:
    functions: list[Function] = []
    for depth in range(15):
        inside = Body((1, 1))
        (x,) = inside.parameters
        left, right = [inside.call(functions[-1], x) if depth else x for _ in range(2)]
        functions.append(inside.function(f"f{depth}", inside.apply(ops.ADD, left, right)))
    body = Body()
    body.print(body.call(functions[-1], body.constant((1, 1), [1.0])))
    assert elements(body, *functions) == [[2.0**15]]


def test_a_long_program_is_run_in_order() -> None:
    body = Body()
    value = body.constant((1, 1), [0.0])
    for number in range(1000):
        value = body.apply(ops.ADD_SCALAR, value, value=float(number))
    body.print(value)
    assert elements(body) == [[499500.0]]


def test_millions_of_elements() -> None:
    body = Body()
    ones = body.apply(ops.BROADCAST, body.constant((1, 1), [1.0]), shape=(1501, 1003))
    doubled = body.apply(ops.MUL_SCALAR, ones, value=2.0)
    columns = body.apply(ops.COL_SUM, body.apply(ops.TRANSPOSE, doubled))
    body.print(body.apply(ops.ROW_MAX, columns))
    body.print(body.apply(ops.ROW_SUM, columns))
    assert elements(body) == [[2006.0], [2.0 * 1501 * 1003]]


def test_literals_can_take_other_elements() -> None:
    body = Body()
    x, y = body.constant((1, 2), [1.0, 2.0]), body.constant((1, 2), [3.0, 4.0])
    body.print(body.apply(ops.SUB, x, y))
    program = compile_native(body.program(), 0)
    replaced = {Literal((1, 2), (1.0, 2.0)): array("d", [50.0, 60.0]).tobytes()}
    assert [list(each.elements) for each in program.run(replaced)] == [[47.0, 56.0]]
    assert [list(each.elements) for each in program.run()] == [[-2.0, -2.0]]
    with pytest.raises(KeyError):
        program.run({Literal((1, 2), (1.0, 9.0)): bytes(16)})


def test_calls_may_be_nested_as_deep_as_there_are_defs() -> None:
    functions: list[Function] = []
    for number in range(3000):
        body = Body((1, 1))
        (x,) = body.parameters
        inner = body.call(functions[-1], x) if functions else x
        functions.append(body.function(f"f{number}", body.apply(ops.ADD_SCALAR, inner, value=1.0)))
    body = Body()
    body.print(body.call(functions[-1], body.constant((1, 1), [0.5])))
    assert elements(body, *functions) == [[3000.5]]


# ---- compiling


def test_a_kernel_is_compiled_once_for_each_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_addresses", defaultdict(dict))
    compiled: list[str] = []

    def counted(text: str, machine: llvm.TargetMachine, level: Level) -> bytes:
        compiled.extend(re.findall(r"define void @(mg_(?!main)\w+)", text))
        return machine_code.object_code(text, machine, level)

    monkeypatch.setattr(jit, "object_code", counted)
    for level in (0, 0, 2, 0, 2):
        for shape in ((2, 3), (3, 2)):
            body = Body()
            x = body.constant(shape, range(6))
            body.print(body.apply(ops.ADD, x, body.apply(ops.MUL, x, x)))
            run_native(body.program(), level)
    assert sorted(compiled) == ["mg_add_6", "mg_add_6", "mg_mul_6", "mg_mul_6"]


def test_a_missing_function_is_an_error_and_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LOWERINGS, ops.EXP, kernels._libm("no_such_function"))
    body = Body()
    body.print(body.apply(ops.EXP, body.constant((1, 3), [1.0, 2.0, 3.0])))
    monkeypatch.setattr(jit, "_addresses", defaultdict(dict))
    with pytest.raises(RuntimeError, match="mg_exp_3"):
        run_native(body.program(), 0)


def test_compiling_does_not_load_numpy() -> None:
    code = "import sys, mgc.jit, mgc.aot; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_keep_holds_the_llvm_text(tmp_path: Path) -> None:
    body = Body()
    body.print(body.apply(ops.EXP, body.constant((1, 3), [1.0, 2.0, 3.0])))
    for _ in range(2):  # also when the kernels are compiled already
        run_native(body.program(), 0, tmp_path)
        assert "define void @mg_exp_3" in (tmp_path / "kernels.ll").read_text()
        assert "define void @mg_main" in (tmp_path / "main.ll").read_text()
