"""From what a subject writes to numbers: the two ways in which there are none end a check.

Programs run natively in this process, at -O0, each text once.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from checks.subject import Refusal
from mgc.compile import compile_source, run_source
from mgc.diagnostics import Diagnostic
from mgc.ir_parse import parse_ir
from mgc.ir_text import ir_text
from mgc.parse import parse

if TYPE_CHECKING:
    from mgc.meanings import Array
    from mgc.memref_text import Printed
    from mgc.syntax import Statement

REFUSED = "refused"
NOT_A_PROGRAM = "not a program"
FILE = "written.mg"


class Unanswered(Exception):  # noqa: N818 - an outcome of a check, turned into its finding
    """A check has nothing to compare; `cause` is that of the finding it leads to."""

    def __init__(self, cause: str, message: str) -> None:
        """Hold why, and what was said."""
        super().__init__(message)
        self.cause = cause
        self.message = message


def accepted(answer: str | Refusal) -> str:
    """Return the program that was written; Unanswered if the subject refused to."""
    if isinstance(answer, Refusal):
        raise Unanswered(REFUSED, answer.message)
    return answer


def printed(answer: str | Refusal) -> list[Array]:
    """Return what the written program prints; Unanswered if it cannot be compiled."""
    return [
        np.array(each.elements, dtype=np.float64).reshape(each.shape)
        for each in _run(accepted(answer))
    ]


@cache
def statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of a written program; Unanswered if it cannot be compiled."""
    try:
        parse_ir(ir_text(compile_source(text, FILE)))
        return tuple(parse(text))
    except Diagnostic as fault:
        raise Unanswered(NOT_A_PROGRAM, str(fault)) from None


@cache
def _run(text: str) -> list[Printed]:
    try:
        values, trap = run_source(text, FILE, 0)
    except Diagnostic as fault:
        raise Unanswered(NOT_A_PROGRAM, str(fault)) from None
    if trap is not None:
        raise Unanswered(NOT_A_PROGRAM, trap)
    return values
