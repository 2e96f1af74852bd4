"""Change the text of a module so that its syntax tree changes in a given way, and no other."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, cast

from mutants.meaning import lines_of, top_level
from mutants.spec import MutantError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mutants.tree import Place

Piece = tuple[int, int, str]
"""From where to where, in bytes, what is to stand instead."""


@dataclass(frozen=True, slots=True)
class Edit:
    """These nodes, whose text is `text`, instead of those at a place."""

    place: Place
    nodes: Sequence[ast.AST]
    text: str


class Source:
    """Source text by the positions of a syntax tree, which count lines and bytes."""

    def __init__(self, content: bytes) -> None:
        """Find where the lines begin."""
        self.content = content
        lengths = map(len, content.splitlines(keepends=True))
        self._starts = [0, *accumulate(lengths)]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return where the text of a node, with its decorators, begins and ends."""
        assert isinstance(node, ast.expr | ast.stmt | ast.arg)
        first = lines_of(node)[0] if isinstance(node, ast.stmt) else node.lineno
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[first - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        """Return the text of a node, that of a statement as if it were not indented."""
        start, end = self.span(node)
        text = self.content[start:end].decode()
        if not isinstance(node, ast.stmt):
            return text
        return textwrap.dedent(" " * node.col_offset + text)

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """Return where the lines that hold a span begin and end."""
        before = max(line for line in self._starts if line <= start)
        return before, min(line for line in self._starts if line >= end)

    def with_pieces(self, pieces: Sequence[Piece]) -> bytes:
        """Return the text with other text in these places, which do not overlap."""
        content = self.content
        for start, end, text in sorted(pieces, reverse=True):
            content = content[:start] + text.encode() + content[end:]
        return content


def spliced(source: Source, tree: ast.Module, edits: Sequence[Edit]) -> bytes:
    """Return the source with the edits made, given its syntax tree, which is changed too.

    MutantError where the result would not parse, or would mean anything but what is asked for.
    """
    plain = [_piece(source, edit) for edit in edits]
    bracketed = [_bracketed(piece, edit) for piece, edit in zip(plain, edits, strict=True)]
    untouched = dict(_untouched(source, tree, plain))
    for edit in sorted(edits, key=lambda edit: edit.place.index or 0, reverse=True):
        edit.place.hang(edit.nodes or ([ast.Pass()] if _is_whole_block(edit.place) else []))
    for pieces in (plain, bracketed):
        attempt = source.with_pieces(pieces)
        if _is_source_of(attempt, tree, untouched):
            return attempt
    raise MutantError("the copy would not parse, or more of it would change than is replaced")


def _untouched(
    source: Source, tree: ast.Module, pieces: Sequence[Piece]
) -> Iterator[tuple[ast.stmt, bytes]]:
    """Yield the statements of a module in which there is no piece, with their lines."""
    for node, text in top_level(source.content, tree):
        low, high = source.span(node)
        if all(end <= low or start >= high for start, end, _ in pieces):
            yield node, text


def _is_source_of(content: bytes, tree: ast.Module, known: Mapping[ast.stmt, bytes]) -> bool:
    """Tell whether source text has a syntax tree; `known` are the lines of parts of it."""
    try:
        found = list(top_level(content, ast.parse(content)))
    except SyntaxError:
        return False
    return len(found) == len(tree.body) and all(
        known.get(wanted) == text or ast.dump(node) == ast.dump(wanted)
        for wanted, (node, text) in zip(tree.body, found, strict=True)
    )


def _bracketed(piece: Piece, edit: Edit) -> Piece:
    start, end, text = piece
    is_expression = edit.place.length == 1 and isinstance(edit.place.nodes[0], ast.expr)
    return (start, end, f"({text})") if is_expression else piece


def _piece(source: Source, edit: Edit) -> Piece:
    place = edit.place
    if place.length == 0:
        return _appended(source, edit)
    start, end = source.span(place.nodes[0])[0], source.span(place.nodes[-1])[1]
    first = place.nodes[0]
    if isinstance(first, ast.expr):
        return start, end, edit.text
    if not edit.nodes and not _is_whole_block(place):
        return *source.lines_of(start, end), ""
    indented = textwrap.indent(edit.text or "pass", " " * first.col_offset)
    return start, end, indented[first.col_offset :]


def _appended(source: Source, edit: Edit) -> Piece:
    """Write an argument after the last one of a function."""
    arguments = cast("ast.arguments", edit.place.parent).args
    if not arguments:
        raise MutantError(f"there is no parameter that {edit.text} could follow")
    _, end = source.span(arguments[-1])
    return end, end, f", {edit.text}"


def _is_whole_block(place: Place) -> bool:
    return len(getattr(place.parent, place.field)) == place.length
