"""The part of a module that a mutant may change, and the names that mean something there."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mgc import ops
from mutants.spec import MutantError

if TYPE_CHECKING:
    from collections.abc import Iterator

Node = ast.Module | ast.stmt
Holder = ast.Module | ast.ClassDef | ast.FunctionDef

_TABLES = {"rule": ("vjp", "VJPS"), "jvp": ("jvp", "JVPS")}
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class Scope:
    """A function, a class, a row of a table of rules, or a whole module.

    `holder` is what has the node in its body. `parameters` are the names that a pattern uses for
    those of the function, in order; empty where it uses their own. `bound` are the names that the
    function binds, `known` those that it can read from outside. `offered` are names that a rule
    may ask for and does not, with their types.
    """

    node: Node
    holder: Holder
    parameters: tuple[str, ...] = ()
    bound: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    offered: dict[str, str] = field(default_factory=dict[str, str])

    def renamed_parameters(self) -> dict[str, str]:
        """Return the function's name for each name of a parameter in a pattern.

        Names that are all still there mean themselves, in whatever order; otherwise the position
        decides. MutantError where it cannot, because the number of parameters is another.
        """
        own = [argument.arg for argument in _arguments(self.node)]
        if set(self.parameters) <= set(own):
            return {name: name for name in self.parameters}
        if len(own) != len(self.parameters):
            raise MutantError(
                f"the parameters are {', '.join(own)}, and not {', '.join(self.parameters)}"
            )
        return dict(zip(self.parameters, own, strict=True))


def find_scope(tree: ast.Module, text: str) -> Scope:
    """Return the scope that a text names; MutantError unless there is exactly one.

    `rule:mul` is the row of an operation in the table of reverse-mode rules, `jvp:mul` in that of
    forward-mode ones: the decorated function, or the statement that declares it to have none.
    `backward` is a function, `Writer.let` a method and `module` everything. In parentheses after
    it may stand the names that the pattern uses for the parameters: `backward(steps, loss, wrt)`.
    """
    path, _, listed = text.partition("(")
    parameters = tuple(name.strip() for name in listed.rstrip(")").split(",") if name.strip())
    known = frozenset(_module_names(tree)) | _BUILTINS
    if path == "module":
        return Scope(tree, tree, known=known)
    kind, _, name = path.rpartition(":")
    found = list(_rows(tree, kind, name) if kind else _definitions(tree, path.split(".")))
    if len(found) != 1:
        raise MutantError(f"there must be one {path}, but there are {len(found)}")
    [(holder, node)] = found
    bound = frozenset(_bound_names(node))
    offered = _offered(node, kind, name) if kind else {}
    return Scope(node, holder, parameters, bound, known, offered)


def rule_scope(node: ast.stmt) -> str | None:
    """Return the scope text of a statement that is a row of a table of rules, None for another."""
    for kind in _TABLES:
        name = _row_name(node, kind)
        if name is not None:
            return f"{kind}:{name.lower()}"
    return None


def names_of_values(scope: Scope) -> tuple[str, ...]:
    """Return the names of values that a rule asks for or may ask for."""
    own = [each.arg for each in _arguments(scope.node) if _annotation(each) == "Value"]
    return (*own, *(name for name, kind in scope.offered.items() if kind == "Value"))


def _rows(tree: ast.Module, kind: str, name: str) -> Iterator[tuple[Holder, ast.stmt]]:
    if kind not in _TABLES:
        raise MutantError(f"'{kind}:' is not one of {', '.join(_TABLES)}")
    for node in tree.body:
        if _row_name(node, kind) == name.upper():
            yield tree, node


def _row_name(node: ast.stmt, kind: str) -> str | None:
    """Return the operation, in capitals, of a row of a table; None for another statement."""
    decorator, table = _TABLES[kind]
    match node:
        case ast.FunctionDef(
            decorator_list=[
                ast.Call(
                    func=ast.Name(id=called),
                    args=[ast.Attribute(value=ast.Name(id="ops"), attr=name)],
                )
            ]
        ) if called == decorator:
            return name
        case ast.Expr(
            value=ast.Call(
                func=ast.Name(id="declare"),
                args=[
                    ast.Name(id=declared),
                    ast.Attribute(value=ast.Name(id="ops"), attr=name),
                    _,
                ],
            )
        ) if declared == table:
            return name
        case _:
            return None


def _definitions(node: Holder, path: list[str]) -> Iterator[tuple[Holder, ast.stmt]]:
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef) and child.name == path[0]:
            if len(path) == 1:
                yield node, child
            else:
                yield from _definitions(child, path[1:])


def _arguments(node: Node) -> list[ast.arg]:
    if not isinstance(node, ast.FunctionDef):
        return []
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _annotation(argument: ast.arg) -> str:
    return "" if argument.annotation is None else ast.unparse(argument.annotation)


def _bound_names(node: Node) -> Iterator[str]:
    for child in ast.walk(node):
        match child:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) if child is not node:
                yield name
            case _:
                pass


def _module_names(tree: ast.Module) -> Iterator[str]:
    """Yield what the module binds when it runs, which leaves out imports for type checking."""
    for node in tree.body:
        match node:
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                yield from (alias.asname or alias.name.partition(".")[0] for alias in aliases)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign() | ast.AnnAssign():
                yield from _bound_names(node)
            case _:
                pass


def _offered(node: Node, kind: str, name: str) -> dict[str, str]:
    """Return what the rule of an operation may ask for and does not, with its type."""
    op = next(each for each in ops.OPS if each.name == name)
    asked = {argument.arg for argument in _arguments(node)}
    derivatives = ("ct",) if kind == "rule" else tuple(f"t{each}" for each in op.operands)
    values = dict.fromkeys((*derivatives, *op.operands, "out"), "Value")
    numbers = {each: "float" for each in op.attributes if each == "value"}
    return {each: kind for each, kind in {**values, **numbers}.items() if each not in asked}
