"""Whether a piece of a syntax tree is what a pattern describes."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mutants.scope import Scope

_METAVARIABLE = re.compile(r"_[A-Z]\w*")

_IGNORED = frozenset({"annotation", "returns", "type_comment", "simple", "kind"})
"""Fields that say nothing about what is computed."""


def is_metavariable(name: str) -> bool:
    """Tell whether a name in a pattern stands for anything: `_` and a capital, as in `_Any`."""
    return _METAVARIABLE.fullmatch(name) is not None


def captured_name(node: ast.AST) -> str | None:
    """Return the metavariable that a node of a pattern or a replacement is, or None.

    As a statement of its own, or as the name of a `def` of which only the decorators are given
    (`def _F(): ...`), a metavariable stands for a whole statement.
    """
    match node:
        case ast.Name(id=name) | ast.Expr(value=ast.Name(id=name)) if is_metavariable(name):
            return name
        case ast.FunctionDef(name=name) if is_metavariable(name):
            return name
        case _:
            return None


@dataclass(slots=True)
class Match:
    """What a pattern was found to mean at one place.

    `nodes` is what was found: one expression, or consecutive statements. `names` has the
    function's name for each of the pattern's, `captures` what each metavariable stands for.
    """

    nodes: Sequence[ast.expr] | Sequence[ast.stmt]
    names: dict[str, str]
    captures: dict[str, ast.AST] = field(default_factory=dict[str, ast.AST])


class Wanted:
    """A pattern that is looked for in a scope.

    `names` are renamings known beforehand. A name that the scope still binds, or that the module
    knows, means itself; any other name of the pattern means one that the scope binds and that
    the pattern does not mention, and two names never mean the same one.
    """

    def __init__(self, pattern: Sequence[ast.AST], scope: Scope, names: dict[str, str]) -> None:
        """Note which names the pattern mentions."""
        self._pattern, self._scope, self._names = pattern, scope, names
        nodes = (node for each in pattern for node in ast.walk(each))
        self._mentioned = frozenset(node.id for node in nodes if isinstance(node, ast.Name))

    def matched(self, nodes: Sequence[ast.expr] | Sequence[ast.stmt]) -> Match | None:
        """Return the match of as many nodes as the pattern has, None if they are not wanted."""
        matcher = _Matcher(self._scope, self._mentioned, Match(nodes, dict(self._names)))
        return matcher.match if matcher.all_same(self._pattern, nodes) else None


@dataclass(slots=True)
class _Matcher:
    scope: Scope
    mentioned: frozenset[str]
    match: Match

    def all_same(self, patterns: Sequence[object], found: Sequence[object]) -> bool:
        if len(patterns) != len(found):
            return False
        return all(map(self.same, patterns, found))

    def same(self, pattern: object, found: object) -> bool:
        """Tell whether two parts of syntax trees agree, and note what names mean in it."""
        if isinstance(pattern, list) and isinstance(found, list):
            return self.all_same(cast("list[object]", pattern), cast("list[object]", found))
        if not (isinstance(pattern, ast.AST) and isinstance(found, ast.AST)):
            # repr tells 0 from 0.0 from False, and -0.0 from 0.0.
            return repr(pattern) == repr(found)
        captured = captured_name(pattern)
        if captured is not None:
            return self._captures(captured, pattern, found)
        if isinstance(pattern, ast.Name) and isinstance(found, ast.Name):
            same_use = type(pattern.ctx) is type(found.ctx)
            return same_use and self._same_name(pattern.id, found.id)
        if isinstance(pattern, ast.arg) and isinstance(found, ast.arg):
            return self._same_name(pattern.arg, found.arg)
        return self._same_fields(_plain(pattern), _plain(found))

    def _same_fields(self, pattern: ast.AST, found: ast.AST) -> bool:
        if type(pattern) is not type(found):
            return False
        fields = [name for name in pattern._fields if name not in _IGNORED]
        ours = [_field(pattern, name) for name in fields]
        return self.all_same(ours, [_field(found, name) for name in fields])

    def _captures(self, name: str, pattern: ast.AST, found: ast.AST) -> bool:
        if isinstance(pattern, ast.FunctionDef):
            if not isinstance(found, ast.FunctionDef):
                return False
            if not self.same(pattern.decorator_list, found.decorator_list):
                return False
        elif isinstance(found, ast.stmt) is not isinstance(pattern, ast.stmt):
            return False
        before = self.match.captures.setdefault(name, found)
        return before is found or ast.dump(before) == ast.dump(found)

    def _same_name(self, name: str, found: str) -> bool:
        names, scope = self.match.names, self.scope
        if name in names:
            return names[name] == found
        if name in scope.bound or name in scope.known:
            return name == found
        if found not in scope.bound or found in self.mentioned or found in names.values():
            return False
        names[name] = found
        return True


def _plain(node: ast.AST) -> ast.AST:
    """Return an annotated assignment without its annotation."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return ast.Assign([node.target], node.value)
    return node


def _field(node: ast.AST, name: str) -> object:
    value: object = getattr(node, name, None)
    if name == "body" and isinstance(node, ast.FunctionDef):
        return node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return value
