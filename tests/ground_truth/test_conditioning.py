"""Derivatives of examples/m*.mg can be measured: no entry is at a kink, every parameter counts."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mgc.compile import compile_source
from mgc.interpret import interpret
from mgc.literals import Literal, source_matrix
from tests.ground_truth.reference import ROOT
from tests.ground_truth.test_operation_examples import literals, parameters

# At its first print every row maximum of m10_ties is tied, which is its subject.
PROGRAMS = [
    path for path in sorted((ROOT / "examples").glob("m[0-9]*.mg")) if path.stem != "m10_ties"
]
STEP = 1e-5


def loss(source: str) -> float:
    return float(interpret(compile_source(source, "example.mg"))[0][0, 0])


def moved(source: str, name: str, entry: int, by: float) -> str:
    """Return the program with one entry of a literal let changed."""
    shape, elements = literals(source)[name]
    changed = [each + by * (position == entry) for position, each in enumerate(elements)]
    let = f"let {name} = "
    literal = source_matrix(Literal(shape, tuple(changed)))
    return re.sub(rf"^{let}.*$", let + literal, source, flags=re.MULTILINE)


def slopes(source: str, name: str) -> Iterator[tuple[float, float]]:
    """Yield the slope of the loss below and above each entry of a parameter."""
    here = loss(source)
    for entry in range(len(literals(source)[name].elements)):
        below, above = (loss(moved(source, name, entry, by)) for by in (-STEP, STEP))
        yield (here - below) / STEP, (above - here) / STEP


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_slopes_are_the_same_on_both_sides(path: Path) -> None:
    source = path.read_text()
    for name in parameters(source):
        below, above = np.array(list(slopes(source, name))).T
        largest = np.abs(above).max()
        assert largest > 0.1, f"the loss hardly depends on {name}"
        # Curvature makes them differ by about the step; a kink, by what it bends.
        assert np.abs(above - below).max() < 1e-3 * largest, f"{name} is at a kink"


def test_a_kink_is_seen() -> None:
    source = "let m = [[1, 3, 3], [2, 2, 0]]\nprint col_sum(row_max(m))\n"
    below, above = list(slopes(source, "m"))[1]
    assert above - below == pytest.approx(1)
