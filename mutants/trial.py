"""What a copy is put through: each check on each of its items is one trial.

Alone in a module, because what shows results needs no checks.
"""

from __future__ import annotations

from typing import NamedTuple

CHAPTER_GROUPS = (3, 4)
"""The checks that the book's own programs would have been judged by."""


class Trial(NamedTuple):
    """A check on one item, which is a program or what the check brings itself."""

    check: str
    item: str
    group: int
    title: str

    @property
    def id(self) -> str:
        """The name of the trial, as reports show it."""
        return f"{self.check}:{self.item}"
