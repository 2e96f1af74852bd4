"""Which literal of a program is which let: by position in the source, never by value.

The k-th matrix literal of a program's top-level statements is the k-th constant of `@main` in
the IR of any compiler, so equal literals, shadowed lets and literals inside expressions are all
told apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mgc.syntax import Def, Let, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mgc.diagnostics import Span
    from mgc.literals import Literal
    from mgc.syntax import Statement


@dataclass(frozen=True, slots=True)
class LetBinding:
    """What a name stands for at the end of the program.

    `constant` is the position of its literal among those of the top-level statements, counted
    from 0, or None when the let is more than one literal.
    """

    span: Span
    constant: int | None


def let_bindings(program: Iterable[Statement]) -> dict[str, LetBinding]:
    """Return every let of a program by name; the last one of a name is the one that counts."""
    bindings: dict[str, LetBinding] = {}
    literals = 0
    for statement in program:
        if isinstance(statement, Def):
            continue
        expression = statement.expression
        count = sum(isinstance(item, Matrix) for item in expression)
        if isinstance(statement, Let):
            constant = literals if count == 1 == len(expression) else None
            bindings[statement.name] = LetBinding(statement.span, constant)
        literals += count
    return bindings


def top_literals(program: Iterable[Statement]) -> list[Literal]:
    """Return the matrix literals of a program's top-level statements, in their order."""
    return [
        item.literal
        for statement in program
        if not isinstance(statement, Def)
        for item in statement.expression
        if isinstance(item, Matrix)
    ]
