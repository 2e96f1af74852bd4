"""Digests of files, of settings, and of source code by what it means.

Two Python files that differ only in comments, blank lines or docstrings have one digest.
"""

import ast
import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from pipeline.layout import DIGESTS

CODE_SUFFIXES = (".py", ".c")


def canonical(config: object) -> str:
    """Return JSON text that does not depend on the order of keys.

    Raises TypeError where config is not plain data, ValueError for a NaN or an infinity.
    """
    return json.dumps(config, sort_keys=True, separators=(",", ":"), allow_nan=False)


def file_digest(path: str | Path) -> str:
    """Return the sha256 of a file's bytes."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@functools.cache
def folder_digest(folder: str) -> str:
    """Return the digest of all Python and C files below a folder, as they are on the first call.

    Raises FileNotFoundError if there is none.
    """
    root = Path(folder)
    files = sorted(path for path in root.rglob("*") if path.suffix in CODE_SUFFIXES)
    if not files:
        message = f"no Python or C file in the code folder {folder}"
        raise FileNotFoundError(message)
    meanings = _meanings(files, folder.replace("/", "."))
    lines = [f"{path.relative_to(root).as_posix()} {meaning}" for path, meaning in meanings]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@functools.cache
def module_digest(module: str) -> str:
    """Return the digest of the file an imported module was read from."""
    file = sys.modules[module].__file__
    if file is None:
        message = f"module {module} has no file"
        raise FileNotFoundError(message)
    [(_, meaning)] = _meanings([Path(file)], f"module.{module}")
    return meaning


def _meanings(files: Iterable[Path], name: str) -> list[tuple[Path, str]]:
    """Pair each file with the digest of its meaning.

    Parsing is 20 us a line, so what was learnt is kept in a file, keyed by content and hence
    never stale; it holds the given files only and so cannot grow.
    """
    kept = DIGESTS / f"{name}.json"
    known: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    now: dict[str, str] = {}
    pairs: list[tuple[Path, str]] = []
    for path in files:
        content = path.read_bytes()
        key = hashlib.sha256(f"{sys.version_info[:2]} {path.suffix} ".encode() + content)
        meaning = known.get(key.hexdigest()) or _meaning(path, content)
        now[key.hexdigest()] = meaning
        pairs.append((path, meaning))
    if now != known:
        _replace_text(kept, json.dumps(now))
    return pairs


def _meaning(path: Path, content: bytes) -> str:
    """Digest one file: a Python file that parses by its syntax tree, any other by its bytes."""
    if path.suffix == ".py":
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


def _replace_text(path: Path, text: str) -> None:
    """Write a file in one step, so that a second process never reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(text)
    fresh.replace(path)
