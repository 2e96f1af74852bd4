"""The programs that are measured: the transformer of the book's Chapter 35, and long ones."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TRANSFORMER = EXAMPLES / "h35_transformer_step1.mg"

_FIRST = "let x_0 = [[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [0.1, 0.2, 0.3]]\n"
_WEIGHTS = "let weights = [[0.3, -0.1, 0.7], [0.3, 0.9, -0.7], [0.5, 0.1, -0.4]]\n"
_STATEMENT = (
    "let x_{next} = relu(x_{last} @ weights) * 0.5 + x_{last} / row_sum(x_{last} * x_{last})"
)
_OPERATIONS_PER_STATEMENT = 8
_BYTES_PER_STATEMENT = 800


def long_program(operations: int) -> str:
    """Return a program of about that many IR operations and 100 bytes of source for each."""
    lines = [_FIRST, _WEIGHTS]
    count = operations // _OPERATIONS_PER_STATEMENT
    for index in range(count):
        statement = _STATEMENT.format(next=index + 1, last=index)
        comment = f"  # step {index} of {count}"
        lines.append(f"{statement}{comment}".ljust(_BYTES_PER_STATEMENT - 1, ".") + "\n")
    lines.append(f"print x_{count}\n")
    return "".join(lines)
