"""The texts that are measured, and how much of them there is."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import mgc
from autograd.cli import main as autograd
from cost.floor import executed
from cost.measure import lets
from cost.programs import Program, read_programs
from cost.variants import HAND, LOSS, NAMES, written
from mgc import ops
from tests.conftest import ROOT

PROGRAMS = {program.name: program for program in read_programs(ROOT / "pipeline.yaml")}
MEASURED = ("h33_attention", "h35_transformer_step1")


@cache
def texts(name: str) -> dict[str, str]:
    return written(PROGRAMS[name])


@pytest.mark.parametrize("name", MEASURED)
def test_the_texts_are_the_program_and_what_autograd_writes(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tuple(texts(name)) == NAMES
    assert texts(name)[HAND] == (ROOT / f"examples/{name}.mg").read_text()
    program = PROGRAMS[name]
    assert autograd([str(program.file), "--wrt", ",".join(program.wrt)]) == 0
    assert texts(name)["plain"] == capsys.readouterr().out


@pytest.mark.parametrize("name", MEASURED)
def test_the_loss_is_alone(name: str) -> None:
    printed = mgc.run(texts(name)[LOSS])
    assert len(printed) == 1
    np.testing.assert_array_equal(printed[0], mgc.run(texts(name)["plain"])[0])
    assert (
        executed(texts(name)[LOSS], name)[ops.MATMUL]
        < executed(texts(name)[HAND], name)[ops.MATMUL]
    )


def test_lets_are_counted_by_the_parser() -> None:
    source = (
        "# let no = 1\nlet a = [[1.0]]\ndef let_it(x: tensor[1x1]) = x\nlet b = 2\nprint a * b\n"
    )
    assert lets(source) == 2


def test_the_programs_of_the_settings_are_read() -> None:
    assert PROGRAMS["m10_ties_rows"] == Program(
        "m10_ties_rows", ROOT / "examples/m10_ties.mg", ("in_rows",), 1
    )
