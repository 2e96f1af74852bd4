"""Generated mutants that change nothing, each with the reason why it cannot."""

from __future__ import annotations

_SAME_SHAPE = (
    "an adjoint has the shape of the value that it belongs to: the rules give it that shape, and "
    "adding up keeps it"
)

EQUIVALENTS: dict[str, str] = {
    "g-rule-broadcast--other-name-2": _SAME_SHAPE,
    "g-rule-broadcast--other-name-4": _SAME_SHAPE,
}
"""The reason by the id of the mutant."""
