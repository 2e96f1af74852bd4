"""One line of source, read from left to right: words, numbers, symbols and matrix literals.

A matrix literal is matched a whole row at a time, which is what makes a program with a large
literal quick to read.
"""

from __future__ import annotations

import re
from math import isfinite
from string import ascii_letters, digits
from typing import NoReturn

from mgc.diagnostics import Diagnostic, Span
from mgc.literals import Literal

_NUMBER = r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
_ELEMENT = rf"[ \t]*+-?[ \t]*+{_NUMBER}[ \t]*+"

_TOKEN = re.compile(rf"{_NUMBER}|[A-Za-z_][A-Za-z0-9_]*|[^ \t]", re.ASCII)
"""A number, a word, or a character that is no blank."""

_KINDS = {
    **dict.fromkeys(digits, "number"),
    **dict.fromkeys(f"{ascii_letters}_", "word"),
    **dict.fromkeys("\n\r\f\v", "stray"),
}
"""The kind of a token by its first character; that of all others is a symbol."""

_ROW = re.compile(rf"[ \t]*+\[({_ELEMENT}(?:,{_ELEMENT})*+)\][ \t]*+", re.ASCII)
_ELEMENTS = re.compile(rf"(?:{_ELEMENT},)*+", re.ASCII)
_TYPE = re.compile(r"[ \t]*+tensor[ \t]*\[[ \t]*(\d+|\?)[ \t]*x[ \t]*(\d+|\?)[ \t]*\]", re.ASCII)
_BLANKS = str.maketrans("", "", " \t")

_MOST_DIGITS = 18
"""Of a size or an axis, so that it is below 2**63, where MLIR's sizes end."""


class LineReader:
    """The tokens of one line: `kind` and `text` are those of the next one, at `start`.

    `kind` is `number`, `word` or `symbol`, and empty at the end of the line.
    """

    __slots__ = ("_waiting", "end", "kind", "line", "source", "start", "text")

    kind: str
    text: str
    start: int
    end: int

    def __init__(self, source: str, line: int, start: int = 0) -> None:
        """Stand before the first token at or after `start`; the line holds no comment any more."""
        self.source = source
        self.line = line
        self._waiting: list[str] = []
        self.end = start
        self.advance()

    def advance(self) -> None:
        """Step over the next token."""
        waiting = self._waiting or self._read_on()
        if not waiting:
            self.kind = self.text = ""
            self.start = self.end = len(self.source)
            return
        self.text = text = waiting.pop()
        self.start = start = self.source.find(text, self.end)  # nothing but blanks is before it
        self.end = start + len(text)
        self.kind = kind = _KINDS.get(text[0], "symbol")
        if kind == "stray":
            self.fail(f"a stray character {text!a}")

    def _read_on(self) -> list[str]:
        """Read the tokens up to the next `[`, since a matrix is not read by tokens."""
        if self.end == len(self.source):
            return self._waiting
        bracket = self.source.find("[", self.end)
        end = len(self.source) if bracket < 0 else bracket + 1
        waiting = self._waiting = _TOKEN.findall(self.source, self.end, end)
        waiting.reverse()
        return waiting

    def _advance_to(self, end: int) -> None:
        """Step to the token after this place."""
        self.end = end
        self._waiting.clear()
        self.advance()

    @property
    def span(self) -> Span:
        """The place of the next token."""
        return Span(self.line, self.start + 1)

    def fail(self, message: str) -> NoReturn:
        """Report a fault at the next token."""
        raise Diagnostic(message, self.span)

    def described(self) -> str:
        """The next token as an error names it."""
        return repr(_shortened(self.text)) if self.kind else "the end of the line"

    def accept(self, symbol: str) -> bool:
        """Step over the symbol if it is the next token."""
        if self.text != symbol:
            return False
        self.advance()
        return True

    def expect(self, symbol: str, where: str) -> None:
        """Step over the symbol, which the grammar demands here."""
        if not self.accept(symbol):
            self.fail(f"'{symbol}' is wanted {where}, not {self.described()}")

    def number(self) -> float:
        """Step over the number that is the next token and return it."""
        value = float(self.text)
        if not isfinite(value):
            self.fail(f"the number {_shortened(self.text)} is out of range for a 64-bit float")
        self.advance()
        return value

    def integers(self, what: str) -> tuple[int, ...]:
        """Step over whole numbers with commas between them and return them."""
        found = [self._integer(what)]
        while self.accept(","):
            found.append(self._integer(what))
        return tuple(found)

    def _integer(self, what: str) -> int:
        if self.kind != "number" or not self.text.isdigit():
            self.fail(f"{what}, not {self.described()}")
        value = self._limited(self.text)
        self.advance()
        return value

    def _limited(self, digits: str) -> int:
        if len(digits) > _MOST_DIGITS:
            self.fail(f"the whole number {_shortened(digits)} is too large")
        return int(digits)

    def matrix_type(self) -> tuple[int | None, int | None]:
        """Step over `tensor[RxC]` and return the sizes, None for `?`."""
        match = _TYPE.match(self.source, self.start)
        if match is None:
            self.fail("a type is wanted here, as in tensor[2x3] or tensor[?x3]")
        rows, columns = (None if size == "?" else self._limited(size) for size in match.groups())
        if rows == 0 or columns == 0:
            self.fail("a size of 0 in a type; a size is a positive integer or ?")
        self._advance_to(match.end())
        return rows, columns

    def matrix(self) -> Literal:
        """Step over the matrix literal whose `[` is the next token and return it."""
        elements: list[float] = []
        rows = columns = 0
        end = self.end
        while True:
            match = _ROW.match(self.source, end)
            if match is None:
                self._bad_row(end)
            row = [float(text) for text in match[1].translate(_BLANKS).split(",")]
            rows += 1
            columns = columns or len(row)
            if len(row) != columns or not all(map(isfinite, row)):
                self._bad_elements(match, rows, columns, row)
            elements += row
            end = match.end()
            if self.source[end : end + 1] != ",":
                break
            end += 1
        self._advance_to(end)
        self.expect("]", "after the last row of a matrix")
        return Literal((rows, columns), tuple(elements))

    def _bad_elements(
        self, match: re.Match[str], rows: int, columns: int, row: list[float]
    ) -> NoReturn:
        texts = match[1].split(",")
        place = match.start(1)
        for text, value in zip(texts, row, strict=True):
            if not isfinite(value):
                number = text.strip(" \t")
                span = Span(self.line, place + len(text) - len(text.lstrip(" \t")) + 1)
                msg = f"the number {_shortened(number)} is out of range for a 64-bit float"
                raise Diagnostic(msg, span)
            place += len(text) + 1
        msg = f"row {rows} of the matrix has {len(row)} numbers, row 1 has {columns}"
        raise Diagnostic(msg, Span(self.line, match.start(1)))

    def _bad_row(self, start: int) -> NoReturn:
        """Report the first thing in a row that cannot be there."""
        self._advance_to(start)
        if not self.accept("["):
            self.fail(
                f"a matrix is rows in brackets, as in [[1, 2], [3, 4]]; here is {self.described()}"
            )
        elements = _ELEMENTS.match(self.source, self.start)
        self._advance_to(elements.end() if elements else self.start)
        self.accept("-")
        if self.kind == "number":
            self.advance()
            self.fail(f"',' or ']' is wanted after a number in a row, not {self.described()}")
        self.fail(f"a row of a matrix holds numbers, not {self.described()}")


def _shortened(text: str) -> str:
    """A number or a name of a thousand characters is not worth repeating."""
    most = 40
    return text if len(text) <= most else f"{text[:most]}..."
