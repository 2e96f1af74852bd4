"""The stub of llvmlite has llvmlite's names, and the parameters of its functions."""

import ast
import inspect
from collections.abc import Iterator

import pytest
from llvmlite import binding

from tests.conftest import ROOT

STUB = ast.parse((ROOT / "typings" / "llvmlite" / "binding.pyi").read_text())


def described(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """Yield the dotted name and the node of everything that the stub describes."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node.name, node
            yield from described(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield owner + node.name, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield owner + node.target.id, node


ENTRIES = dict(described(STUB.body))


@pytest.mark.parametrize("name", [name for name in ENTRIES if not name.startswith("ObjectRef")])
def test_the_stub_agrees_with_llvmlite(name: str) -> None:
    found: object = binding
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    node = ENTRIES[name]
    if isinstance(node, ast.FunctionDef) and not isinstance(found, property):
        assert parameters(found) == [
            argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]
        ]


def parameters(function: object) -> list[str]:
    plain = function.__func__ if isinstance(function, classmethod) else function
    assert callable(plain)
    return list(inspect.signature(plain).parameters)
