"""Counting for real, in valgrind."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cost import count as counting
from cost import toolchain
from cost.breakdown import by_op
from cost.count import Count, count, function_costs
from cost.toolchain import ENVIRONMENT, CountError, linking, missing
from mgc.aot import build_executable
from mgc.compile import static_program

if TYPE_CHECKING:
    from cost.measurement import Level

ONCE = """\
let x = [[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]]
let w = [[1.0, 2.0], [3.0, -4.0], [0.125, 0.5]]
let e = exp(x @ w)
print col_sum(row_sum(log(e + 1.0)))
"""
TWICE = ONCE.replace("exp(x @ w)", "exp(x @ w) * exp(x @ w)")
# What the names of the C library's functions for newer CPUs end in.
DISPATCHED = re.compile(r"_(fma4?|avx\w*|evex\w*|erms|ssse3\w*)$")


@pytest.fixture(autouse=True)
def tools() -> None:
    assert missing() == ""


@cache
def functions_once(level: Level) -> dict[str, int]:
    return function_costs(ONCE, "p.mg", level)


def once(level: Level) -> Count:
    return Count(sum(functions_once(level).values()), by_op(functions_once(level)))


def test_the_parts_add_up_and_each_is_there() -> None:
    counted = once("O0")
    assert counted.instructions == sum(counted.by_op.values())
    expected = {"matmul", "exp", "log", "add_scalar", "row_sum", "col_sum", "libm", "main"}
    assert set(counted.by_op) - {"copy"} == expected


def test_counting_again_gives_the_same() -> None:
    assert count(ONCE, "another_name.mg", "O2") == once("O2")


def test_a_program_that_does_more_costs_more() -> None:
    twice = count(TWICE, "p.mg", "O0")
    assert twice.by_op["matmul"] == 2 * once("O0").by_op["matmul"]
    assert twice.by_op["exp"] == 2 * once("O0").by_op["exp"]
    assert twice.instructions > once("O0").instructions


def test_optimised_kernels_cost_less() -> None:
    assert once("O2").instructions < once("O0").instructions


def test_the_environment_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {f"COST_{number}": "x" * number for number in range(500)}
    monkeypatch.setattr(counting, "longer_environment", lambda: ENVIRONMENT | variables)
    assert count(ONCE, "p.mg", "O0") == once("O0")


def test_the_c_library_does_not_choose_by_the_cpu() -> None:
    # It does so without the setting where the CPU has FMA; where it has not, this shows nothing.
    functions = functions_once("O0")
    assert [name for name in functions if DISPATCHED.search(name)] == []
    assert any("exp" in name for name in functions if not name.startswith("mg_"))


def test_the_setting_changes_nothing_that_is_printed(tmp_path: Path) -> None:
    program = tmp_path / "program"
    build_executable(static_program(ONCE, "p.mg"), 0, program, None)
    printed = [
        subprocess.run([program], env=environment, capture_output=True, check=True).stdout
        for environment in (ENVIRONMENT, dict(os.environ))
    ]
    assert counting.ADDRESS.sub(b"", printed[0]) == counting.ADDRESS.sub(b"", printed[1])


def test_two_counts_that_differ_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([{"mg_main": 7}, {"mg_main": 8}])
    monkeypatch.setattr(counting, "self_costs", lambda _: next(counts))
    with pytest.raises(CountError, match=r"p\.mg at -O0 executes 7 and 8 instructions in two runs"):
        count(ONCE, "p.mg", "O0")


def test_a_count_of_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MAIN", "mg_no_such_function")
    with pytest.raises(CountError, match="counted nothing inside"):
        count(ONCE, "p.mg", "O0")


def test_a_program_that_stops_is_an_error() -> None:
    source = "def f(a: tensor[?x?], b: tensor[?x?]) = a @ b\nprint f([[1, 2]], [[1, 2]])\n"
    with pytest.raises(CountError, match=r"p\.mg at -O0 fails with status 1"):
        count(source, "p.mg", "O0")


def test_output_that_differs_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_printed", lambda *_: b"something else")
    with pytest.raises(CountError, match="prints something else in valgrind than by itself"):
        count(ONCE, "p.mg", "O0")


def test_dynamic_linking_counts_the_same_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "linking", lambda: "dynamic")
    dynamic = count(ONCE, "p.mg", "O0")
    assert set(dynamic.by_op) == set(once("O0").by_op)
    assert dynamic.by_op["matmul"] == once("O0").by_op["matmul"]


def test_the_linking_is_decided_by_trying(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\ncase " $* " in *" -static "*) exit 1;; esac\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    linking.cache_clear()
    assert linking() == "dynamic"
    linking.cache_clear()


def test_a_missing_tool_is_one_line_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cc").write_text("#!/bin/sh\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    line = "valgrind is not on PATH; install it with: apt-get install valgrind"
    assert missing() == line
    with pytest.raises(CountError, match=line):
        toolchain.path_of("valgrind")


def test_the_toolchain_is_described() -> None:
    described = toolchain.toolchain()
    assert described.valgrind.startswith("valgrind-")
    assert described.linking in {"static", "dynamic"}
    assert all(asdict(described).values())
    assert str(Path.home()) not in repr(described)
