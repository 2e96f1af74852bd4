"""What a program computes and how fast it changes, without a derivative rule.

The IR of the source is walked through its defs and evaluated with NumPy, each operation by its
own `evaluate`. A derivative comes from evaluating again beside the program's numbers: a little
way along the imaginary axis (exact to rounding), or along the real one (`differences`). Only
what depends on a changed literal is evaluated again. Nothing here knows autograd.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from checks.complex_meanings import (
    AT_KINKS,
    COMPLEX_MEANINGS,
    STACKED_MEANINGS,
    STEP,
    Convention,
)
from mgc import ops
from mgc.compile import compile_source
from mgc.ir import Apply, Call, Cast, Function, Print, Value
from mgc.parse import parse
from mgc.specialize import resolved_attributes
from mgc.syntax import Let, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from checks.complex_meanings import Stack
    from mgc.diagnostics import Span
    from mgc.meanings import Array
    from mgc.ops import Attributes, Op

DIFFERENCE_STEP = 1e-3
"""Relative to 1 or to the entry of the literal, if that is larger. The fourth-order formula errs
by about STEP**4 / 30 of a fifth derivative, and by rounding of about 1e-16 / STEP."""

MOST_STACKED = 32
"""Matrices that are evaluated at once: as many cost little more than one, until they are so many
that memory is slower than NumPy."""


@dataclass(frozen=True, slots=True)
class Step:
    """One operation, once for every time that it is carried out; operands by number."""

    op: Op
    operands: tuple[int, ...]
    attributes: Attributes


class Reference:
    """A program as the list of what it carries out.

    `values` has the result of each step, `prints` the numbers of those that are printed, and
    `literals` those of the lets that are one literal, by name.
    """

    def __init__(self, source: str) -> None:
        """Evaluate the program; Diagnostic where it cannot be compiled."""
        self.steps: list[Step] = []
        self.values: list[Array] = []
        self.prints: list[int] = []
        self._module = compile_source(source, "program.mg")
        self._places: dict[Span, int] = {}
        with np.errstate(all="ignore"):
            self._walk(self._module.main, ())
        self.literals = dict(self._literal_lets(source))
        self._reached: dict[tuple[frozenset[int], bool], list[int]] = {}
        self._last_uses = {
            operand: number for number, step in enumerate(self.steps) for operand in step.operands
        }

    # ---- the program itself

    def _walk(self, function: Function, arguments: Sequence[int]) -> int | None:
        numbers: dict[Value, int] = dict(zip(function.parameters, arguments, strict=True))
        for statement in function.body:
            match statement:
                case Apply():
                    operands = tuple(numbers[each] for each in statement.operands)
                    numbers[statement.result] = self._carry_out(statement, operands)
                    if statement.op is ops.CONSTANT:
                        self._places[statement.span] = numbers[statement.result]
                case Call():
                    callee = self._module.functions[statement.callee]
                    result = self._walk(callee, [numbers[each] for each in statement.operands])
                    assert result is not None
                    numbers[statement.result] = result
                case Cast():
                    numbers[statement.result] = numbers[statement.operand]
                case Print():
                    self.prints.append(numbers[statement.operand])
        return None if function.result is None else numbers[function.result]

    def _carry_out(self, apply: Apply, operands: tuple[int, ...]) -> int:
        attributes = apply.attributes
        if operands:
            attributes = resolved_attributes(apply, self.values[operands[0]].shape)
        self.steps.append(Step(apply.op, operands, attributes))
        arrays = [self.values[each] for each in operands]
        self.values.append(apply.op.evaluate(*arrays, **attributes))
        return len(self.values) - 1

    def _literal_lets(self, source: str) -> Iterator[tuple[str, int]]:
        """Yield the last let of each name where it is one literal: found by where it stands."""
        last = {each.name: each.expression for each in parse(source) if isinstance(each, Let)}
        for name, expression in last.items():
            first = expression[0]
            if len(expression) == 1 and isinstance(first, Matrix):
                yield name, self._places[first.span]

    def printed(self, number: int = 0) -> Array:
        """Return what print `number` prints, counted from 0."""
        return self.values[self.prints[number]]

    def shape(self, name: str) -> tuple[int, int]:
        """Return the shape of a literal let."""
        rows, columns = self.values[self.literals[name]].shape
        return rows, columns

    # ---- what depends on what

    def reached(self, literals: frozenset[int], *, past_comparisons: bool = True) -> list[int]:
        """Return the numbers of the steps that depend on any of the literals, in order.

        Without `past_comparisons` a dependence through `ge` does not count.
        """
        key = literals, past_comparisons
        if key not in self._reached:
            moved = set(literals)
            order: list[int] = []
            for number, step in enumerate(self.steps):
                if not past_comparisons and step.op is ops.GE:
                    continue
                if not moved.isdisjoint(step.operands):
                    moved.add(number)
                    order.append(number)
            self._reached[key] = order
        return self._reached[key]

    def depends(self, name: str, number: int = 0, *, past_comparisons: bool = True) -> bool:
        """Tell whether a print depends on a literal let at all."""
        start = self.literals[name]
        end = self.prints[number]
        reached = self.reached(frozenset([start]), past_comparisons=past_comparisons)
        return end == start or end in reached

    def has_kinks(self) -> bool:
        """Tell whether anything the program carries out lies at a kink of its operation."""
        return any(
            step.op in AT_KINKS and AT_KINKS[step.op](self.values[step.operands[0]])
            for step in self.steps
        )

    # ---- evaluating again

    def _again(
        self,
        changed: Mapping[int, Stack],
        target: int,
        convention: Convention = Convention.ALONG,
    ) -> Stack:
        """Return the value of a step with these literals, real or complex, in place of theirs.

        Each literal is a stack of as many matrices, and so is the value.
        """
        values = dict(changed)
        for number in self.reached(frozenset(changed)):
            if number > target:
                break
            step = self.steps[number]
            operands = [
                values[each] if each in values else self.values[each] for each in step.operands
            ]
            values[number] = _evaluated(step, operands, convention)
            for each in step.operands:
                if self._last_uses[each] == number and each != target:
                    values.pop(each, None)
        if target in values:
            return values[target]
        return np.stack([self.values[target]] * len(next(iter(changed.values()))))

    def derivatives(
        self, directions: Sequence[Mapping[str, Array]], number: int, convention: Convention
    ) -> list[Array]:
        """Return the derivative of a print along each change of literal lets, by complex step.

        All the changes are of the same lets.
        """
        names = directions[0]
        stacks = {name: np.stack([each[name] for each in directions]) for name in names}
        return list(self._along(stacks, number, convention))

    def _along(self, directions: Mapping[str, Stack], number: int, convention: Convention) -> Stack:
        """Return the derivatives of a print along each direction of a stack."""
        changed = {
            self.literals[name]: self.values[self.literals[name]] + STEP * 1j * stack
            for name, stack in directions.items()
        }
        with np.errstate(all="ignore"):
            values = self._again(changed, self.prints[number], convention)
        return np.imag(values) / STEP

    def slopes(
        self,
        name: str,
        number: int = 0,
        *,
        to: float = 1.0,
        convention: Convention = Convention.ALONG,
    ) -> Array:
        """Return the derivative of a 1x1 print in each entry of a literal let, by complex step.

        With `to=-1.0` they are the slopes to the left of the kinks; elsewhere it is the same.
        """
        shape = self.shape(name)
        slopes = np.zeros(prod(shape))
        for places in _stacks(len(slopes)):
            directions = np.zeros((len(places), len(slopes)))
            directions[range(len(places)), places] = to
            stack = directions.reshape(-1, *shape)
            found = self._along({name: stack}, number, convention)
            slopes[places] = found.reshape(-1) / to
        return slopes.reshape(shape)

    def differences(self, name: str, number: int = 0) -> Array:
        """Return the derivative of a 1x1 print in each entry, by fourth-order differences."""
        literal = self.literals[name]
        start = self.values[literal]
        differences = np.zeros(start.size)
        for places in _stacks(start.size):
            steps = DIFFERENCE_STEP * np.maximum(1.0, np.abs(start.reshape(-1)[places]))
            losses = {
                way: self._moved(literal, places, way * steps, number) for way in (-2, -1, 1, 2)
            }
            near, far = losses[1] - losses[-1], losses[2] - losses[-2]
            differences[places] = (8.0 * near - far) / (12.0 * steps)
        return differences.reshape(start.shape)

    def _moved(self, literal: int, places: range, by: Array, number: int) -> Array:
        """Return a 1x1 print for each place of a literal, with what is there moved."""
        start = self.values[literal]
        moved = np.repeat(start.reshape(1, -1), len(places), axis=0)
        moved[range(len(places)), places] += by
        with np.errstate(all="ignore"):
            stack = moved.reshape(-1, *start.shape)
            losses = self._again({literal: stack}, self.prints[number])
        return losses.reshape(-1)


def _evaluated(step: Step, operands: list[Stack], convention: Convention) -> Stack:
    """Return what an operation gives for operands of which some are stacks."""
    meaning = COMPLEX_MEANINGS.get(step.op)
    if meaning is not None and any(np.iscomplexobj(each) for each in operands):
        return meaning(*operands, convention)
    return STACKED_MEANINGS.get(step.op, step.op.evaluate)(*operands, **step.attributes)


def _stacks(count: int) -> Iterator[range]:
    """Yield the numbers below `count` in stacks."""
    for start in range(0, count, MOST_STACKED):
        yield range(start, min(start + MOST_STACKED, count))


@cache
def reference(source: str) -> Reference:
    """Return the reference of a source, evaluated once in this process."""
    return Reference(source)


def slopes(
    source: str, name: str, number: int, to: float = 1.0, convention: Convention = Convention.ALONG
) -> Array:
    """Return `Reference.slopes`, worked out once in this process."""
    return _slopes(source, name, number, to, convention)


@cache
def _slopes(source: str, name: str, number: int, to: float, convention: Convention) -> Array:
    # By position: the cache takes the same arguments by name for others.
    return reference(source).slopes(name, number, to=to, convention=convention)
