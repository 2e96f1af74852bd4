"""Matrices as the lets of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Matrix = Sequence[Sequence[float]]


def matrix_text(matrix: Matrix) -> str:
    """Return a matrix literal: each number by `repr`, so a whole number may be an int."""
    rows = (", ".join(repr(element) for element in row) for row in matrix)
    return f"[{', '.join(f'[{row}]' for row in rows)}]"


def let_lines(matrices: Mapping[str, Matrix]) -> str:
    """Return a let for each matrix, one a line."""
    return "\n".join(f"let {name} = {matrix_text(matrix)}" for name, matrix in matrices.items())


def one_hot(chosen: int | None, size: int) -> list[int]:
    """Return a row of zeros with a 1 at `chosen`; all zeros if that is None."""
    return [int(position == chosen) for position in range(size)]
