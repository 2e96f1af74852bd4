"""The mutants that the operators give, everywhere in what decides which program is written."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

from mutants.changes import Change, changes, dropped, negated
from mutants.copies import Files, copy_of, read_package
from mutants.equivalents import EQUIVALENTS
from mutants.hand_written import MUTANTS
from mutants.meaning import meaning
from mutants.pattern import Template, find
from mutants.scope import Scope, find_scope, names_of_values, rule_scope
from mutants.slow import SLOW
from mutants.spec import MODULES, Mutant, MutantError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from mutants.matching import Match
    from mutants.tree import Place

_OUT_OF_SCOPE = frozenset({"parsed_direction", "descent_title", "_where", "__init__", "_fresh"})
"""Functions that read the command line, that only word titles and messages, that set up what the
others need, or that search until they find, and would not end."""

_NO_MESSAGE = (ast.Raise, ast.Assert, ast.JoinedStr)
"""What is inside of these is a message, or holds anyway."""

_BLOCKS = frozenset({"body", "orelse", "finalbody"})
_UNCHANGED = frozenset({"annotation", "target", "targets"})

_DERIVATIVES = frozenset({"ct", "tx", "ty"})


def generated(original: Path, taken: Iterable[Mutant] = (*MUTANTS, *SLOW)) -> list[Mutant]:
    """Return the generated mutants of a package, none of which means what a taken one does.

    The id of a mutant says the function, the operator and the how-manieth of these it is there,
    and so does not change with other functions. MutantError where `EQUIVALENTS` names no mutant.
    """
    files = read_package(original)
    known = {(each.file, meaning(copy_of(each, files).changed)) for each in taken}
    mutants: list[Mutant] = []
    for mutant in _every(files):
        key = mutant.file, meaning(copy_of(mutant, files).changed)
        if key not in known:
            known.add(key)
            mutants.append(replace(mutant, reason=EQUIVALENTS.get(mutant.id, "")))
    unknown = sorted(EQUIVALENTS.keys() - {mutant.id for mutant in mutants})
    if unknown:
        raise MutantError(f"{', '.join(unknown)}: said to be equivalent, but not generated")
    return mutants


def _every(files: Files) -> Iterator[Mutant]:
    for name in MODULES:
        tree = ast.parse(files[name])
        for text in _scopes(tree):
            yield from _of_scope(name, find_scope(tree, text), text)


def operator_of(mutant: Mutant) -> str:
    """Return the operator that made a generated mutant."""
    return mutant.id.rsplit("--", 1)[-1].rstrip("0123456789").rstrip("-")


def _scopes(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        rule = rule_scope(node)
        if rule is not None:
            if isinstance(node, ast.FunctionDef):
                yield rule
        elif isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    yield f"{node.name}.{method.name}"


def _of_scope(file: str, scope: Scope, text: str) -> Iterator[Mutant]:
    assert isinstance(scope.node, ast.FunctionDef)
    if scope.node.name in _OUT_OF_SCOPE:
        return
    stem = PurePosixPath(file).with_suffix("").as_posix()
    is_rule = ":" in text
    where = text if is_rule else f"{stem}.{text}"
    slug = "-".join("".join(each if each.isalnum() else " " for each in where).split()).lower()
    ordinals: Counter[str] = Counter()
    for node, change in _sites(scope, is_rule=is_rule):
        ordinals[change.operator] += 1
        pattern, instead = ast.unparse(node), change.instead
        replacement = "" if instead is None else ast.unparse(instead)
        places = _occurrences(scope, node, pattern)
        yield Mutant(
            f"g-{slug}--{change.operator}-{ordinals[change.operator]}",
            f"{where}: {change.words}",
            "generated", file, text, pattern, replacement, len(places),
            next(i for i, (place, _) in enumerate(places) if place.nodes[0] is node),
        )  # fmt: skip


def _occurrences(
    scope: Scope, node: ast.expr | ast.stmt, pattern: str
) -> list[tuple[Place, Match]]:
    body = ast.parse(pattern).body
    is_expression = isinstance(node, ast.expr)
    if is_expression:
        [statement] = body
        assert isinstance(statement, ast.Expr)
        return find(scope, Template([statement.value], "", is_expression=True))
    return find(scope, Template(body, "", is_expression=False))


def _sites(scope: Scope, *, is_rule: bool) -> Iterator[tuple[ast.expr | ast.stmt, Change]]:
    """Yield each node of a function with each change of it."""
    function = scope.node
    assert isinstance(function, ast.FunctionDef)
    others = _other_values(scope) if is_rule else _other_parameters(function)
    numbers = {name for name, kind in _typed_parameters(function).items() if kind == "float"}
    walk = _Walk()
    walk.block(function.body, set(others), is_last=True)
    for node in walk.found:
        for change in changes(node, others, numbers):
            yield node, change
    for node in walk.droppable:
        yield node, dropped(node)
    if is_rule:
        for node in _signed(walk.found):
            yield node, negated(node)


def _other_values(scope: Scope) -> dict[str, list[str]]:
    """Return for each value that a rule names those that could be meant for it."""
    values = names_of_values(scope)
    tangents = [name for name in values if name in _DERIVATIVES]
    primals = [name for name in values if name not in _DERIVATIVES]
    others = {name: primals[i - 1 : i] or primals[-1:] for i, name in enumerate(primals)}
    others = {name: [each for each in other if each != name] for name, other in others.items()}
    for name in tangents:
        others[name] = [*(each for each in tangents if each != name), primals[-1]]
    return others


def _other_parameters(function: ast.FunctionDef) -> dict[str, list[str]]:
    """Return for each parameter those of the same type."""
    typed = _typed_parameters(function)
    return {
        name: [each for each, other in typed.items() if other == kind and each != name]
        for name, kind in typed.items()
    }


def _typed_parameters(function: ast.FunctionDef) -> dict[str, str]:
    return {
        each.arg: ast.unparse(each.annotation)
        for each in function.args.args
        if each.annotation is not None
    }


def _signed(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """Yield the values that a rule returns, and those that it compares."""
    for node in nodes:
        match node:
            case ast.Return(value=ast.Tuple(elts=values)):
                yield from values
            case ast.Return(value=ast.expr() as value):
                yield value
            case ast.Call(func=ast.Name(id="ge"), args=values):
                yield from (each for each in values if not isinstance(each, ast.Call))
            case _:
                pass


@dataclass(slots=True)
class _Walk:
    """What of a function may be changed."""

    found: list[ast.expr | ast.stmt] = field(default_factory=list["ast.expr | ast.stmt"])
    droppable: list[ast.stmt] = field(default_factory=list["ast.stmt"])

    def block(
        self, statements: list[ast.stmt], bound: set[str], *, is_last: bool, loops: bool = False
    ) -> None:
        """Walk the statements of a block, before which some names are bound.

        In a `while` none is left out: it might be the one that ends the loop. `is_last` says that
        the function ends after the block.
        """
        bound = set(bound)
        for node in statements:
            final = is_last and node is statements[-1]
            if not loops and _is_droppable(node, bound, is_last=final):
                self.droppable.append(node)
            if not isinstance(node, _NO_MESSAGE) and not _is_text(node):
                self._statement(node, bound, is_last=final, loops=loops)
            if not hasattr(node, "body"):
                bound |= _stored(node)

    def _statement(self, node: ast.stmt, bound: set[str], *, is_last: bool, loops: bool) -> None:
        self.found.append(node)
        if isinstance(node, ast.FunctionDef):
            self.block(node.body, bound, is_last=True)
            return
        inside = bound | _stored(node.target) if isinstance(node, ast.For) else bound
        for name, value in ast.iter_fields(node):
            if name in _BLOCKS:
                endless = loops or isinstance(node, ast.While)
                final = is_last and isinstance(node, ast.If)
                self.block(value, inside, is_last=final, loops=endless)
            elif name == "cases":
                for case in value:
                    self.block(case.body, inside, is_last=is_last, loops=loops)
            elif name not in _UNCHANGED and not (name == "test" and isinstance(node, ast.While)):
                self._expressions(value)

    def _expressions(self, value: object) -> None:
        if isinstance(value, list):
            for each in cast("list[object]", value):
                self._expressions(each)
        elif isinstance(value, ast.AST) and not _is_text(value):
            if isinstance(value, ast.expr):
                self.found.append(value)
            for _, each in ast.iter_fields(value):
                if not _is_fixed(value, each):
                    self._expressions(each)


def _is_fixed(node: ast.AST, child: object) -> bool:
    """Tell whether another value of a part of a node could only end in an exception."""
    match node:
        case ast.keyword(arg="strict"):
            return True
        case ast.Subscript(slice=index):
            return index is child and isinstance(index, ast.Constant | ast.UnaryOp)
        case ast.Tuple(elts=elements):
            return all(isinstance(each, ast.Constant) for each in elements)
        case _:
            return False


def _is_droppable(node: ast.stmt, bound: set[str], *, is_last: bool) -> bool:
    """Tell whether a function without a statement has a value for every name that it reads."""
    if _is_text(node):
        return False
    match node:
        case ast.Assign() | ast.AugAssign():
            return _stored(node) <= bound
        case ast.Continue() | ast.Break() | ast.Expr() | ast.Raise():
            return True
        case ast.Return():
            return not is_last
        case _:
            return False


def _stored(node: ast.AST) -> set[str]:
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return {each.id for each in names if isinstance(each.ctx, ast.Store)}


def _is_text(node: ast.AST) -> bool:
    """Tell whether a node is text, or decides between texts, or writes a comment.

    What is noted by line only names things in a listing.
    """
    match node:
        case (
            ast.JoinedStr()
            | ast.Constant(value=str())
            | ast.Expr(value=ast.Constant())
            | ast.Expr(value=ast.Call(func=ast.Attribute(attr="comment")))
            | ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="by_line"))])
        ):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return _is_text(body) and _is_text(orelse)
        case ast.BoolOp(values=values):
            return any(_is_text(each) for each in values)
        case ast.If(body=[ast.Assign() as inner], orelse=[]) | ast.Assign(value=inner):
            return _is_text(inner)
        case _:
            return False
