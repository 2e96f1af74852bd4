"""What can be got wrong at one node of a syntax tree, whatever the function is about.

An operator gives, for a node, what may stand there instead. Only what decides what is computed is
changed: `operators` shows this module no annotation, docstring, message or assertion.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

_COMMUTED = (ast.Sub, ast.Div, ast.MatMult)
"""Operations that give something else with their operands the other way round."""

_OPCODES: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
}

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

_CONSTANTS: dict[str, tuple[object, ...]] = {
    "0": (1,),
    "1": (0, 2),
    "2": (1,),
    "0.0": (1.0,),
    "1.0": (0.0, 2.0, -1.0),
    "2.0": (0.5, 1.0, -2.0),
    "0.5": (2.0, 1.0, -0.5),
    "True": (False,),
    "False": (True,),
}

_UNWRAPPED = frozenset(
    {
        "transpose", "ge", "row_sum", "col_sum", "ones_like", "reshape_like", "stretch_like",
        "reversed", "sorted",
    }
)  # fmt: skip
"""Functions whose arguments may stand in the place of what they return."""

_ORDERED = frozenset({"ge"})
"""Functions of two arguments that may be taken for each other."""

_AXES = {"row_sum": "col_sum", "col_sum": "row_sum", "row_max": "col_max", "col_max": "row_max"}


@dataclass(frozen=True, slots=True)
class Change:
    """What an operator does to a node: what stands there instead, nothing for no statement."""

    operator: str
    words: str
    instead: ast.expr | ast.stmt | None


def changes(
    node: ast.AST, others: Mapping[str, Sequence[str]], numbers: Container[str]
) -> Iterator[Change]:
    """Yield every change of a node.

    `others` has, for a name, those that could be meant for it; `numbers` are the names of what is
    no value but a number, and can only scale one.
    """
    yield from _binary(node, numbers)
    for operator in _OPERATORS:
        yield from operator(node)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in others.get(node.id, ()):
            words = f"`{node.id}` is taken to be `{other}`"
            yield Change("other-name", words, ast.Name(other, ast.Load()))


def negated(node: ast.expr) -> Change:
    """Return the change of a value's sign."""
    instead = ast.UnaryOp(ast.USub(), node)
    return Change("negate", f"`{ast.unparse(node)}` has the wrong sign", instead)


def dropped(node: ast.stmt) -> Change:
    """Return the change that leaves out a statement."""
    text = ast.unparse(node).partition("\n")[0]
    return Change("drop-statement", f"`{text}` is missing", None)


def _binary(node: ast.AST, numbers: Container[str]) -> Iterator[Change]:
    if not isinstance(node, ast.BinOp):
        return
    text = ast.unparse(node)
    is_scaled = isinstance(node.op, ast.Mult | ast.Div) and _is_number(node.right, numbers)
    left, right = node.left, node.right
    signed = ast.UnaryOp(ast.USub(), right) if isinstance(node.op, ast.Sub) else right
    is_sum = isinstance(node.op, ast.Add | ast.Sub)
    operator, noun = ("drop-term", "term") if is_sum else ("drop-factor", "factor")
    if not is_scaled:
        yield Change(operator, f"`{text}` loses its first {noun}", signed)
    yield Change(operator, f"`{text}` loses its second {noun}", left)
    if isinstance(node.op, _COMMUTED) and not is_scaled:
        words = f"the operands of `{text}` are exchanged"
        yield Change("swap-operands", words, ast.BinOp(right, node.op, left))
    for op in _OPCODES.get(type(node.op), ()):
        if is_scaled and op is ast.Add:
            continue
        instead = ast.BinOp(left, op(), right)
        words = f"`{text}` is written `{ast.unparse(instead)}`"
        yield Change("swap-opcode", words, instead)


def _is_number(node: ast.expr, numbers: Container[str]) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in numbers)


def _call(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            pass
        case _:
            return
    text = ast.unparse(node)
    if name in _UNWRAPPED:
        for argument in arguments:
            words = f"`{text}` is only `{ast.unparse(argument)}`"
            yield Change("unwrap", words, argument)
    if name in _ORDERED and len(arguments) == len(("x", "y")):
        exchanged = ast.Call(ast.Name(name, ast.Load()), arguments[::-1], keywords)
        yield Change("swap-operands", f"the arguments of `{text}` are exchanged", exchanged)
    if name in _AXES:
        along = ast.Call(ast.Name(_AXES[name], ast.Load()), arguments, keywords)
        yield Change("wrong-axis", f"`{text}` is taken along the other axis", along)


def _unary(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield Change("unwrap", f"`{ast.unparse(node)}` lacks its sign", operand)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Change("condition", f"`{ast.unparse(node)}` is negated", operand)
        case _:
            return


def _constant(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Constant):
        for value in _CONSTANTS.get(repr(node.value), ()):
            words = f"`{node.value!r}` is `{value!r}` instead"
            yield Change("constant", words, ast.parse(repr(value), mode="eval").body)


def _axis(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Subscript(
            value=ast.Attribute(attr="shape") as shape, slice=ast.Constant(value=int(axis))
        ):
            instead = ast.Subscript(shape, ast.Constant(1 - axis), ast.Load())
            words = f"`{ast.unparse(node)}` is taken of the other axis"
            yield Change("wrong-axis", words, instead)
        case _:
            return


def _comparison(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            instead = ast.Compare(left, [_COMPARISONS[type(op)]()], [right])
            words = f"`{ast.unparse(node)}` is written `{ast.unparse(instead)}`"
            yield Change("comparison", words, instead)
        case _:
            return


def _condition(node: ast.AST) -> Iterator[Change]:
    """Drop a part of a condition, or choose without looking."""
    text = "" if not isinstance(node, ast.expr) else ast.unparse(node)
    match node:
        case ast.BoolOp(op=op, values=values):
            for each in values:
                rest = [value for value in values if value is not each]
                instead = rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
                yield Change("condition", f"`{text}` leaves out `{ast.unparse(each)}`", instead)
        case ast.IfExp(body=body, orelse=orelse):
            yield Change("condition", f"`{text}` is always `{ast.unparse(body)}`", body)
            yield Change("condition", f"`{text}` is always `{ast.unparse(orelse)}`", orelse)
        case ast.ListComp(elt=element, generators=[each]) if each.ifs:
            everything = ast.comprehension(each.target, each.iter, [], each.is_async)
            words = f"`{text}` leaves nothing out"
            yield Change("condition", words, ast.ListComp(element, [everything]))
        case _:
            return


def _accumulation(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.AugAssign):
        text = ast.unparse(node)
        words = f"`{text}` replaces instead of adding"
        # An assignment needs a line number to be written down.
        instead = ast.Assign([node.target], node.value, lineno=node.lineno)
        yield Change("accumulation", words, instead)


_OPERATORS = (
    _unary,
    _call,
    _constant,
    _axis,
    _comparison,
    _condition,
    _accumulation,
)
