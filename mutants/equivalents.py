"""Generated mutants that change nothing, each with the reason why it cannot."""

from __future__ import annotations

_SAME_SHAPE = (
    "an adjoint has the shape of the value that it belongs to: the rules give it that shape, and "
    "adding up keeps it"
)

# emit, descend, forward
_CONSTANTS_ONCE = (
    "every literal of the program has a let before any group is written, so the constants without "
    "one are the 1 that the backward pass starts with, alone in its group, and those that rules "
    "bring in; a rule makes a new one for each place and uses it once. So none is counted twice, "
    "none has operands to count, and -O writes no groups"
)
_BROADCAST_FALLS_THROUGH = (
    "what is not returned here goes on to _expression, which begins by returning the same for a "
    "BROADCAST"
)

# expression, flatten, problem, reverse, transform
_LARGER_ON_THE_LEFT = (
    "where a rule or a sum has operands of two shapes, the left one has the shape of both"
)
_SHAPES_FIT = (
    "a problem holds only steps whose shapes fit (_shape_causes refuses the others), and the rules "
    "make adjoints and tangents that fit them"
)
_NO_LOSS_HAS_A_CAUSE = (
    "_chosen_loss returns no loss only together with a cause, and causes are only added to: where "
    "there is no loss there are causes"
)
_EVERY_OPERATION_HAS_A_ROW = (
    "VJPS has a row for each operation of mgc.ops, and a program has no others: the parser of IR "
    "text knows no others, and this is called for steps of a program alone"
)
_UNUSED_IS_NEVER_MET = (
    "a matrix is unused where it is not the loss and no operand of a step that the loss needs, and "
    "so is no such step: the backward pass never meets it, and its gradient is set to zeros after"
)

EQUIVALENTS: dict[str, str] = {
    "g-rule-broadcast--other-name-2": _SAME_SHAPE,
    "g-rule-broadcast--other-name-4": _SAME_SHAPE,
    # emit, descend, forward
    "g-emit-writer-visit--condition-2": _CONSTANTS_ONCE,
    "g-emit-writer-operand--drop-statement-3": _BROADCAST_FALLS_THROUGH,
    # expression, flatten, problem, reverse, transform
    "g-expression-pairwise--other-name-2": _LARGER_ON_THE_LEFT,
    "g-expression-pairwise--drop-statement-1": _SHAPES_FIT,
    "g-problem-pose--condition-13": _NO_LOSS_HAS_A_CAUSE,
    "g-problem-step-causes--drop-statement-2": _EVERY_OPERATION_HAS_A_ROW,
    "g-transform-gradient-program--condition-1": _UNUSED_IS_NEVER_MET,
}
"""The reason by the id of the mutant."""
