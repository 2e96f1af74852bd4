"""Whether two versions of a module mean the same: their syntax trees without docstrings."""

from __future__ import annotations

import ast
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def digest(content: bytes) -> str:
    """Return the sha256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


@lru_cache(maxsize=4096)
def meaning(content: bytes) -> str:
    """Return a hash of what a module means; comments and formatting are no part of it."""
    texts = (text for _, text in top_level(content, ast.parse(content)))
    meanings = [_meaning_of_statement(text) for text in texts]
    return digest("\n".join(each for each in meanings if each).encode())


def top_level(content: bytes, tree: ast.Module) -> Iterator[tuple[ast.stmt, bytes]]:
    """Yield the statements of a module with the lines that they take, decorators included."""
    lines = content.splitlines(keepends=True)
    for node in tree.body:
        first, last = lines_of(node)
        yield node, b"".join(lines[first - 1 : last])


def lines_of(node: ast.stmt) -> tuple[int, int]:
    """Return the first and the last line of a statement, counted from 1."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    assert node.end_lineno is not None
    return min([node.lineno, *(each.lineno for each in decorators)]), node.end_lineno


@lru_cache(maxsize=65536)
def _meaning_of_statement(text: bytes) -> str:
    """Return a hash for a statement of a module, nothing for a docstring.

    Of the statements of a changed module all but one are known already, and dumping a syntax
    tree is slow.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            del node.body[0]
    return digest(ast.dump(tree).encode()) if tree.body else ""
