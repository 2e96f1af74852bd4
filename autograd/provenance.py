"""Where in the source an operation of the IR text comes from.

IR text holds no places. The bundled front end lists the same operations for the same source, so
they are paired one by one; where a compiler listed others, no place is claimed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mgc.elaborate import elaborate
from mgc.ir import Apply
from mgc.parse import parse

if TYPE_CHECKING:
    from mgc.diagnostics import Span
    from mgc.ir import Function, Module, Statement


def source_spans(module: Module, source: str) -> dict[Statement, Span]:
    """Return the place in the source of each statement of a module read from IR text."""
    elaborated = elaborate(parse(source))
    spans = _paired(module.main, elaborated.main)
    for name, function in module.functions.items():
        if name in elaborated.functions:
            spans |= _paired(function, elaborated.functions[name])
    return spans


def _paired(function: Function, elaborated: Function) -> dict[Statement, Span]:
    if list(map(_kind, function.body)) != list(map(_kind, elaborated.body)):
        return {}
    pairs = zip(function.body, elaborated.body, strict=True)
    return {statement: original.span for statement, original in pairs}


def _kind(statement: Statement) -> object:
    return statement.op if isinstance(statement, Apply) else type(statement)
