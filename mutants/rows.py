"""Rows of tables: statements of a module that do nothing but fill one.

A derivative rule that is written otherwise changes what happens when its module is imported, but
only by what then stands in one row of a table: a call that never reads that row cannot tell.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Filled = Mapping[ast.stmt, str]
    """Statements that fill a row, and the row of each."""

_TABLES = {"vjp": "VJPS", "jvp": "JVPS"}
"""The tables of `autograd.rule_table`, by the decorators that fill a row."""

_DECLARING = "declare"
"""The function that fills a row without a rule."""

_MADE = ": Table = {}"
"""What follows the name of a table where it is made."""


def filled_rows(module: ast.Module) -> Filled:
    """Return the statements of a module that each fill a row, which no other one of it does.

    A function that the module uses by its name does more than that.
    """
    rows = [(each, row) for each in module.body if (row := _row(each)) is not None]
    if not rows:
        return {}  # as of most modules, so that they need not be walked through
    nodes = [node for node in ast.walk(module) if isinstance(node, ast.Name)]
    used = {node.id for node in nodes if isinstance(node.ctx, ast.Load)}
    filled = {each: row for each, row in rows if getattr(each, "name", None) not in used}
    return filled if len(set(filled.values())) == len(filled) else {}


def _row(statement: ast.stmt) -> str | None:
    """Return the row that a statement fills; None where it may do more, or nothing of the kind."""
    match statement:
        case ast.FunctionDef(
            args=ast.arguments(defaults=[], kw_defaults=[]),
            decorator_list=[ast.Call(ast.Name(decorator), [ast.Attribute(ast.Name()) as row], [])],
        ) if decorator in _TABLES:
            return f"{_TABLES[decorator]} {ast.unparse(row)}"
        case ast.Expr(
            ast.Call(
                ast.Name(function),
                [
                    ast.Name(table),
                    ast.Attribute(ast.Name()) as row,
                    ast.Call(ast.Name(), [ast.Constant()], []),
                ],
                [],
            )
        ) if function == _DECLARING:
            return f"{table} {ast.unparse(row)}"
        case _:
            return None


def with_tables(module: ast.Module, name: str) -> None:
    """Let a module make its tables by calling what has this name."""
    for each in module.body:
        if isinstance(each, ast.AnnAssign) and ast.unparse(each).endswith(_MADE):
            each.value = ast.Call(ast.Name(name, ast.Load()), [], [])
