"""What a call of the original executes: a change elsewhere cannot change what comes of it.

A copy differs from the original in some functions. The tool is deterministic, so a call that
executes none of them goes the same way in both, and need not be made of the copy.
"""

from __future__ import annotations

import ast
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mutants.meaning import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import FrameType

Lines = tuple[int, int]
"""The first and the last line of a function, decorators included, counted from 1."""

_Statements = list[ast.stmt]


@dataclass(frozen=True, slots=True)
class Reached:
    """The functions of a tool that were executed: a file's name, and the line a function is at."""

    functions: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])

    def meets(self, changed: Mapping[str, Sequence[Lines]]) -> bool:
        """Tell whether a changed function was executed, or one defined in it."""
        return any(
            first <= line <= last
            for name, line in self.functions
            for first, last in changed.get(name, ())
        )


@contextmanager
def reached(home: Path) -> Iterator[Reached]:
    """Note what is executed meanwhile of the Python files below a folder."""
    found = Reached()
    start = f"{home.resolve()}/"
    names: dict[str, str | None] = {}

    def enter(frame: FrameType, event: str, argument: object) -> None:
        del event, argument
        code = frame.f_code
        if code.co_filename not in names:
            inside = code.co_filename.startswith(start)
            names[code.co_filename] = code.co_filename[len(start) :] if inside else None
        name = names[code.co_filename]
        if name is not None:
            found.functions.add((name, code.co_firstlineno))

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield found
    finally:
        sys.settrace(before)


def python_files(home: Path) -> dict[str, bytes]:
    """Return the contents of the Python files below a folder, by their paths in it."""
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*.py")}


def changed_functions(
    before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> dict[str, list[Lines]] | None:
    """Return the functions of `before` whose bodies mean something else in `after`, by file.

    None if anything but the bodies of functions differs: what a module does when it is imported
    may reach everything.
    """
    if before.keys() != after.keys():
        return None
    changed: dict[str, list[Lines]] = {}
    for name, content in before.items():
        if content == after[name]:
            continue
        lines = _changed_in(ast.parse(content).body, ast.parse(after[name]).body)
        if lines is None:
            return None
        changed[name] = lines
    return changed


def _changed_in(before: _Statements, after: _Statements) -> list[Lines] | None:
    """Return the functions that differ between two blocks; None if more than these does."""
    before, after = _without_docstring(before), _without_docstring(after)
    if len(before) != len(after):
        return None
    changed: list[Lines] = []
    for one, other in zip(before, after, strict=True):
        found = _changed_of(one, other)
        if found is None:
            return None
        changed += found
    return changed


def _changed_of(one: ast.stmt, other: ast.stmt) -> list[Lines] | None:
    if isinstance(one, ast.ClassDef) and isinstance(other, ast.ClassDef):
        same = _without_body(one) == _without_body(other)
        return _changed_in(one.body, other.body) if same else None
    if isinstance(one, ast.FunctionDef) and isinstance(other, ast.FunctionDef):
        if _without_body(one) != _without_body(other):
            return None
        return [] if _body(one) == _body(other) else [lines_of(one)]
    return [] if ast.dump(one) == ast.dump(other) else None


def _without_body(node: ast.ClassDef | ast.FunctionDef) -> str:
    body, node.body = node.body, []
    try:
        return ast.dump(node)
    finally:
        node.body = body


def _body(node: ast.FunctionDef) -> list[str]:
    return [ast.dump(each) for each in _without_docstring(node.body)]


def _without_docstring(body: _Statements) -> _Statements:
    match body:
        case [ast.Expr(ast.Constant(str())), *rest]:
            return rest
        case _:
            return body
