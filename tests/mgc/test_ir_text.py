"""Source to IR text, byte for byte, and back."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest
from hypothesis import given

from checks.random_programs import Program, programs
from mgc.compile import compile_source
from mgc.interpret import interpret
from mgc.ir_parse import parse_ir
from mgc.ir_text import ir_text
from tests.mgc.near_misses import CONFORMANCE

NAMES = sorted(path.stem for path in CONFORMANCE.glob("*.mg"))


def test_the_pairs_are_there() -> None:
    assert sorted(path.stem for path in CONFORMANCE.glob("*.mlir")) == NAMES
    assert len(NAMES) == 15


@pytest.mark.parametrize("name", NAMES)
def test_a_program_gives_its_ir_text(name: str) -> None:
    source = (CONFORMANCE / f"{name}.mg").read_text()
    expected = (CONFORMANCE / f"{name}.mlir").read_bytes()
    assert ir_text(compile_source(source, "a.mg")).encode() == expected


@pytest.mark.parametrize("name", NAMES)
def test_ir_text_is_read_back_to_itself(name: str) -> None:
    expected = (CONFORMANCE / f"{name}.mlir").read_bytes()
    assert ir_text(parse_ir(expected.decode())).encode() == expected


@given(programs())
def test_the_ir_text_of_any_program_is_read_back_to_itself(program: Program) -> None:
    text = ir_text(compile_source(program.source, "a.mg"))
    assert ir_text(parse_ir(text)) == text


def test_fresh_names_step_round_parameters() -> None:
    source = "def f(t1: tensor[1x1], t3: tensor[1x1]) = -(t1 + t3) + t1"
    text = ir_text(compile_source(source, "a.mg"))
    results = [line.split()[0] for line in text.splitlines() if line.startswith("  %")]
    assert results == ["%t2", "%t4", "%t5", "%zero"]


def test_a_def_without_parameters() -> None:
    text = ir_text(compile_source("def one() = [[1]]\nprint one()", "a.mg"))
    assert "func.func @one() -> tensor<1x1xf64> {\n" in text
    assert "  %t1 = func.call @one() : () -> tensor<1x1xf64>\n" in text
    assert ir_text(parse_ir(text)) == text


def test_the_page_about_the_language_shows_what_the_compiler_prints() -> None:
    page = (CONFORMANCE.parents[2] / "docs" / "language.md").read_text()
    _, _, section = page.partition("## IR text")
    source, text, *_ = re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)
    assert ir_text(compile_source(dedent(source), "a.mg")) == dedent(text)
    (first,) = re.findall(r"^```\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (printed,) = interpret(compile_source(first, "a.mg"))
    assert printed.tolist() == [[4.25], [9.5]]
