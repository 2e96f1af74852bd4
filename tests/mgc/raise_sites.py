"""Where a module reports errors, and through which of those places an error came."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

REPORTS = {"fail", "_fail"}
Place = tuple[str, int]


def unreached(module: ModuleType, errors: Iterable[BaseException]) -> list[str]:
    """Return the lines of `module` that report an error and through which none of these came."""
    places = {place for error in errors for place in _places(error)}
    file = str(module.__file__)
    source = Path(file).read_text()
    return [
        f"{file}:{node.lineno}: {source.splitlines()[node.lineno - 1].strip()}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt)
        and _reports(node)
        and not any((file, line) in places for line in _lines(node))
    ]


def _reports(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        return True
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    function = node.value.func
    name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
    return name in REPORTS


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _places(error: BaseException | None) -> Iterable[Place]:
    while error is not None:
        trace = error.__traceback__
        while trace is not None:
            yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
        error = error.__context__
