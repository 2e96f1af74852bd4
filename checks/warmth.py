"""Making a process one from which others are forked: what it has done they need not do again.

What mgc's front end makes of a text does not depend on the copy of autograd that is tried, and
nothing changes it afterwards. A copy that reads the programs that the original has read, or that
differentiates what it has just written and then runs it, would parse the same text many times.
"""

from __future__ import annotations

import dataclasses
import gc
import sys
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from typing import TYPE_CHECKING, Any

from mgc import elaborate as elaboration
from mgc import ir_parse, literals, parse
from mgc.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import CodeType

    from mgc.ir import Module
    from mgc.literals import Literal
    from mgc.shapes import StaticShape
    from mgc.syntax import Statement

    Spelling = Callable[[float], str]
    """What spells a number."""

_EXECUTE = "exec"
"""By this name `dataclasses` calls the built-in function."""

_GET_CODE = "get_code"
"""By this name a loader is asked for the code of a module."""


class _Parsed(list["Statement"]):
    """The statements of a text."""

    def __init__(self, source: str, statements: Iterable[Statement]) -> None:
        super().__init__(statements)
        self.source = source


class _FrontEnd:
    """The functions of mgc, each remembering what it has made of a text."""

    def __init__(self) -> None:
        self._parse = parse.parse
        self._parse_line = parse.parse_line
        self._elaborate = elaboration.elaborate
        self._parse_ir = ir_parse.parse_ir
        self._dense_literal = ir_parse.dense_literal
        self._ir_dense = literals.ir_dense
        self._source_matrix = literals.source_matrix
        self._parsed: dict[str, _Parsed] = {}
        self._lines: dict[tuple[str, int], Statement | None] = {}
        self._elaborated: dict[str, Module] = {}
        self._read: dict[str, Module] = {}
        self._literals: dict[str, Literal] = {}
        self._dense: dict[tuple[StaticShape, bytes], str] = {}
        self._matrices: dict[tuple[StaticShape, bytes, Spelling], str] = {}

    @property
    def replacements(self) -> dict[Callable[..., object], Callable[..., object]]:
        """The functions that remember, by those that do not."""
        return {
            self._parse: self.parse,
            self._parse_line: self.parse_line,
            self._elaborate: self.elaborate,
            self._parse_ir: self.parse_ir,
            self._dense_literal: self.dense_literal,
            self._ir_dense: self.ir_dense,
            self._source_matrix: self.source_matrix,
        }

    def parse(self, source: str) -> Iterable[Statement]:
        """Do what mgc.parse does; what has a fault is read as far as it is asked for."""
        if source not in self._parsed:
            try:
                self._parsed[source] = _Parsed(source, self._parse(source))
            except Diagnostic:
                return self._parse(source)
        return self._parsed[source]

    def parse_line(self, line: str, number: int) -> Statement | None:
        """Do what mgc.parse does with a line: a wrong copy writes many as the original does."""
        key = line, number
        if key not in self._lines:
            self._lines[key] = self._parse_line(line, number)
        return self._lines[key]

    def elaborate(self, program: Iterable[Statement]) -> Module:
        """Do what mgc.elaborate does."""
        if not isinstance(program, _Parsed):
            return self._elaborate(program)
        if program.source not in self._elaborated:
            self._elaborated[program.source] = self._elaborate(program)
        return self._elaborated[program.source]

    def parse_ir(self, text: str) -> Module:
        """Do what mgc.ir_parse does."""
        if text not in self._read:
            self._read[text] = self._parse_ir(text)
        return self._read[text]

    def dense_literal(self, text: str) -> Literal:
        """Do what mgc.ir_parse does: the literals of a program are those of its gradients."""
        if text not in self._literals:
            self._literals[text] = self._dense_literal(text)
        return self._literals[text]

    def ir_dense(self, literal: Literal) -> str:
        """Do what mgc.literals does; by bits, because 0.0 == -0.0."""
        key = literal.shape, literal.bits
        if key not in self._dense:
            self._dense[key] = self._ir_dense(literal)
        return self._dense[key]

    def source_matrix(self, literal: Literal, number: Spelling = repr) -> str:
        """Do what mgc.literals does; a spelling of the copy's own is always asked."""
        if number not in (repr, literals.shortest):
            return self._source_matrix(literal, number)
        key = literal.shape, literal.bits, number
        if key not in self._matrices:
            self._matrices[key] = self._source_matrix(literal, number)
        return self._matrices[key]


@contextmanager
def warm() -> Iterator[None]:
    """Let mgc's front end remember, in every module loaded by now and in all loaded meanwhile.

    So does Python's own: most modules of a copy are those of the original, compiled already, and so
    are the methods that their dataclasses are given.

    Garbage is not collected meanwhile: there is hardly any in what lives so short, and looking for
    it among the values of large programs takes a third of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    replacements = _FrontEnd().replacements
    places = [
        (module, name, value)
        for module in list(sys.modules.values())
        for name, value in list(vars(module).items())
        if callable(value) and _among(value, replacements)
    ]
    for module, name, value in places:
        setattr(module, name, replacements[value])
    setattr(SourceFileLoader, _GET_CODE, _remembering(SourceFileLoader.get_code))
    setattr(dataclasses, _EXECUTE, _executing())
    try:
        yield
    finally:
        delattr(dataclasses, _EXECUTE)  # and the built-in function is found again
        delattr(SourceFileLoader, _GET_CODE)  # that of its base class is found again
        for module, name, value in places:
            setattr(module, name, value)
        if collecting:
            gc.enable()


def _remembering(
    found: Callable[[SourceFileLoader, str], CodeType | None],
) -> Callable[[SourceFileLoader, str], CodeType | None]:
    """Return the method of a loader that gets the code of a module, but of no text twice.

    The code of a copy's module then names the file that was read first, which has the same lines.
    That of the first may come from a file that Python wrote earlier, which a copy does not have.
    """
    known: dict[tuple[str, bytes], CodeType | None] = {}

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        key = name, loader.get_data(loader.get_filename(name))
        if key not in known:
            known[key] = found(loader, name)
        return known[key]

    return get_code


def _executing() -> Callable[..., None]:
    """Return what dataclasses execute the texts of their methods by, which compiles none twice."""
    known: dict[str, CodeType] = {}

    def execute(text: str, *namespaces: dict[str, Any]) -> None:
        if text not in known:
            known[text] = compile(text, "<string>", "exec", dont_inherit=True)
        exec(known[text], *namespaces)  # noqa: S102 - what dataclasses do themselves

    return execute


def _among(value: object, functions: Iterable[object]) -> bool:
    return any(value is function for function in functions)
