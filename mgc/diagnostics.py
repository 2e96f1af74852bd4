"""What is said to the user of a program that cannot be compiled: a place and a cause.

Every fault in a program is raised as one `Diagnostic`. The command lines catch it, print it as
the one line `FILE:LINE: error: WHAT` and exit with status 1; nothing else catches it.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# `Final` makes the hash safe; a frozen class takes twice as long to make, and there are many spans.
@dataclass(slots=True, unsafe_hash=True)
class Span:
    """A place in a source text: line and column, both counted from 1."""

    line: Final[int]
    column: Final[int]


class Diagnostic(Exception):  # noqa: N818 - the compiler term; it is also what the user sees
    """A fault in the user's input: what is wrong, and where.

    `file` may be absent while a text is being read that has no name yet; `in_file` adds it.
    """

    def __init__(self, message: str, span: Span | None = None, file: str | None = None) -> None:
        """Hold the cause, and the place if there is one."""
        super().__init__(message, span, file)
        self.message = message
        self.span = span
        self.file = file

    def in_file(self, file: str) -> Diagnostic:
        """Return the same fault, placed in `file` unless it already names one."""
        return Diagnostic(self.message, self.span, self.file or file)

    def __str__(self) -> str:
        """Return the one line that is printed: `FILE:LINE: error: WHAT (column C)`."""
        place = self.file or "<input>"
        if self.span is None:
            return f"{place}: error: {self.message}"
        return f"{place}:{self.span.line}: error: {self.message} (column {self.span.column})"


class RunTimeMismatch(Exception):  # noqa: N818 - the fault is in the running program
    """Shapes that only meet when the program runs and do not fit (a `?` dimension).

    `printed` holds what the program had printed before it was stopped.
    """

    def __init__(self, message: str, printed: Sequence[object]) -> None:
        """Hold the cause and the values printed before it was reached."""
        super().__init__(message)
        self.printed = printed


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'WORD'?` for the known word closest to `word`, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
