"""The IR of a program as one straight line: every call replaced by the body it calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograd.expression import Value
from mgc import ops
from mgc.ir import Apply, Call, Cast, Function, Module, Print

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mgc import ir
    from mgc.diagnostics import Span
    from mgc.ir import Statement


@dataclass(slots=True)
class StraightLine:
    """A program without calls.

    `steps` are its values in the order they are computed, `prints` what it prints and where in
    the source, as far as that is known, and `constants` the literals of its top-level statements
    in the order of the source. `by_line` has what each top-level line of the source comes to.
    """

    steps: list[Value] = field(default_factory=list[Value])
    prints: list[tuple[Value, Span | None]] = field(
        default_factory=list[tuple[Value, "Span | None"]]
    )
    constants: list[Value] = field(default_factory=list[Value])
    by_line: dict[int, Value] = field(default_factory=dict[int, "Value"])


@dataclass(slots=True)
class _Frame:
    """A function being walked: what its names stand for, and where its result goes."""

    function: Function
    values: dict[ir.Value, Value]
    rest: Iterator[Statement]
    call: Call | None


def flatten(module: Module, spans: Mapping[Statement, Span]) -> StraightLine:
    """Return the program of a module; a literal inside a def is one value for all its calls.

    `spans` gives the places in the source, as far as they are known.
    """
    line = StraightLine()
    literals: dict[Apply, Value] = {}
    frames = [_Frame(module.main, {}, iter(module.main.body), None)]
    while frames:
        frame = frames[-1]
        for statement in frame.rest:
            if isinstance(statement, Call):
                frames.append(_entered(module, statement, frame))
                break
            _step(statement, spans.get(statement), frame, line, literals)
        else:
            frames.pop()
            _leave(frame, frames, spans, line)
    return line


def _entered(module: Module, call: Call, caller: _Frame) -> _Frame:
    callee = module.functions[call.callee]
    arguments = [caller.values[operand] for operand in call.operands]
    values = dict(zip(callee.parameters, arguments, strict=True))
    return _Frame(callee, values, iter(callee.body), call)


def _leave(
    frame: _Frame,
    frames: list[_Frame],
    spans: Mapping[Statement, Span],
    line: StraightLine,
) -> None:
    if frame.call is None:
        return
    assert frame.function.result is not None
    result = frame.values[frame.function.result]
    frames[-1].values[frame.call.result] = result
    span = spans.get(frame.call)
    if span is not None and frames[-1].call is None:
        line.by_line[span.line] = result


def _step(
    statement: Apply | Cast | Print,
    span: Span | None,
    frame: _Frame,
    line: StraightLine,
    literals: dict[Apply, Value],
) -> None:
    if isinstance(statement, Print):
        line.prints.append((frame.values[statement.operand], span))
        return
    if isinstance(statement, Cast):
        frame.values[statement.result] = frame.values[statement.operand]
        return
    value = literals.get(statement)
    if value is None:
        operands = tuple([frame.values[operand] for operand in statement.operands])
        shape = statement.result.shape
        value = Value(statement.op, operands, statement.attributes, shape, span)
        line.steps.append(value)
        if statement.op is ops.CONSTANT:
            literals[statement] = value
            if frame.call is None:
                line.constants.append(value)
    frame.values[statement.result] = value
    if span is not None and frame.call is None:
        line.by_line[span.line] = value
