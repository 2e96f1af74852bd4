"""Comparing what a subject refuses, and the whole line with which it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.subject import Refusal

if TYPE_CHECKING:
    from checks.comparison import Comparison

REASON = "a message is that text or another; the error is infinite where it is another"


def compare_refusal(comparison: Comparison, name: str, answer: str | Refusal, message: str) -> None:
    """Compare an answer with the message of a refusal; a program in its place is an error."""
    found = answer.message if isinstance(answer, Refusal) else "a program was written"
    comparison.text(name, found, message)
