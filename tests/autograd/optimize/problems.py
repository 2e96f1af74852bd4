"""Problems of all sorts: one for each rewriting, and random ones."""

from autograd.problem import ALL, Problem, Request
from autograd.transform import posed_problem
from checks.drawn import drawn_sources
from checks.properties.optimized_algebra import PRODUCTS, SOURCES
from mgc.diagnostics import Diagnostic
from tests.autograd.numerical import program

SEED = 5


def problems(examples: int) -> list[Problem]:
    """Return those of the rewritings, and of so many random programs the ones not refused."""
    posed: list[Problem] = []
    for source in (*SOURCES.values(), *PRODUCTS.values(), *drawn_sources(examples, SEED)):
        try:
            posed.append(posed_problem(program(source), Request(ALL, unused_is_zero=True)))
        except Diagnostic:
            # The loss of a random program may depend on no literal that has a name.
            continue
    return posed
