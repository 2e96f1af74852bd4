"""Source text to syntax: one statement a line, expressions by operator precedence.

The grammar is in docs/language.md. Nothing here recurses: brackets and operators wait on a
stack, so expressions nest as deep as memory allows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from mgc.diagnostics import Diagnostic, Span, did_you_mean
from mgc.scan import LineReader
from mgc.syntax import (
    Def,
    Expression,
    Infix,
    Invoke,
    Item,
    Let,
    Matrix,
    Name,
    Negate,
    Number,
    Parameter,
    Print,
    Statement,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYWORDS = ("def", "let", "print")

_LET = re.compile(r"[ \t]*+(let)[ \t]++([A-Za-z_][A-Za-z0-9_]*+)[ \t]*+=", re.ASCII)
"""The start of a let, as almost every line has it."""

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "@": 2}
_NEGATION_STRENGTH = 3


def parse(source: str) -> Iterator[Statement]:
    """Yield the statements of a program; Diagnostic where the text is not one."""
    for number, line in enumerate(source.replace("\r\n", "\n").split("\n"), start=1):
        statement = parse_line(line, number)
        if statement is not None:
            yield statement


def parse_line(line: str, number: int) -> Statement | None:
    """Return the statement in line `number` of a program, or None if there is only a comment."""
    code = line.partition("#")[0]
    if not code or code.isspace():
        return None
    let = _LET.match(code)
    if let is not None and let[2] not in KEYWORDS:
        reader = LineReader(code, number, let.end())
        statement = Let(let[2], _expression(reader), Span(number, let.start(1) + 1))
    else:
        reader = LineReader(code, number)
        statement = _statement(reader)
    if reader.kind:
        reader.fail(f"the statement should end before {reader.described()}")
    return statement


def _statement(reader: LineReader) -> Statement:
    """Read a statement that does not start as a let should."""
    span = reader.span
    keyword = reader.text
    if keyword not in KEYWORDS:
        hint = did_you_mean(keyword, KEYWORDS) if reader.kind == "word" else ""
        reader.fail(f"a statement starts with def, let or print, not {reader.described()}{hint}")
    reader.advance()
    if keyword == "print":
        return Print(_expression(reader), span)
    if keyword == "let":
        _bad_let(reader)
    return _def(reader, span)


def _bad_let(reader: LineReader) -> NoReturn:
    """Report the first thing after `let` that cannot be there."""
    name = _new_name(reader, "let")
    reader.fail(f"'=' is wanted after 'let {name}', not {reader.described()}")


def _new_name(reader: LineReader, what: str) -> str:
    name = reader.text
    if reader.kind != "word":
        reader.fail(f"a name is wanted after '{what}', not {reader.described()}")
    if name in KEYWORDS:
        reader.fail(f"'{name}' is a reserved word and cannot be a name")
    reader.advance()
    return name


def _def(reader: LineReader, span: Span) -> Def:
    name = _new_name(reader, "def")
    reader.expect("(", f"after 'def {name}'")
    parameters: list[Parameter] = []
    while not reader.accept(")"):
        if parameters:
            reader.expect(",", "between parameters")
        parameters.append(_parameter(reader, parameters, name))
    reader.expect("=", f"after the parameters of '{name}'")
    return Def(name, tuple(parameters), _expression(reader), span)


def _parameter(reader: LineReader, earlier: list[Parameter], def_name: str) -> Parameter:
    span = reader.span
    name = _new_name(reader, "(" if not earlier else ",")
    if any(parameter.name == name for parameter in earlier):
        raise Diagnostic(f"'{def_name}' has two parameters named '{name}'", span)
    reader.expect(":", f"after the parameter '{name}'")
    return Parameter(name, reader.matrix_type(), span)


@dataclass(slots=True)
class _Operator:
    """An operator whose right operand is still being read."""

    item: Negate | Infix
    strength: int


@dataclass(slots=True)
class _Bracket:
    """A `(` that is still open; that of a call collects what the call needs."""

    span: Span
    callee: str = ""
    arity: int = 0
    integers: tuple[tuple[int, ...], ...] = ()


def _expression(reader: LineReader) -> Expression:
    """Read an expression, as far as it goes."""
    items: list[Item] = []
    waiting: list[_Operator | _Bracket] = []
    wants_operand = True
    while True:
        if wants_operand:
            wants_operand = _operand(reader, items, waiting)
        elif strength := _STRENGTH.get(reader.text):
            infix = Infix(reader.text, reader.span)
            _release(items, waiting, strength)
            waiting.append(_Operator(infix, strength))
            reader.advance()
            wants_operand = True
        else:
            bracket = _release(items, waiting, 0)
            if bracket is None:
                return tuple(items)
            wants_operand = _after_argument(reader, items, waiting, bracket)


def _release(
    items: list[Item], waiting: list[_Operator | _Bracket], strength: int
) -> _Bracket | None:
    """Move the operators that bind at least as strongly to the items; return the open bracket."""
    while waiting:
        top = waiting[-1]
        if isinstance(top, _Bracket):
            return top
        if top.strength < strength:
            return None
        items.append(top.item)
        waiting.pop()
    return None


def _operand(reader: LineReader, items: list[Item], waiting: list[_Operator | _Bracket]) -> bool:
    """Read the start of an operand; tell whether one is still wanted after it."""
    span = reader.span
    text = reader.text
    if reader.kind == "word":
        if text in KEYWORDS:
            reader.fail(f"'{text}' is a reserved word and cannot be used in an expression")
        reader.advance()
        if reader.text != "(":
            items.append(Name(text, span))
            return False
        reader.advance()
        if reader.accept(")"):
            items.append(Invoke(text, 0, (), span))
            return False
        waiting.append(_Bracket(span, text))
        return True
    if reader.kind == "number":
        items.append(Number(reader.number(), span))
        return False
    if text == "[":
        items.append(Matrix(reader.matrix(), span))
        return False
    if text == "-":
        waiting.append(_Operator(Negate(span), _NEGATION_STRENGTH))
    elif text == "(":
        waiting.append(_Bracket(span))
    else:
        reader.fail(f"an expression is wanted, not {reader.described()}")
    reader.advance()
    return True


def _after_argument(
    reader: LineReader,
    items: list[Item],
    waiting: list[_Operator | _Bracket],
    bracket: _Bracket,
) -> bool:
    """Read what follows an expression in brackets; tell whether an operand is wanted next."""
    bracket.arity += 1
    more = bracket.callee and reader.accept(",")
    if more and not _integer_arguments(reader, bracket):
        return True
    if reader.text != ")":
        _unclosed(reader, bracket)
    reader.advance()
    waiting.pop()
    if bracket.callee:
        items.append(Invoke(bracket.callee, bracket.arity, bracket.integers, bracket.span))
    return False


def _integer_arguments(reader: LineReader, bracket: _Bracket) -> bool:
    """Read the arguments that are whole numbers; tell whether they were the last ones."""
    if bracket.callee in ("reshape", "permute") and bracket.arity == 1:
        what = "sizes" if bracket.callee == "reshape" else "axes"
        wanted = f"{bracket.callee} wants whole numbers for the {what} after the matrix"
        bracket.integers = (reader.integers(wanted),)
        return True
    if bracket.callee == "contract" and len(bracket.integers) < bracket.arity:
        bracket.integers += (_axes(reader),)
        last = len(bracket.integers) > 1
        if not last:
            reader.expect(",", "before the second matrix of contract")
        return last
    return False


def _axes(reader: LineReader) -> tuple[int, ...]:
    reader.expect("(", "before the axes that contract pairs, as in contract(a, (1), b, (0))")
    if reader.accept(")"):
        return ()
    axes = reader.integers("contract wants whole numbers for the axes")
    reader.expect(")", "after the axes that contract pairs")
    return axes


def _unclosed(reader: LineReader, bracket: _Bracket) -> NoReturn:
    if not reader.kind:
        raise Diagnostic("this '(' is never closed", bracket.span)
    if reader.text == "," and bracket.callee:
        wanted = "')'"
    else:
        wanted = "',' or ')'" if bracket.callee else "an operator or ')'"
    reader.fail(f"{wanted} is wanted here, not {reader.described()}")
