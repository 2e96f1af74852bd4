"""What is committed under generated/ is what the sources give."""

import json
from pathlib import Path

import numpy as np
import pytest

import mgc
from autograd.compiler import read_program
from autograd.problem import Request
from autograd.transform import gradient_program, posed_problem
from pipeline.config import load
from stages.schema import Pipeline, Program
from tests.conftest import ROOT

GENERATED = ROOT / "generated"
# The C library's exp and log may differ by a bit from one version to the next; what a program
# makes of that bit stays far below this.
TOLERANCE = 1e-11


def programs() -> tuple[Program, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return load(Path("pipeline.yaml"), Pipeline).programs


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_the_gradient_program_is_fresh(program: Program) -> None:
    source = read_program(ROOT / program.file, None)
    problem = posed_problem(source, Request(program.wrt, program.loss))
    committed = (GENERATED / f"{program.name}_grad.mg").read_text()
    stale = f"generated/{program.name}_grad.mg is stale; run: make"
    assert committed == gradient_program(problem, source.title), stale


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_the_numbers_are_fresh(program: Program) -> None:
    committed = json.loads((GENERATED / f"{program.name}_grad.json").read_text())
    loss, *gradients = mgc.run(GENERATED / f"{program.name}_grad.mg")
    assert loss.item() == pytest.approx(committed["loss"], rel=TOLERANCE)
    assert list(committed["gradients"]) == list(program.wrt)
    for gradient, expected in zip(gradients, committed["gradients"].values(), strict=True):
        scale = np.abs(expected).max()
        np.testing.assert_allclose(gradient, expected, rtol=0, atol=TOLERANCE * scale)
