"""Replace what a pattern describes, in one scope of a module, by something else.

Positions of the syntax tree are spliced into the bytes of the source, so that everything else
stays as it is written. A pattern is one expression, or statements that follow one another;
`matching` says what it matches. In the replacement, a metavariable is the text that it stands
for, and a name is that of the function. Whatever comes out is parsed again and compared with
the tree that was to be made: nothing else can have changed.
"""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from mutants.matching import Match, Wanted, captured_name
from mutants.meaning import lines_of
from mutants.scope import Scope, find_scope
from mutants.spec import Mutant, MutantError
from mutants.splice import Edit, Source, spliced
from mutants.tree import Place, block_places, expression_places

if TYPE_CHECKING:
    from collections.abc import Sequence


@lru_cache(maxsize=4096)
def mutated(source: bytes, mutant: Mutant) -> bytes:
    """Return the source of a module with a mutant in it; MutantError if it does not apply."""
    try:
        # The statement of the module that holds the scope is a module of its own, and a small one.
        start, end, known = _around(source, mutant.scope)
        return source[:start] + _mutated(source[start:end], mutant, known) + source[end:]
    except MutantError as error:
        raise MutantError(f"{mutant.id} ({mutant.file}, {mutant.scope}): {error}") from None


@lru_cache(maxsize=1024)
def _around(source: bytes, text: str) -> tuple[int, int, frozenset[str]]:
    """Return where the statement of a module that holds a scope begins and ends.

    Also, what names the scope can read from outside.
    """
    tree = _module(source)
    scope = find_scope(tree, text)
    if isinstance(scope.node, ast.Module):
        return 0, len(source), scope.known
    ranges = [lines_of(each) for each in tree.body]
    [(first, last)] = [each for each in ranges if each[0] <= scope.node.lineno <= each[1]]
    lines = source.splitlines(keepends=True)
    return sum(map(len, lines[: first - 1])), sum(map(len, lines[:last])), scope.known


@lru_cache(maxsize=64)
def _module(source: bytes) -> ast.Module:
    return ast.parse(source)


def _mutated(source: bytes, mutant: Mutant, known: frozenset[str]) -> bytes:
    tree = ast.parse(source)
    scope = replace(find_scope(tree, mutant.scope), known=known)
    template = _template(mutant)
    found = find(scope, template)
    if len(found) != mutant.count:
        raise MutantError(f"the pattern matches {len(found)} times, and not {mutant.count}")
    chosen = found if mutant.occurrence is None else [found[mutant.occurrence]]
    text = Source(source)
    edits: list[Edit] = []
    for place, match in chosen:
        rendered = _rendered(template, match, text)
        statements = _parsed(rendered)
        edits += _completed(scope, statements)
        edits.append(Edit(place, _hung(statements, template), rendered))
    return spliced(text, tree, edits)


def _hung(statements: list[ast.stmt], template: Template) -> Sequence[ast.AST]:
    match statements:
        case [ast.Expr(value=value)] if template.is_expression:
            return [value]
        case _:
            return statements


@dataclass(frozen=True, slots=True)
class Template:
    """A pattern and its replacement; both are expressions, or both are statements."""

    pattern: Sequence[ast.AST]
    replacement: str
    is_expression: bool


@lru_cache(maxsize=1024)
def _parse(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except SyntaxError as error:
        raise MutantError(f"'{text}' is no Python: {error.msg}") from None


def _template(mutant: Mutant) -> Template:
    replacement = textwrap.dedent(mutant.replacement).strip("\n")
    pattern = _parse(textwrap.dedent(mutant.pattern).strip("\n"))
    if not pattern:
        raise MutantError("the pattern is empty")
    match pattern, _parse(replacement):
        case [ast.Expr(value=expression)], [ast.Expr()]:
            return Template([expression], replacement, is_expression=True)
        case _:
            return Template(pattern, replacement, is_expression=False)


def find(scope: Scope, template: Template) -> list[tuple[Place, Match]]:
    """Return the places in a scope that a pattern matches, each before those within it."""
    names = scope.renamed_parameters()
    if template.is_expression:
        places = list(expression_places(scope.node))
    else:
        length = len(template.pattern)
        places = [*_itself(scope, length), *block_places(scope.node, length)]
    wanted = Wanted(template.pattern, scope, names)
    matches = [(place, wanted.matched(place.nodes)) for place in places]
    return [(place, match) for place, match in matches if match is not None]


def _itself(scope: Scope, length: int) -> list[Place]:
    if scope.node is scope.holder or length != 1:
        return []
    return [Place(scope.holder, "body", scope.holder.body.index(cast("ast.stmt", scope.node)))]


def _rendered(template: Template, match: Match, source: Source) -> str:
    """Return the replacement in the words of the place where it is to stand."""
    text = Source(template.replacement.encode())
    pieces: list[tuple[int, int, str]] = []
    for node in _outermost(_parse(template.replacement)):
        name = captured_name(node)
        if name is not None:
            if name not in match.captures:
                raise MutantError(f"the pattern has no {name}")
            pieces.append((*text.span(node), _operand(match.captures[name], source)))
        elif isinstance(node, ast.Name) and node.id in match.names:
            pieces.append((*text.span(node), match.names[node.id]))
    return text.with_pieces(pieces).decode()


def _operand(captured: ast.AST, source: Source) -> str:
    """Return the text of what a metavariable stands for, in brackets where operators bind it."""
    piece = source.text(captured)
    loose = isinstance(captured, ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.Compare | ast.IfExp)
    return f"({piece})" if loose else piece


def _outermost(nodes: Sequence[ast.AST]) -> list[ast.AST]:
    """Return the nodes of some trees, but not what lies within a metavariable."""
    found: list[ast.AST] = []
    for node in nodes:
        found.append(node)
        if captured_name(node) is None:
            found += _outermost(list(ast.iter_child_nodes(node)))
    return found


def _parsed(rendered: str) -> list[ast.stmt]:
    try:
        return ast.parse(rendered).body
    except SyntaxError as error:
        raise MutantError(f"the copy would not parse: {error.msg} in '{rendered}'") from None


def _completed(scope: Scope, replacement: Sequence[ast.stmt]) -> list[Edit]:
    """Return the edits that let a rule ask for what its replacement names.

    MutantError for a name that means nothing where it is to stand.
    """
    nodes = [node for each in replacement for node in ast.walk(each)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    read = dict.fromkeys(each.id for each in names if isinstance(each.ctx, ast.Load))
    own = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    unknown = [name for name in read if name not in scope.bound | scope.known | own]
    edits: list[Edit] = []
    for name in unknown:
        if name not in scope.offered or not isinstance(scope.node, ast.FunctionDef):
            raise MutantError(f"the replacement reads '{name}', which nothing binds")
        kind = scope.offered[name]
        arguments = scope.node.args
        place = Place(arguments, "args", len(arguments.args), 0)
        argument = ast.arg(name, ast.Name(kind, ast.Load()))
        edits.append(Edit(place, [argument], f"{name}: {kind}"))
    return edits
