"""Places in a syntax tree: where a node hangs, so that another can be hung there."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLOCKS = ("body", "orelse", "finalbody")
_SKIPPED = frozenset({"annotation", "returns", "decorator_list"})


@dataclass(frozen=True, slots=True)
class Place:
    """The field `field` of a node; of a list, `length` elements of it from `index` on."""

    parent: ast.AST
    field: str
    index: int | None
    length: int = 1

    @property
    def nodes(self) -> Sequence[ast.expr] | Sequence[ast.stmt]:
        """What hangs there."""
        value = getattr(self.parent, self.field)
        if self.index is None:
            return [value]
        return value[self.index : self.index + self.length]

    def hang(self, nodes: Sequence[ast.AST]) -> None:
        """Put other nodes in the place of those; the indices of later ones may change."""
        if self.index is None:
            [node] = nodes
            setattr(self.parent, self.field, node)
        else:
            block: list[ast.AST] = getattr(self.parent, self.field)
            block[self.index : self.index + self.length] = nodes


def expression_places(node: ast.AST) -> Iterator[Place]:
    """Yield the place of every expression in a node, each before those in it.

    Annotations and decorators are no part of what is computed, and the inside of an f-string has
    no position of its own before Python 3.12.
    """
    if isinstance(node, ast.JoinedStr):
        return
    for place in _child_places(node):
        [child] = place.nodes
        if isinstance(child, ast.expr):
            yield place
        yield from expression_places(child)


def block_places(node: ast.AST, length: int) -> Iterator[Place]:
    """Yield every run of so many statements in a block of a node, or in a block of these."""
    for name in _BLOCKS:
        if isinstance(getattr(node, name, None), list):
            yield from _runs(node, name, length)
    for child in ast.iter_child_nodes(node):
        yield from block_places(child, length)


def _runs(parent: ast.AST, name: str, length: int) -> Iterator[Place]:
    block: list[ast.AST] = getattr(parent, name)
    for index in range(len(block) - length + 1):
        yield Place(parent, name, index, length)


def _child_places(node: ast.AST) -> Iterator[Place]:
    for name in node._fields:
        if name in _SKIPPED:
            continue
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            yield Place(node, name, None)
        elif isinstance(value, list):
            for index, each in enumerate(cast("list[object]", value)):
                if isinstance(each, ast.AST):
                    yield Place(node, name, index)
