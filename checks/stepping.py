"""A program run again and again, each time with other numbers in some of its literals.

It is compiled once. A run costs what it executes, so that forty steps of training cost little more
than one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.writing import FILE, NOT_A_PROGRAM, Unanswered
from mgc.compile import static_program
from mgc.diagnostics import Diagnostic
from mgc.jit import compile_native
from mgc.literals import Literal, full, source_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mgc.meanings import Array


def literal_of(matrix: Array) -> Literal:
    """Return the matrix as a literal."""
    rows, columns = matrix.shape
    return Literal((rows, columns), tuple(matrix.flatten().tolist()))


def with_literal(source: str, name: str, literal: Literal) -> str:
    """Return the source with another literal in the let of this name.

    Unanswered if it has no such let, or several: then it is no program that these checks know.
    """
    lines = source.split("\n")
    start = f"let {name} = [["
    found = [
        number
        for number, line in enumerate(lines)
        if line.startswith(start) and line.endswith("]]")
    ]
    if len(found) != 1:
        raise Unanswered(NOT_A_PROGRAM, f"{len(found)} lets give {name} a literal, expected 1")
    lines[found[0]] = f"let {name} = {source_matrix(literal)}"
    return "\n".join(lines)


class Stepper:
    """A compiled program whose lets of these names take other numbers in each run.

    `start` holds what they are in the source, in the order of the names. Unanswered if it cannot
    be compiled.
    """

    def __init__(self, source: str, names: Sequence[str], start: Sequence[Array]) -> None:
        """Compile the program."""
        # Equal literals are one constant to the compiler. So each parameter gets numbers of its
        # own to be told by; what is computed with them is never looked at.
        self._places = [
            full(literal_of(matrix).shape, -1e300 / (number + 1.5))
            for number, matrix in enumerate(start)
        ]
        for name, place in zip(names, self._places, strict=True):
            source = with_literal(source, name, place)
        try:
            program = static_program(source, FILE)
        except Diagnostic as fault:
            raise Unanswered(NOT_A_PROGRAM, str(fault)) from None
        if program.trap is not None:
            raise Unanswered(NOT_A_PROGRAM, program.trap)
        self._native = compile_native(program, 0)

    def run(self, parameters: Sequence[Array]) -> list[Array]:
        """Return what the program prints with these numbers."""
        elements = [matrix.tobytes() for matrix in parameters]
        return [
            np.array(each.elements, dtype=np.float64).reshape(each.shape)
            for each in self._native.run(dict(zip(self._places, elements, strict=True)))
        ]
