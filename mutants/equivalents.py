"""Generated mutants that change nothing, each with the reason why it cannot."""

from __future__ import annotations

EQUIVALENTS: dict[str, str] = {}
"""The reason by the id of the mutant."""
