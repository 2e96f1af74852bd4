"""Hypothesis strategies: Mountain Goat programs that compile, drawn from the table of operations.

An operation takes part as soon as it has a row in `mgc.ops.OPS` and a spelling in source. What a
program prints is worked out while it is drawn, one operation at a time and without the compiler,
so a program comes with the values that it must print.

`ANYTHING` draws any f64, with infinities and NaN on the way; `SMOOTH` keeps every value of
moderate size and away from where a derivative is infinite or jumps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from mgc import ops
from mgc.literals import Literal, source_matrix
from mgc.ops import OPS, Attributes, Kind, Op
from mgc.shapes import MATRIX_RANK, Shape, ShapeError, is_static, shape_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hypothesis.strategies import DrawFn

    from mgc.meanings import Array

MOST_LINES = 9
MOST_ROWS = 3
MOST_TEXT = 200
"""Of an expression that is used again without a name: reuse doubles it."""

NAMES = ("a", "b", "x", "y_1", "_z", "t1", "zero", "relu", "tensor", "main")
"""Few, so that lets are shadowed, and some that mean something elsewhere."""

STRETCHING = (ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.GE)


@dataclass(frozen=True)
class Domain:
    """The numbers a program may meet: the literals, and what every operation must satisfy.

    `allows` takes the operation, its operands (stretched), its attributes and its result.
    """

    elements: st.SearchStrategy[float]
    positive: st.SearchStrategy[float]
    allows: Callable[[Op, list[Array], Attributes, Array], bool]


@dataclass(frozen=True)
class Program:
    """A drawn program: its source, what it prints, and its matrices.

    `inputs` are the lets that are matrix literals and not shadowed later, `w` at least.
    """

    source: str
    printed: list[Array]
    inputs: dict[str, Array]

    def __repr__(self) -> str:
        return f"Program of\n{self.source}"


@dataclass(frozen=True)
class Drawn:
    """A value: its source text, its shape as the compiler knows it, and its elements."""

    text: str
    shape: Shape
    array: Array


# ---- domains

MARGIN = 0.05
"""From a pole, a kink or a jump: far more than a finite difference steps."""


def _apart(x: Array, axis: int) -> bool:
    ordered = np.sort(x, axis=axis)
    return bool(np.all(np.diff(ordered, axis=axis) > MARGIN))


SMOOTH_WHERE: dict[Op, Callable[..., bool]] = {
    ops.DIV: lambda _x, y: bool(np.all(np.abs(y) > MARGIN)),
    ops.GE: lambda x, y: bool(np.all(np.abs(x - y) > MARGIN)),
    ops.LOG: lambda x: bool(np.all(x > MARGIN)),
    ops.SQRT: lambda x: bool(np.all(x > MARGIN)),
    ops.RELU: lambda x: bool(np.all(np.abs(x) > MARGIN)),
    ops.DIV_SCALAR: lambda _x, value: abs(value) > MARGIN,
    ops.SCALAR_DIV: lambda x, value: bool(np.all(np.abs(x) > MARGIN)) and value != 0.0,
    ops.ROW_MAX: lambda x: _apart(x, 1),
    ops.COL_MAX: lambda x: _apart(x, 0),
}
LIMIT = 100.0


def _smooth(op: Op, operands: list[Array], attributes: Attributes, result: Array) -> bool:
    if not np.all(np.isfinite(result)) or np.max(np.abs(result)) > LIMIT:
        return False
    where = SMOOTH_WHERE.get(op)
    return where is None or where(*operands, **attributes)


def _always(_op: Op, _operands: list[Array], _attributes: Attributes, _result: Array) -> bool:
    return True


finite = st.floats(allow_nan=False, allow_infinity=False)
eighths = st.integers(-24, 24).map(lambda n: n / 8)
ANYTHING = Domain(st.one_of(eighths, st.sampled_from([0.0, -0.0, 1.0]), finite), finite, _always)
SMOOTH = Domain(eighths, st.integers(1, 24).map(lambda n: n / 8), _smooth)


# ---- rows that source has and the table has not: a mean is two operations


def _mean(name: str, axis: int, total: Op) -> Op:
    def shape(x: Shape) -> Shape:
        result = total.shape(x)
        if x[axis] is None:
            raise ShapeError("a mean divides by a size")
        return result

    def evaluate(x: Array) -> Array:
        return total.evaluate(x) / x.shape[axis]

    return Op(name, ("x",), shape, evaluate, "", f"{name}({{x}})")


SPELLED = (
    *(op for op in OPS if op.source and op is not ops.CONSTANT),
    _mean("row_mean", 1, ops.ROW_SUM),
    _mean("col_mean", 0, ops.COL_SUM),
)
"""What an expression may be made of, beside literals and calls."""


# ---- one operation


def _stretched(left: Drawn, right: Drawn) -> list[tuple[Shape, Array]] | None:
    """Both operands, grown where a known 1 meets another known size; None if that is no fit."""
    if len(left.shape) != len(right.shape):
        return None
    grown: list[tuple[Shape, Array]] = []
    for one, other in ((left, right), (right, left)):
        grows = [
            mine == 1 and theirs is not None
            for mine, theirs in zip(one.shape, other.shape, strict=True)
        ]
        pairs = list(zip(grows, one.shape, other.shape, strict=True))
        shape = tuple(theirs if grow else mine for grow, mine, theirs in pairs)
        sizes = zip(grows, one.array.shape, other.array.shape, strict=True)
        actual = tuple(theirs if grow else mine for grow, mine, theirs in sizes)
        grown.append((shape, np.broadcast_to(one.array, actual)))
    return grown


def _attribute_text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else repr(value)


@dataclass(frozen=True)
class Step:
    """An operation with its attributes, as values and as source text, and a domain to stay in."""

    op: Op
    attributes: Attributes
    texts: dict[str, str]
    domain: Domain

    def result(self, operands: list[Drawn]) -> Drawn | None:
        """Return the value, or None where shapes, at either time, or the domain forbid it."""
        pairs: list[tuple[Shape, Array]] | None = [(each.shape, each.array) for each in operands]
        if self.op in STRETCHING:
            pairs = _stretched(operands[0], operands[1])
        if pairs is None:
            return None
        arrays = [array for _, array in pairs]
        try:
            shape = self.op.shape(*(shape for shape, _ in pairs), **self.attributes)
            self.op.shape(*(array.shape for array in arrays), **self.attributes)
        except ShapeError:
            return None
        with np.errstate(all="ignore"):
            array = self.op.evaluate(*arrays, **self.attributes)
        if not self.domain.allows(self.op, arrays, self.attributes, array):
            return None
        texts = dict(zip(self.op.operands, (each.text for each in operands), strict=True))
        return Drawn(self.op.source.format(**texts, **self.texts), shape, array)


# ---- expressions, statements, programs


@dataclass
class Scope:
    """What an expression may use: matrices and scalars by their text."""

    draw: DrawFn
    domain: Domain
    values: list[Drawn] = field(default_factory=list)
    literals: list[Drawn] = field(default_factory=list)
    scalars: dict[str, float] = field(default_factory=dict)

    def literal(self, shape: tuple[int, int], *, positive: bool = False) -> Drawn:
        """Draw a matrix literal, or write down one of this shape again."""
        again = [each for each in self.literals if each.shape == shape]
        if again and self.draw(st.booleans()):
            return self.draw(st.sampled_from(again))
        elements = self.domain.positive if positive else self.domain.elements
        drawn = self.draw(st.lists(elements, min_size=prod(shape), max_size=prod(shape)))
        text = source_matrix(Literal(shape, tuple(drawn)))
        literal = Drawn(text, shape, np.array(drawn, dtype=np.float64).reshape(shape))
        self.literals.append(literal)
        return literal

    def operation(self, op: Op) -> Drawn | None:
        """Draw a use of `op`; None where what was drawn does not lead to one."""
        unary = len(op.operands) == 1
        usable = [each for each in self.values if not unary or self._fits(op, each)]
        first = self._one_of(usable) or self.literal(self.draw(_shapes), positive=True)
        step = self._step(op, first)
        if step is None:
            return None
        operands = [first]
        for _ in op.operands[1:]:
            fitting = [each for each in self.values if step.result([*operands, each])]
            second = self._one_of(fitting) or self._fitting_literal(step, operands)
            if second is None:
                return None
            operands.append(second)
        return step.result(operands)

    def _fits(self, op: Op, operand: Drawn) -> bool:
        if op.attributes:
            return len(operand.shape) == MATRIX_RANK or is_static(operand.shape)
        return Step(op, {}, {}, self.domain).result([operand]) is not None

    def _one_of(self, values: list[Drawn]) -> Drawn | None:
        """Draw one of the values, or now and then none."""
        if not values or self.draw(st.integers(0, 5)) == 0:
            return None
        return self.draw(st.sampled_from(values))

    def _fitting_literal(self, step: Step, operands: list[Drawn]) -> Drawn | None:
        near = {size for each in operands for size in each.array.shape} | {1, 2}
        shapes = [
            (rows, columns)
            for rows in sorted(near)
            for columns in sorted(near)
            if Step(step.op, step.attributes, step.texts, ANYTHING).result(
                [*operands, Drawn("", (rows, columns), np.ones((rows, columns)))]
            )
        ]
        if not shapes:
            return None
        return self.literal(self.draw(st.sampled_from(shapes)), positive=True)

    def _step(self, op: Op, first: Drawn) -> Step | None:
        attributes: dict[str, object] = {}
        texts: dict[str, str] = {}
        for name, kind in op.attributes.items():
            if kind is Kind.F64:
                texts[name], attributes[name] = self.scalar()
                continue
            if not is_static(first.shape):
                return None
            attributes[name] = self.draw(_integers(kind, first.shape))
            texts[name] = _attribute_text(attributes[name])
        return Step(op, attributes, texts, self.domain)

    def scalar(self) -> tuple[str, float]:
        """Draw a scalar: a number, the name of one, or two numbers that fold."""
        value = self.draw(self.domain.positive)
        known = [*self.scalars.items(), (repr(value), value), (repr(-value), -value)]
        text, value = self.draw(st.sampled_from(known))
        if abs(value) < LIMIT and self.draw(st.booleans()):
            return f"({text} * 0.5 - 0.25)", value * 0.5 - 0.25
        return text, value

    def grow(self, steps: int) -> None:
        """Add the results of some operations to the values, written out in full."""
        for op in self.draw(st.lists(st.sampled_from(SPELLED), min_size=1, max_size=steps)):
            value = self.operation(op)
            if value is not None and len(value.text) <= MOST_TEXT:
                self.values.append(value)


_shapes = st.tuples(st.integers(1, MOST_ROWS), st.integers(1, MOST_ROWS))


def _integers(kind: Kind, shape: tuple[int, ...]) -> st.SearchStrategy[tuple[int, ...]]:
    if kind is Kind.INTEGERS:
        return st.permutations(range(len(shape))).map(tuple)
    count = prod(shape)
    sizes = [size for size in range(1, count + 1) if count % size == 0]
    shapes: list[tuple[int, ...]] = [(count,)]
    shapes += [(size, count // size) for size in sizes]
    shapes += [(size, 1, count // size) for size in sizes]
    return st.sampled_from(shapes)


@dataclass
class Author:
    """Writes one program, statement by statement."""

    scope: Scope
    lines: list[str] = field(default_factory=list)
    printed: list[Array] = field(default_factory=list)
    inputs: dict[str, Array] = field(default_factory=dict)

    @property
    def draw(self) -> DrawFn:
        return self.scope.draw

    def let(self, value: Drawn, name: str) -> Drawn:
        """Bind a value to a name and return the name as a value."""
        self.lines.append(f"let {name} = {value.text}")
        self._forget(name)
        if value.text.startswith("["):
            self.inputs[name] = value.array
        bound = Drawn(name, value.shape, value.array)
        self.scope.values.append(bound)
        return bound

    def let_scalar(self) -> None:
        text, value = self.scope.scalar()
        name = self.draw(st.sampled_from(NAMES))
        self.lines.append(f"let {name} = {text}")
        self._forget(name)
        self.scope.scalars[name] = value

    def _forget(self, name: str) -> None:
        """Drop what a new let of this name changes the meaning of."""
        mention = re.compile(rf"\b{name}\b(?!\()")
        self.scope.values = [each for each in self.scope.values if not mention.search(each.text)]
        self.scope.scalars.pop(name, None)
        self.inputs.pop(name, None)

    def print(self, value: Drawn) -> None:
        self.lines.append(f"print {value.text}")
        self.printed.append(value.array)

    def call(self) -> Drawn | None:
        """Write a def around values that are there, and call it with them."""
        matrices = [each for each in self.scope.values if len(each.shape) == MATRIX_RANK]
        if not matrices:
            return None
        arguments = self.draw(st.lists(st.sampled_from(matrices), min_size=1, max_size=3))
        inner = Scope(self.draw, self.scope.domain)
        parameters: list[str] = []
        for number, argument in enumerate(arguments):
            open_sizes = self.draw(st.tuples(st.booleans(), st.booleans()))
            sizes = zip(argument.array.shape, open_sizes, strict=True)
            shape = tuple(None if is_open else size for size, is_open in sizes)
            name = f"{self.draw(st.sampled_from(('p', 't', 'exp')))}{number + 1}"
            inner.values.append(Drawn(name, shape, argument.array))
            parameters.append(f"{name}: tensor[{shape_text(shape)}]")
        inner.grow(3)
        results = [each for each in inner.values if len(each.shape) == MATRIX_RANK]
        body = results[-1]
        name = f"f{len(self.lines)}"
        self.lines.append(f"def {name}({', '.join(parameters)}) = {body.text}")
        texts = ", ".join(argument.text for argument in arguments)
        return Drawn(f"{name}({texts})", body.shape, body.array)


KINDS_OF_LINES = ("op",) * 8 + ("call", "call", "literal", "scalar", "print")


def _one_line_of(author: Author) -> Iterable[Drawn | None]:
    """Write one more statement or def; yield the values that it brings."""
    scope = author.scope
    what = author.draw(st.sampled_from(KINDS_OF_LINES))
    if what == "op":
        yield scope.operation(author.draw(st.sampled_from(SPELLED)))
    elif what == "call":
        yield author.call()
    elif what == "literal":
        yield scope.literal(author.draw(_shapes))
    elif what == "scalar":
        author.let_scalar()
    elif scope.values:
        author.print(author.draw(st.sampled_from(scope.values)))


def _use(scope: Scope, op: Op) -> Drawn:
    """Draw a use of `op`, in as many attempts as it should ever take."""
    attempts = (scope.operation(op) for _ in range(5))
    value = next((each for each in attempts if each), None)
    return value or reject()


def _weighted_sum(author: Author, must: list[Drawn]) -> Drawn:
    """Sum some values, each element times a weight of its own, to a 1x1 matrix."""
    latest = author.scope.values[-4:]
    chosen = must + latest[-1:] + author.draw(st.lists(st.sampled_from(latest), max_size=2))
    texts: list[str] = []
    total = np.zeros((1, 1))
    for each in chosen:
        text, array = each.text, each.array
        if array.ndim != MATRIX_RANK:
            array = array.reshape(1, array.size)
            text = f"reshape({text}, 1, {array.size})"
        weights = tuple(number * 0.375 - 1.0 for number in range(array.size))
        literal = Literal((array.shape[0], array.shape[1]), weights)
        texts.append(f"col_sum(row_sum({text} * {source_matrix(literal)}))")
        total = total + (array * ops.CONSTANT.evaluate(literal)).sum()
    return Drawn(" + ".join(texts), (1, 1), total)


@st.composite
def programs(
    draw: DrawFn, domain: Domain = ANYTHING, *, loss: bool = False, using: Op | None = None
) -> Program:
    """Draw a program of up to about ten statements that compiles and runs to its end.

    With `loss=True` it prints one thing, a weighted sum of some of its values. `using` is an
    operation of `SPELLED` that must be there, and whose result the loss must depend on.
    """
    author = Author(Scope(draw, domain))
    author.let(author.scope.literal(draw(_shapes)), "w")
    must = [author.let(_use(author.scope, using), "v")] if using else []
    for _ in range(draw(st.integers(3, MOST_LINES))):
        for value in _one_line_of(author):
            if value is None:
                continue
            if draw(st.booleans()) or len(value.text) > MOST_TEXT:
                author.let(value, draw(st.sampled_from(NAMES)))
            else:
                author.scope.values.append(value)
    if loss:
        author.lines = [line for line in author.lines if not line.startswith("print")]
        author.printed = []
        author.print(_weighted_sum(author, must))
    else:
        author.print(author.scope.values[-1])
    return Program("\n".join(author.lines) + "\n", author.printed, author.inputs)
