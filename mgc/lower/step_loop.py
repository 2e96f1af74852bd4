"""The loop that calls kernels one after the other, with addresses that it works out itself.

What a program does from one call of a def to the next is a table of steps. A table is data: a
program whose kernels are compiled is run without compiling anything for it.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mgc.lower.arena import Place

SYMBOL = "step_loop"
"""The function of `TEXT`. It takes a table, its size in bytes and the array of the bases."""

_STEP = Struct("=8qd")
"""The kernel's address, its form, three places of a base's number and an offset in bytes (of the
operands and, always third, of the result), and the number of a scalar op."""

_UNARY, _SCALAR, _BINARY = range(3)
_FORMS = {(1, 0): _UNARY, (1, 1): _SCALAR, (2, 0): _BINARY}
"""How a kernel is called, by how many operands and numbers it takes."""

_NO_PLACE = 0, 0
"""Of the second operand, for a kernel that takes one."""


def _place(name: str, word: int) -> str:
    """Return the instructions that find an address: its place begins at this word of a step."""
    return f"""\
  %{name}_base = getelementptr i64, ptr %step, i64 {word}
  %{name}_number = load i64, ptr %{name}_base
  %{name}_offset = getelementptr i64, ptr %step, i64 {word + 1}
  %{name}_bytes = load i64, ptr %{name}_offset
  %{name}_entry = getelementptr ptr, ptr %bases, i64 %{name}_number
  %{name}_start = load ptr, ptr %{name}_entry
  %{name} = getelementptr i8, ptr %{name}_start, i64 %{name}_bytes
"""


TEXT = f"""\
define void @{SYMBOL}(ptr %table, i64 %size, ptr %bases) nounwind {{
entry:
  %end = getelementptr i8, ptr %table, i64 %size
  br label %head
head:
  %step = phi ptr [ %table, %entry ], [ %following, %done ]
  %is_end = icmp eq ptr %step, %end
  br i1 %is_end, label %finish, label %body
body:
  %kernel = load ptr, ptr %step
  %form_at = getelementptr i64, ptr %step, i64 1
  %form = load i64, ptr %form_at
{_place("x", 2)}{_place("y", 4)}{_place("out", 6)}  %value_at = getelementptr i64, ptr %step, i64 8
  %value = load double, ptr %value_at
  switch i64 %form, label %binary [ i64 {_UNARY}, label %unary i64 {_SCALAR}, label %scalar ]
unary:
  call void %kernel(ptr %x, ptr %out)
  br label %done
scalar:
  call void %kernel(ptr %x, double %value, ptr %out)
  br label %done
binary:
  call void %kernel(ptr %x, ptr %y, ptr %out)
  br label %done
done:
  %following = getelementptr i8, ptr %step, i64 {_STEP.size}
  br label %head
finish:
  ret void
}}
"""


def packed(kernel: int, operands: list[Place], out: Place, numbers: Sequence[float]) -> bytes:
    """Return the step that calls the kernel at this address; `out` is where its result goes."""
    form = _FORMS[len(operands), len(numbers)]
    (x, x_offset), (y, y_offset) = operands if form == _BINARY else (*operands, _NO_PLACE)
    number = numbers[0] if numbers else 0.0
    return _STEP.pack(kernel, form, x, x_offset, y, y_offset, out.base, out.offset, number)
