"""Every size made known: a def is copied for each combination of argument shapes it is called with.

The arguments of `main` are literals, so in the end every value of a program has one static shape.
Shapes that do not fit are only found here where a `?` hid them from `elaborate`; such a program
is cut off at the statement that fails, which is where it stops when it runs.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mgc import ops
from mgc.diagnostics import Diagnostic
from mgc.ir import Apply, Call, Cast, Function, Module, Print, Statement, Value
from mgc.shapes import Shape, ShapeError, StaticShape, is_static, same, shape_text

if TYPE_CHECKING:
    from mgc.ops import Attributes


@dataclass(frozen=True, slots=True)
class StaticProgram:
    """A module without `Cast` in which every shape is static, callees before their callers.

    `trap` is the message with which the program stops after the last statement of main, if the
    source goes on with one whose shapes do not fit.
    """

    module: Module
    trap: str | None


@dataclass(frozen=True, slots=True)
class _Request:
    """A def that is needed for these argument shapes."""

    callee: str
    shapes: tuple[StaticShape, ...]

    @property
    def name(self) -> str:
        return f"{self.callee}<{','.join(shape_text(shape) for shape in self.shapes)}>"


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A specialised def, or the fault that its body runs into."""

    function: Function
    fault: Diagnostic | None


_Specializing = Generator[_Request, _Outcome, _Outcome]


def specialize(module: Module, file: str) -> StaticProgram:
    """Return the program with every shape known; `file` names it in the message of a trap."""
    if _is_specialised(module.main):
        return StaticProgram(Module({}, module.main), None)
    done: dict[_Request, _Outcome] = {}
    main = _run(module, done)
    functions = {
        outcome.function.name: outcome.function
        for outcome in done.values()
        if outcome.fault is None
    }
    trap = None if main.fault is None else str(main.fault.in_file(file))
    return StaticProgram(Module(functions, main.function), trap)


def _is_specialised(function: Function) -> bool:
    """Tell whether every size in the function is known and it calls no def, as most programs."""
    for statement in function.body:
        if isinstance(statement, Apply):
            if not is_static(statement.result.shape):
                return False
        elif not isinstance(statement, Print):
            return False
    return True


def _run(module: Module, done: dict[_Request, _Outcome]) -> _Outcome:
    """Specialise main and, before each call, its callee.

    The stack is our own, since a chain of defs may be longer than Python's.
    """
    stack: list[tuple[_Request | None, _Specializing]] = [(None, _body(module.main, "main", ()))]
    answer: _Outcome | None = None
    while True:
        request, specializing = stack[-1]
        try:
            wanted = next(specializing) if answer is None else specializing.send(answer)
        except StopIteration as finished:
            stack.pop()
            outcome: _Outcome = finished.value
            if request is None:
                return outcome
            done[request] = answer = outcome
            continue
        answer = done.get(wanted)
        if answer is None:
            callee = module.functions[wanted.callee]
            stack.append((wanted, _body(callee, wanted.name, wanted.shapes)))


def _body(function: Function, name: str, shapes: tuple[StaticShape, ...]) -> _Specializing:
    values: dict[Value, Value] = {
        parameter: Value(parameter.name, shape)
        for parameter, shape in zip(function.parameters, shapes, strict=True)
    }
    parameters = tuple(values.values())
    body: list[Statement] = []
    fault: Diagnostic | None = None
    for statement in function.body:
        try:
            if isinstance(statement, Call):
                request = _request(statement, values)
                outcome = yield request
                if outcome.fault is not None:
                    fault = outcome.fault
                    break
                body.append(_called(statement, outcome.function, values))
            elif isinstance(statement, Cast):
                values[statement.result] = _cast(statement, values)
            else:
                body.append(_static_statement(statement, values))
        except ShapeError as error:
            fault = Diagnostic(f"{error}; this only shows when the program runs", statement.span)
            break
    result = None
    if fault is None and function.result is not None:
        result = values[function.result]
    return _Outcome(Function(name, parameters, tuple(body), result), fault)


def _request(call: Call, values: dict[Value, Value]) -> _Request:
    shapes = [values[operand].shape for operand in call.operands]
    assert all(map(is_static, shapes))
    return _Request(call.callee, tuple([shape for shape in shapes if is_static(shape)]))


def _called(call: Call, callee: Function, values: dict[Value, Value]) -> Call:
    assert callee.result is not None
    operands = tuple([values[operand] for operand in call.operands])
    result = _agreed(call.result, callee.result.shape)
    values[call.result] = result
    return Call(callee.name, operands, result, call.span)


def _cast(cast: Cast, values: dict[Value, Value]) -> Value:
    operand = values[cast.operand]
    if same(operand.shape, cast.result.shape) is None:
        msg = (
            f"a {shape_text(operand.shape)} matrix was passed where "
            f"{shape_text(cast.result.shape)} is wanted"
        )
        raise ShapeError(msg)
    return operand


def _static_statement(statement: Apply | Print, values: dict[Value, Value]) -> Statement:
    if isinstance(statement, Print):
        return Print(values[statement.operand], statement.span)
    operands = tuple([values[operand] for operand in statement.operands])
    attributes = statement.attributes
    if operands:
        attributes = resolved_attributes(statement, operands[0].shape)
    shape = statement.op.shape(*[operand.shape for operand in operands], **attributes)
    result = _agreed(statement.result, shape)
    values[statement.result] = result
    return Apply(statement.op, operands, attributes, result, statement.span)


def resolved_attributes(apply: Apply, operand: Shape) -> Attributes:
    """Return the attributes for an operand of this shape.

    A size that a stretch leaves open is the operand's own.
    """
    if apply.op is not ops.BROADCAST:
        return apply.attributes
    wanted = apply.result.shape
    sizes = zip(wanted, operand, strict=True)
    return {"shape": tuple(old if new is None else new for new, old in sizes)}


def _agreed(declared: Value, shape: Shape) -> Value:
    if same(declared.shape, shape) is None:
        msg = f"a {shape_text(shape)} matrix came out where {shape_text(declared.shape)} is wanted"
        raise ShapeError(msg)
    return Value(declared.name, shape)
