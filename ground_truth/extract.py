"""Copying statements out of a program by name, so that nobody types them again.

The first def and the first let of a name are copied: in a program that binds a name anew in each
training step, that is the one of the first step. A copy that would not mean what the program
means is an error: every def and every let that a copied statement uses has to be copied too, and
has to be the very one that the program uses there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mgc.diagnostics import Diagnostic, did_you_mean
from mgc.parse import parse
from mgc.syntax import Def, Invoke, Let, Name, Print

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from mgc.diagnostics import Span
    from mgc.syntax import Item

Statement = Def | Let


def extract(source: str, names: Collection[str], file: str) -> str:
    """Return the statements of `source` with one of these names, in the order of the source.

    Comment lines directly above a statement come with it, and so does a blank line above those.
    Raises `mgc.diagnostics.Diagnostic`, in `file`, with every name that is not there, and where
    a copied statement uses one that is not copied.
    """
    try:
        statements = [each for each in parse(source) if not isinstance(each, Print)]
        chosen = _chosen(statements, names)
        _check_closed(statements, chosen)
    except Diagnostic as fault:
        raise fault.in_file(file) from None
    return _copied(source.splitlines(), [statement.span.line for statement in chosen])


def _chosen(statements: Sequence[Statement], names: Collection[str]) -> list[Statement]:
    known = {statement.name for statement in statements}
    absent = [f"'{name}'{did_you_mean(name, known)}" for name in names if name not in known]
    if absent:
        raise Diagnostic(f"there is no def or let named {', nor '.join(absent)}")
    first: dict[tuple[type[Statement], str], Statement] = {}
    for statement in statements:
        if statement.name in names:
            first.setdefault((type(statement), statement.name), statement)
    return list(first.values())


def _check_closed(statements: Sequence[Statement], chosen: Sequence[Statement]) -> None:
    """Raise Diagnostic where a chosen statement uses one that is not chosen."""
    lines = {statement.span.line for statement in chosen}
    functions: dict[str, Def] = {}
    lets: dict[str, Let] = {}
    for statement in statements:
        if statement.span.line in lines:
            for used, span in _uses(statement, functions, lets):
                if used.span.line not in lines:
                    msg = (
                        f"'{statement.name}' is to be copied and uses '{used.name}' of line "
                        f"{used.span.line}, which is not"
                    )
                    raise Diagnostic(msg, span)
        if isinstance(statement, Def):
            functions[statement.name] = statement
        else:
            lets[statement.name] = statement


def _uses(
    statement: Statement, functions: dict[str, Def], lets: dict[str, Let]
) -> Iterator[tuple[Statement, Span]]:
    """Yield each earlier statement that this one names, and where it does."""
    items: Iterable[Item]
    items = statement.body if isinstance(statement, Def) else statement.expression
    for item in items:
        used: Statement | None = None
        if isinstance(item, Invoke):
            used = functions.get(item.name)
        elif isinstance(item, Name) and isinstance(statement, Let):
            used = lets.get(item.text)
        if used is not None:
            yield used, item.span


def _copied(source: Sequence[str], numbers: Iterable[int]) -> str:
    copied: list[str] = []
    for number in numbers:
        top = number - 1
        while top > 0 and source[top - 1].lstrip().startswith("#"):
            top -= 1
        if copied and top > 0 and not source[top - 1].strip():
            copied.append("")
        copied += source[top:number]
    return "\n".join(copied) + "\n"
