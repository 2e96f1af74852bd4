"""What is to be differentiated with respect to what; or every reason why it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograd.reverse import needed_for
from autograd.rule_table import Refused, Rule
from autograd.rules import VJPS
from mgc.diagnostics import Diagnostic, did_you_mean
from mgc.shapes import MATRIX_RANK, ShapeError, is_static, shape_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from autograd.expression import Value
    from autograd.flatten import StraightLine
    from autograd.names import LetBinding

ALL = ("all",)
"""Stands for every literal let that the loss depends on, in the order of the source."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asks for.

    `wrt` are names of lets, or `ALL`; the loss is print number `loss`, counted from 0.
    `unused_is_zero` says that a matrix on which the loss does not depend has a gradient of zeros.
    """

    wrt: tuple[str, ...]
    loss: int = 0
    unused_is_zero: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A loss that has a gradient for each of the matrices.

    `steps` are the values that the loss is computed by, in order; `unused` are those of the
    matrices that are not among them. `names` has the names of the steps that a let binds.
    """

    steps: tuple[Value, ...]
    loss: Value
    matrices: dict[str, Value]
    unused: frozenset[str]
    names: dict[Value, str]


def pose(line: StraightLine, bindings: Mapping[str, LetBinding], request: Request) -> Problem:
    """Return the problem that a request poses; Diagnostic, with every cause, if there is none."""
    loss, causes = _chosen_loss(line, request.loss)
    targets = [] if loss is None else [loss]
    needed = needed_for(targets)
    steps = [step for step in line.steps if step in needed]
    moving = _moving(steps, targets)
    if request.wrt == ALL:
        matrices = _every_matrix(line, bindings, moving)
        if loss is not None and not matrices:
            causes.append("the loss depends on no let that is a literal")
    else:
        matrices = _chosen_matrices(request.wrt, bindings, line, causes)
    unused: frozenset[str] = frozenset()
    if loss is not None:
        moved = _moved_by(steps, matrices.values())
        blocked = [
            cause
            for step in steps
            for cause in (*_shape_causes(step), *(_step_causes(step) if step in moved else ()))
        ]
        causes += dict.fromkeys(blocked)
        unused = frozenset(name for name, matrix in matrices.items() if matrix not in needed)
        if not request.unused_is_zero:
            causes += [
                f"the loss does not depend on '{name}'" for name in matrices if name in unused
            ]
        if not blocked:
            used = {name: matrix for name, matrix in matrices.items() if name not in unused}
            causes += _flat_causes(used, moving)
    if causes or loss is None:
        raise Diagnostic("; ".join(causes))
    names = {
        line.by_line[binding.span.line]: name
        for name, binding in bindings.items()
        if binding.span.line in line.by_line
    }
    return Problem(tuple(steps), loss, matrices, unused, names)


def _chosen_loss(line: StraightLine, number: int) -> tuple[Value | None, list[str]]:
    count = len(line.prints)
    if not count:
        return None, ["the program prints nothing, so there is no loss to differentiate"]
    if number >= count:
        matrices = (
            "1 matrix, number 0" if count == 1 else f"{count} matrices, numbers 0 to {count - 1}"
        )
        return None, [f"there is no print {number} to be the loss; the program prints {matrices}"]
    loss, span = line.prints[number]
    if loss.shape == (1, 1):
        return loss, []
    where = f" (line {span.line})" if span else ""
    cause = f"the loss, print {number}{where}, is {shape_text(loss.shape)} and not 1x1"
    return loss, [f"{cause}; sum it, as in print col_sum(row_sum(x))"]


def _every_matrix(
    line: StraightLine, bindings: Mapping[str, LetBinding], moving: set[Value]
) -> dict[str, Value]:
    """Return the literal lets through which the loss can be moved other than by a comparison."""
    literals = {
        name: line.constants[binding.constant]
        for name, binding in bindings.items()
        if binding.constant is not None
    }
    return {name: matrix for name, matrix in literals.items() if matrix in moving}


def _chosen_matrices(
    names: Sequence[str],
    bindings: Mapping[str, LetBinding],
    line: StraightLine,
    causes: list[str],
) -> dict[str, Value]:
    chosen: dict[str, Value] = {}
    for name in names:
        binding = bindings.get(name)
        if binding is None:
            hint = did_you_mean(name, bindings)
            known = ", ".join(bindings) or "none"
            causes.append(f"there is no let '{name}'{hint} (the lets are: {known})")
        elif binding.constant is None:
            where = f"line {binding.span.line}"
            causes.append(f"'{name}' ({where}) is not a matrix literal but computed")
        elif name in chosen:
            causes.append(f"'{name}' is asked for twice")
        else:
            chosen[name] = line.constants[binding.constant]
    return chosen


def _moved_by(steps: Sequence[Value], matrices: Iterable[Value]) -> set[Value]:
    """Return the values that are computed from any of the matrices, in whatever way."""
    moved = set(matrices)
    for step in steps:
        if not moved.isdisjoint(step.operands):
            moved.add(step)
    return moved


def _moving(steps: Sequence[Value], targets: Iterable[Value]) -> set[Value]:
    """Return the values from which a path leads to a target that no comparison cuts."""
    moving = set(targets)
    for step in reversed(steps):
        if step in moving and isinstance(VJPS.get(step.op), Rule):
            moving.update(step.operands)
    return moving


def _where(step: Value) -> str:
    return f" (line {step.span.line})" if step.span else ""


def _shape_causes(step: Value) -> list[str]:
    """The written program needs the size of everything that the loss needs, and sizes that fit.

    A def of unknown sizes may be called with sizes that do not: the program itself traps there.
    """
    if not is_static(step.shape):
        shape = shape_text(step.shape)
        return [f"{step.op}{_where(step)} gives {shape}, a shape known only when the program runs"]
    operands = [operand.shape for operand in step.operands]
    try:
        step.op.shape(*operands, **step.attributes)
    except ShapeError as error:
        return [f"{step.op}{_where(step)}: {error}"]
    return []


def _step_causes(step: Value) -> list[str]:
    causes: list[str] = []
    if len(step.shape) != MATRIX_RANK:
        causes.append(f"gives {shape_text(step.shape)}, which is not a matrix")
    entry = VJPS.get(step.op)
    if entry is None:
        causes.append("has no derivative rule")
    elif isinstance(entry, Refused):
        causes.append(f"is not differentiated: {entry.reason}")
    return [f"{step.op}{_where(step)} {cause}" for cause in causes]


def _flat_causes(matrices: Mapping[str, Value], moving: set[Value]) -> list[str]:
    return [
        f"the loss is flat in '{name}': every path to it goes through a comparison (ge)"
        for name, matrix in matrices.items()
        if matrix not in moving
    ]
