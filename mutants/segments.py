"""The segments of a module: what is executed from its first part to its last, once it is begun.

A block of statements is one segment up to and including its first compound statement, the next one
begins behind that. An expression that may be left out is a segment too: the second operand of
`and`, a branch of a conditional, the body of a lambda, the element of a comprehension, a guard.
What is in a hole of a segment, which is a block or such an expression, has segments of its own.

So where a changed part is in a segment that was not executed, nothing that was has changed.

What a statement that fills a row of a table (`mutants.rows`) puts there is a segment too: it
begins where the row is read.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple, cast

from mutants.meaning import top_level
from mutants.rows import filled_rows, with_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mutants.rows import Filled

NOTE = "_note"
"""What a marked module calls with the number of each segment as it begins it."""

_FILL = "_fill"
"""What it also calls before it fills a row, with the number of what is in it."""

_TABLE = "_Rows"
_IMPORT = f"from mutants.reach import Rows as {_TABLE}, fill as {_FILL}, note as {NOTE}"

_NO_ROWS: Mapping[ast.stmt, str] = {}

_BLOCKS = frozenset({"body", "orelse", "finalbody"})
_LAZY: dict[type[ast.AST], frozenset[str]] = {
    ast.IfExp: frozenset({"body", "orelse"}),
    ast.Lambda: frozenset({"body"}),
    ast.ListComp: frozenset({"elt"}),
    ast.SetComp: frozenset({"elt"}),
    ast.GeneratorExp: frozenset({"elt"}),
    ast.DictComp: frozenset({"key", "value"}),
    ast.match_case: frozenset({"body", "guard"}),
    **dict.fromkeys((ast.Module, ast.ClassDef, ast.FunctionDef, ast.With), _BLOCKS),
    **dict.fromkeys((ast.If, ast.For, ast.While, ast.Try, ast.ExceptHandler), _BLOCKS),
}
"""The fields that are holes; the operands of `and` and `or` behind the first are the other ones."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment: its own text, without comments, formatting and docstrings, and its holes.

    Numbers are those of one reading of all modules; they grow in the order of the text.
    """

    number: int
    text: str
    holes: tuple[tuple[Segment, ...], ...]
    row: Row | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """The row of a table that a segment fills; what reads it begins the segment `number`."""

    name: str
    number: int


class Reading:
    """One reading of several modules, through which their segments are numbered."""

    def __init__(self) -> None:
        """Begin with segment 0."""
        self._numbers = count()
        self._written: dict[ast.stmt, tuple[bytes, int, int | None]] = {}
        self._read: dict[tuple[bytes, int, int | None], _Part] = {}

    def segments(self, source: bytes) -> tuple[Segment, ...]:
        """Return the segments of a copy of a module; SyntaxError if it cannot be parsed.

        Most statements of a copy are those of another one. They are not read again, and share
        their segments, so that here the numbers say nothing.
        """
        tree = ast.parse(source)
        # Several statements may be in one line.
        self._written = {
            statement: (lines, statement.col_offset, statement.end_col_offset)
            for statement, lines in top_level(source, tree)
        }
        return self._block(tree.body, filled_rows(tree))

    def marked(self, source: bytes) -> tuple[tuple[Segment, ...], str]:
        """Return the segments of a module, and it as a text that notes which ones are begun."""
        tree = ast.parse(source)
        segments = self._block(tree.body, filled_rows(tree))
        start = len(_leading(tree.body))
        with_tables(tree, _TABLE)
        tree.body.insert(start, ast.parse(_IMPORT).body[0])
        return segments, ast.unparse(ast.fix_missing_locations(tree))

    def _block(self, statements: list[ast.stmt], rows: Filled = _NO_ROWS) -> tuple[Segment, ...]:
        """Return the segments of a block, and put a mark before each."""
        marked: list[ast.stmt] = _leading(statements)
        segments: list[Segment] = []
        for run in _runs(statements[len(marked) :], rows):
            number = next(self._numbers)
            parts = [self._part(each) for each in run]
            text = "\n".join(part.text for part in parts)
            inner = tuple(chain.from_iterable(part.holes for part in parts))
            marked.append(ast.Expr(_noting(number)))
            row = None
            if run[0] in rows:
                row = Row(rows[run[0]], next(self._numbers))
                marked.append(ast.Expr(_noting(row.number, _FILL)))
            segments.append(Segment(number, text, inner, row))
            marked += run
        statements[:] = marked
        return tuple(segments)

    def _part(self, statement: ast.stmt) -> _Part:
        """Return what a statement adds to its segment."""
        written = self._written.get(statement)
        if written in self._read:
            return self._read[written]
        holes: list[_Hole] = []
        text = _text(statement, holes)
        part = _Part(text, tuple(self._filled(each) for each in holes))
        if written is not None:
            self._read[written] = part
        return part

    def _filled(self, hole: _Hole) -> tuple[Segment, ...]:
        if isinstance(hole.content, list):
            return self._block(hole.content)
        number = next(self._numbers)
        holes: list[_Hole] = []
        text = _text(hole.content, holes)
        segment = Segment(number, text, tuple(self._filled(each) for each in holes))
        # A call that notes returns None, so that the value is that of the expression.
        hole.fill(ast.BoolOp(ast.Or(), [_noting(number), hole.content]))
        return (segment,)


class _Part(NamedTuple):
    """The text of a statement, and what is in its holes."""

    text: str
    holes: tuple[tuple[Segment, ...], ...]


@dataclass(frozen=True, slots=True)
class _Hole:
    """A field of a node that holds an expression or a block; `index` where it is one of a list."""

    owner: ast.AST
    field: str
    content: ast.expr | list[ast.stmt]
    index: int | None = None

    def fill(self, expression: ast.expr) -> None:
        if self.index is None:
            setattr(self.owner, self.field, expression)
        else:
            getattr(self.owner, self.field)[self.index] = expression


def changed(before: Sequence[Segment], after: Sequence[Segment]) -> set[int]:
    """Return the segments of a block in which it differs from another, by their numbers.

    Of several that follow one upon the other it is the first alone: the rest is begun after it.
    Rows of a table may be filled in any order.
    """
    rows = {each.row.name for each in before if each.row}
    others = {each.row.name: each for each in after if each.row}
    if rows != others.keys() or _places(before) != _places(after):
        return _changed(before, after)
    found = _changed(*([each for each in block if not each.row] for block in (before, after)))
    for one in before:
        if one.row and one.text != others[one.row.name].text:
            found.add(one.row.number)
        elif one.row:
            found |= _changed([one], [others[one.row.name]])
    return found


def _places(block: Sequence[Segment]) -> list[bool]:
    return [each.row is None for each in block]


def _changed(before: Sequence[Segment], after: Sequence[Segment]) -> set[int]:
    found: set[int] = set()
    for one, other in zip(before, after, strict=False):
        if one.text != other.text:
            return found | {one.number}
        for hole, content in zip(one.holes, other.holes, strict=True):
            found |= _changed(hole, content)
    if len(before) > len(after):
        found.add(before[len(after)].number)
    elif len(before) < len(after):
        found.add(before[-1].number)
    return found


def _noting(number: int, how: str = NOTE) -> ast.Call:
    return ast.Call(ast.Name(how, ast.Load()), [ast.Constant(number)], [])


def _leading(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return what no statement may come before: a docstring, and imports from __future__."""
    found: list[ast.stmt] = []
    for each in statements:
        match each:
            case ast.Expr(ast.Constant(str())) if not found:
                found.append(each)
            case ast.ImportFrom("__future__"):
                found.append(each)
            case _:
                break
    return found


def _runs(statements: Sequence[ast.stmt], rows: Filled) -> Iterator[list[ast.stmt]]:
    """Yield the statements of the segments of a block."""
    run: list[ast.stmt] = []
    for each in statements:
        if each in rows and run:
            yield run
            run = []
        run.append(each)
        if each in rows or isinstance(each, ast.Match) or _BLOCKS & set(each._fields):
            yield run
            run = []
    if run:
        yield run


def _text(node: ast.AST, holes: list[_Hole]) -> str:
    """Return a node as text, and add its holes to the list."""
    fields = [f"{name}={_field(node, name, value, holes)}" for name, value in ast.iter_fields(node)]
    return f"{type(node).__name__}({', '.join(fields)})"


def _field(node: ast.AST, name: str, value: object, holes: list[_Hole]) -> str:
    if name in _LAZY.get(type(node), ()) and value is not None:
        holes.append(_Hole(node, name, cast("ast.expr | list[ast.stmt]", value)))
        return "..."
    if isinstance(node, ast.BoolOp) and isinstance(value, list):
        operands = cast("list[ast.expr]", value)
        holes += [_Hole(node, name, each, at) for at, each in enumerate(operands) if at > 0]
        return f"{_text(operands[0], holes)} and {len(operands) - 1} more"
    if isinstance(value, list):
        items = cast("list[object]", value)
        return f"[{', '.join(_item(each, holes) for each in items)}]"
    return _item(value, holes)


def _item(value: object, holes: list[_Hole]) -> str:
    return _text(value, holes) if isinstance(value, ast.AST) else repr(value)
