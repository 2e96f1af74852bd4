"""The IR as text: reading it back, from the bundled compiler or from any other.

What is read is checked as far as types go: names are defined before they are used and once,
every operation has the operands its row wants, and its result type is what its shape rule says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, NoReturn

from mgc import ops
from mgc.diagnostics import Diagnostic, Span
from mgc.ir import Apply, Call, Cast, Function, Module, Print, Statement, Value
from mgc.ir_text import type_text
from mgc.literals import Literal, float_from_ir
from mgc.ops import Kind, Op
from mgc.shapes import Shape, ShapeError, same, shape_text

_FLOAT = r"0x[0-9A-Fa-f]{16}|-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
_TYPE = r"tensor<(?:[\d?]+x)+f64>"
_SIZE = re.compile(r"[1-9]\d{0,17}|\?", re.ASCII)
_NAME = r"%[A-Za-z0-9_$.-]+"

_APPLY = re.compile(
    rf"(?P<result>{_NAME}) = mg\.(?P<op>\w+) (?P<operands>{_NAME}(?:, {_NAME})*+)"
    rf"(?: \{{(?P<attributes>[^}}]*)\}})? : "
    rf"(?P<types>{_TYPE}(?:, {_TYPE})*+) (?P<arrow>->|to) (?P<type>{_TYPE})",
    re.ASCII,
)
_CONSTANT = re.compile(
    rf"(?P<result>{_NAME}) = mg\.constant dense<\[(?P<rows>[^<>]*)\]> : (?P<type>{_TYPE})", re.ASCII
)
_ROWS = re.compile(
    rf"\[(?:{_FLOAT})(?:, (?:{_FLOAT}))*+\](?:, \[(?:{_FLOAT})(?:, (?:{_FLOAT}))*+\])*+", re.ASCII
)
_CALL = re.compile(
    rf"(?P<result>{_NAME}) = func\.call @(?P<callee>\w+)\((?P<operands>[^)]*)\) : "
    rf"\((?P<types>[^)]*)\) -> (?P<type>{_TYPE})",
    re.ASCII,
)
_CAST = re.compile(
    rf"(?P<result>{_NAME}) = tensor\.cast (?P<operands>{_NAME}) : "
    rf"(?P<types>{_TYPE}) to (?P<type>{_TYPE})",
    re.ASCII,
)
_PRINT = re.compile(rf"mg\.print (?P<operands>{_NAME}) : (?P<types>{_TYPE})", re.ASCII)
_RETURN = re.compile(rf"func\.return (?P<operands>{_NAME}) : (?P<types>{_TYPE})", re.ASCII)
_FUNCTION = re.compile(
    rf"func\.func @(?P<name>\w+)\((?P<parameters>[^)]*)\) -> (?P<type>{_TYPE}|i32) \{{", re.ASCII
)
_PARAMETER = re.compile(rf"({_NAME}): ({_TYPE})", re.ASCII)
_MAIN_ENDS = ("%zero = arith.constant 0 : i32", "func.return %zero : i32")


def parse_ir(text: str) -> Module:
    """Return the module that the text describes; Diagnostic, without a file, where it is none."""
    functions: dict[str, Function] = {}
    main: Function | None = None
    lines = enumerate(text.replace("\r\n", "\n").split("\n"), start=1)
    number = 0
    for number, line in lines:
        head = line.strip()
        if not head:
            continue
        reader = _FunctionReader(head, number, functions)
        for inner_number, inner in lines:
            if reader.read(inner.strip(), inner_number):
                break
        else:
            _fail(f"the '{{' of @{reader.name} is never closed", number)
        function = reader.finish()
        if function.name in functions or (function.name == "main" and main is not None):
            _fail(f"the function @{function.name} is already there", number)
        if function.name == "main":
            main = function
        else:
            functions[function.name] = function
    if main is None:
        _fail("the text has no function @main", number)
    return Module(functions, main)


def _fail(message: str, number: int) -> NoReturn:
    raise Diagnostic(f"IR: {message}", Span(number, 1))


@lru_cache(maxsize=4096)
def _shape(text: str) -> Shape | None:
    """The sizes of `tensor<2x?xf64>`; None where one is neither a positive integer nor `?`."""
    sizes = text[len("tensor<") : -len("xf64>")].split("x")
    if not all(map(_SIZE.fullmatch, sizes)):
        return None
    return tuple(None if size == "?" else int(size) for size in sizes)


def _attribute_pattern(kind: Kind) -> str:
    return {
        Kind.F64: rf"({_FLOAT}) : f64",
        Kind.INTEGERS: r"array<i64: (\d{1,18}(?:, \d{1,18})*)>",
    }[kind]


def _attributes_pattern(op: Op) -> re.Pattern[str]:
    spelled = [
        f"{name} = " + (re.escape(fixed) if fixed else _attribute_pattern(op.attributes[name]))
        for name, fixed in op.mnemonic.attributes
    ]
    return re.compile(", ".join(spelled), re.ASCII)


_BY_MNEMONIC: dict[str, list[tuple[Op, re.Pattern[str]]]] = {}
for _op in ops.OPS:
    _BY_MNEMONIC.setdefault(_op.mnemonic.name, []).append((_op, _attributes_pattern(_op)))


class _Operation(NamedTuple):
    """An operation as a line spells it: in `attributes` is what stands in braces."""

    op: Op
    attributes: dict[str, object]
    result_shapes: tuple[str, ...]
    """The names of the attributes that are the shape of the result."""


@lru_cache(maxsize=4096)
def _operation(mnemonic: str, attributes: str, arrow: str) -> _Operation | None:
    for op, pattern in _BY_MNEMONIC.get(mnemonic, ()):
        found = pattern.fullmatch(attributes)
        if found and op.mnemonic.arrow == arrow:
            kinds = op.attributes.items()
            shapes = tuple(name for name, kind in kinds if kind is Kind.RESULT_SHAPE)
            return _Operation(op, _attribute_values(op, found), shapes)
    return None


class _FunctionReader:
    """Reads one function, line by line."""

    def __init__(self, head: str, number: int, functions: dict[str, Function]) -> None:
        match = _FUNCTION.fullmatch(head)
        if match is None:
            _fail("`func.func @NAME(...) -> TYPE {` is wanted here", number)
        self.name: str = match["name"]
        self.number = number
        self.functions = functions
        self.values: dict[str, tuple[Value, str]] = {}
        """Each with its type, which is spelled in one way only."""
        self.body: list[Statement] = []
        self.result: Value | None = None
        self.returned = False
        self.declared = None if match["type"] == "i32" else self._type(match["type"])
        if (self.name == "main") != (self.declared is None):
            _fail("@main, and no other function, returns i32", number)
        self.parameters = tuple(self._parameter(text) for text in _split(match["parameters"]))
        if self.name == "main" and self.parameters:
            _fail("@main has no parameters", number)

    def _parameter(self, text: str) -> Value:
        match = _PARAMETER.fullmatch(text)
        if match is None:
            _fail(f"a parameter is written %NAME: TYPE, not '{text}'", self.number)
        return self._define(match[1], self._type(match[2]), match[2])

    def read(self, line: str, number: int) -> bool:
        """Read a line of the body; tell whether it was the last one."""
        self.number = number
        if line == "}":
            return True
        if not line or (self.declared is None and line == _MAIN_ENDS[0]):
            return False
        if self.returned:
            _fail("a statement after func.return", number)
        if self.declared is None and line == _MAIN_ENDS[1]:
            self.returned = True
        else:
            self._statement(line)
        return False

    def _statement(self, line: str) -> None:
        for pattern, read in _STATEMENTS:
            if match := pattern.fullmatch(line):
                read(self, match)
                return
        most = 60
        _fail(f"this is no statement of the IR: {line[:most]}", self.number)

    def finish(self) -> Function:
        """Return the function, which must have come to its func.return."""
        if not self.returned:
            _fail(f"@{self.name} ends without func.return", self.number)
        return Function(self.name, self.parameters, tuple(self.body), self.result)

    def _type(self, text: str) -> Shape:
        shape = _shape(text)
        if shape is None:
            _fail(f"a size in {text} is neither a positive integer nor ?", self.number)
        return shape

    def _define(self, name: str, shape: Shape, type_: str) -> Value:
        if name in self.values:
            _fail(f"{name} is defined twice", self.number)
        value = Value(name[1:], shape)
        self.values[name] = value, type_
        return value

    def _operands(self, listed: str, listed_types: str) -> tuple[Value, ...]:
        names, types = _split(listed), _split(listed_types)
        if len(names) != len(types):
            _fail(f"{len(names)} operands but {len(types)} types", self.number)
        operands: list[Value] = []
        for name, type_ in zip(names, types, strict=True):
            known = self.values.get(name)
            if known is None:
                _fail(f"{name} is not defined", self.number)
            value, declared = known
            if declared != type_:
                _fail(f"{name} is a {declared}, not a {type_}", self.number)
            operands.append(value)
        return tuple(operands)

    def read_apply(self, match: re.Match[str]) -> None:
        name, mnemonic, names, braces, types, arrow, type_ = match.groups(default="")
        operation = _operation(mnemonic, braces, arrow)
        if operation is None:
            _fail(f"there is no operation mg.{mnemonic} {{{braces}}}", self.number)
        op, attributes, result_shapes = operation
        operands = self._operands(names, types)
        if len(operands) != len(op.operands):
            _fail(f"{op} takes {len(op.operands)} operands, not {len(operands)}", self.number)
        declared = self._type(type_)
        values = {**attributes, **dict.fromkeys(result_shapes, declared)}
        try:
            shape = op.shape(*[operand.shape for operand in operands], **values)
        except ShapeError as error:
            _fail(f"{op}: {error}", self.number)
        if same(shape, declared) is None:
            _fail(f"{op} gives {shape_text(shape)}, not {shape_text(declared)}", self.number)
        result = self._define(name, declared, type_)
        self.body.append(Apply(op, operands, values, result, Span(self.number, 1)))

    def read_constant(self, match: re.Match[str]) -> None:
        name, text, type_ = match.groups()
        try:
            literal = dense_literal(text)
        except ValueError as error:
            _fail(str(error), self.number)
        if self._type(type_) != literal.shape:
            _fail(f"a {shape_text(literal.shape)} constant of type {type_}", self.number)
        result = self._define(name, literal.shape, type_)
        attributes = {"literal": literal}
        self.body.append(Apply(ops.CONSTANT, (), attributes, result, Span(self.number, 1)))

    def read_call(self, match: re.Match[str]) -> None:
        name, callee_name, names, types, type_ = match.groups()
        callee = self.functions.get(callee_name)
        if callee is None or callee.result is None:
            _fail(f"@{callee_name} is not a function defined before this one", self.number)
        operands = self._operands(names, types)
        wanted = tuple(parameter.shape for parameter in callee.parameters)
        if tuple(operand.shape for operand in operands) != wanted:
            _fail(f"@{callee.name} takes ({', '.join(map(type_text, wanted))})", self.number)
        if type_ != type_text(callee.result.shape):
            _fail(f"@{callee.name} returns {type_text(callee.result.shape)}", self.number)
        result = self._define(name, callee.result.shape, type_)
        self.body.append(Call(callee.name, operands, result, Span(self.number, 1)))

    def read_cast(self, match: re.Match[str]) -> None:
        name, operand_name, operand_type, type_ = match.groups()
        (operand,) = self._operands(operand_name, operand_type)
        shape = self._type(type_)
        if same(operand.shape, shape) is None:
            _fail(f"{operand_type} cannot be a {type_}", self.number)
        result = self._define(name, shape, type_)
        self.body.append(Cast(operand, result, Span(self.number, 1)))

    def read_return(self, match: re.Match[str]) -> None:
        (self.result,) = self._operands(*match.groups())
        if self.declared != self.result.shape:
            _fail(f"@{self.name} returns another type than it declares", self.number)
        self.returned = True

    def read_print(self, match: re.Match[str]) -> None:
        (operand,) = self._operands(*match.groups())
        self.body.append(Print(operand, Span(self.number, 1)))


_STATEMENTS = (
    (_APPLY, _FunctionReader.read_apply),
    (_CONSTANT, _FunctionReader.read_constant),
    (_CALL, _FunctionReader.read_call),
    (_CAST, _FunctionReader.read_cast),
    (_PRINT, _FunctionReader.read_print),
    (_RETURN, _FunctionReader.read_return),
)


def dense_literal(text: str) -> Literal:
    """Return the literal that is written `dense<TEXT>`; ValueError says why it is none."""
    if _ROWS.fullmatch(text) is None:
        msg = "a constant is written dense<[[1.0, 2.0], [3.0, 4.0]]>"
        raise ValueError(msg)
    rows = [row.split(", ") for row in text[1:-1].split("], [")]
    if any(len(row) != len(rows[0]) for row in rows):
        msg = "the rows of a constant differ in length"
        raise ValueError(msg)
    number = float_from_ir if "0x" in text else float
    elements = tuple([number(each) for row in rows for each in row])
    return Literal((len(rows), len(rows[0])), elements)


def _split(listed: str) -> list[str]:
    return listed.split(", ") if listed else []


def _attribute_values(op: Op, match: re.Match[str]) -> dict[str, object]:
    values: dict[str, object] = {}
    groups = iter(match.groups())
    for name, kind in op.attributes.items():
        if kind is Kind.F64:
            values[name] = float_from_ir(next(groups))
        elif kind is Kind.INTEGERS:
            values[name] = tuple(int(axis) for axis in next(groups).split(", "))
    return values
