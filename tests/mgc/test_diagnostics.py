"""What users are told: a program for every error, with the one line that it must give."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mgc import build, calls, elaborate, parse, scan
from mgc.compile import compile_source
from mgc.diagnostics import Diagnostic, Span, did_you_mean
from tests.mgc.raise_sites import unreached

if TYPE_CHECKING:
    from types import ModuleType

    from tests.conftest import Golden

ERRORS = Path(__file__).parents[1] / "errors"
PROGRAMS = sorted(ERRORS.glob("*.mg"))


@cache
def fault(program: Path) -> Diagnostic:
    with pytest.raises(Diagnostic) as caught:
        compile_source(program.read_bytes().decode(), program.name)
    return caught.value


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_an_error_is_one_line_that_names_file_line_and_cause(program: Path, golden: Golden) -> None:
    error = fault(program)
    message = str(error)
    assert message.splitlines() == [message]
    assert message.isprintable()
    assert error.span is not None
    assert message.startswith(f"{program.name}:{error.span.line}: error: ")
    assert message.endswith(f" (column {error.span.column})")
    golden(program.with_suffix(".txt"), f"{message}\n")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_the_place_of_an_error_is_in_the_text(program: Path) -> None:
    span = fault(program).span
    assert span is not None
    lines = program.read_bytes().decode().split("\n")
    # The end of a line is a place too: something is missing there.
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1


def test_every_message_has_its_program() -> None:
    expected = {path.stem for path in ERRORS.glob("*.txt")}
    assert expected == {path.stem for path in PROGRAMS}


@pytest.mark.parametrize("module", [scan, parse, elaborate, build, calls], ids=lambda m: m.__name__)
def test_every_place_that_reports_an_error_has_a_program_that_comes_there(
    module: ModuleType,
) -> None:
    assert unreached(module, [fault(program) for program in PROGRAMS]) == []


def test_an_error_without_a_place_names_the_file_alone() -> None:
    assert str(Diagnostic("no such thing", file="a.mg")) == "a.mg: error: no such thing"
    assert str(Diagnostic("no such thing", Span(2, 7))) == (
        "<input>:2: error: no such thing (column 7)"
    )


def test_the_file_that_an_error_names_already_stays() -> None:
    assert Diagnostic("bad").in_file("a.mg").in_file("b.mg").file == "a.mg"


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("weihgt", ["bias", "weight"], "; did you mean 'weight'?"),
        ("q", ["bias", "weight"], ""),
        ("weight", [], ""),
    ],
)
def test_a_near_miss_is_answered_with_the_word_that_was_meant(
    word: str, known: list[str], hint: str
) -> None:
    assert did_you_mean(word, known) == hint
