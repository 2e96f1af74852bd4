"""Digests of source code by what it means.

Two Python files that differ only in comments, blank lines or docstrings have one digest.
"""

import ast
import functools
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.digest import canonical, file_digest, read_remembered, replace_text
from pipeline.layout import DIGESTS

CODE_SUFFIXES = (".py", ".c")


@functools.cache
def folder_digest(folder: str) -> str:
    """Return the digest of all Python and C files below a folder, as they are on the first call.

    It may also be one such file. Raises FileNotFoundError if there is none.
    """
    files = sorted(_code_files(folder))
    if not files:
        message = f"no Python or C file in the code folder {folder}"
        raise FileNotFoundError(message)
    meanings = _meanings(files, folder.replace("/", "."))
    lines = [f"{os.path.relpath(path, folder)} {meaning}" for path, meaning in meanings]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@functools.cache
def module_digest(module: str) -> str:
    """Return the digest of the file an imported module was read from."""
    file = sys.modules[module].__file__
    if file is None:
        message = f"module {module} has no file"
        raise FileNotFoundError(message)
    [(_, meaning)] = _meanings([file], f"module.{module}")
    return meaning


def _code_files(folder: str) -> Iterator[str]:
    if folder.endswith(CODE_SUFFIXES):
        yield folder
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(CODE_SUFFIXES):
                yield f"{parent}/{name}"


def _meanings(files: Iterable[str], name: str) -> list[tuple[str, str]]:
    """Pair each file with the digest of its meaning.

    Parsing is 20 us a line, so what was learnt is kept in a file, keyed by content and hence
    never stale; it holds the given files only and so cannot grow.
    """
    kept = DIGESTS / f"{name}.json"
    known = read_remembered(kept)
    now: dict[str, object] = {}
    pairs: list[tuple[str, str]] = []
    for path in files:
        key = _key(path, file_digest(path))
        meaning = known.get(key)
        if not isinstance(meaning, str):
            content = Path(path).read_bytes()
            key = _key(path, hashlib.sha256(content).hexdigest())  # it may just have been edited
            meaning = _meaning(path, content)
        now[key] = meaning
        pairs.append((path, meaning))
    if now != known:
        replace_text(kept, canonical(now))
    return pairs


def _key(path: str, digest: str) -> str:
    """Return what decides a meaning: the bytes, and who parses them."""
    return f"{sys.version_info[0]}.{sys.version_info[1]} {path.rpartition('.')[2]} {digest}"


def _meaning(path: str, content: bytes) -> str:
    """Digest one file: a Python file that parses by its syntax tree, any other by its bytes."""
    if path.endswith(".py"):
        try:
            tree = ast.parse(content)
        except SyntaxError:  # half-edited: whatever runs it will say so
            return hashlib.sha256(content).hexdigest()
        for node in ast.walk(tree):
            _drop_docstring(node)
        content = ast.dump(tree).encode()
    return hashlib.sha256(content).hexdigest()


def _drop_docstring(node: ast.AST) -> None:
    """Remove the docstring of a module, class or function."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    if isinstance(node, holders) and ast.get_docstring(node, clean=False) is not None:
        del node.body[0]
