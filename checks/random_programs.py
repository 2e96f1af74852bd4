"""Random Mountain Goat programs that compile, with the values that they must print.

They have lets that hide others, scalars, defs with open sizes, equal literals, values that are
used again and values that nothing uses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from checks.random_domains import ANYTHING, Domain
from checks.random_expressions import MOST_TEXT, SPELLED, Drawn, Scope, matrix_shapes
from mgc import ops
from mgc.literals import Literal, source_matrix
from mgc.shapes import MATRIX_RANK, shape_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypothesis.strategies import DrawFn

    from mgc.meanings import Array
    from mgc.ops import Op

MOST_LINES = 9

NAMES = ("a", "b", "x", "y_1", "_z", "t1", "zero", "relu", "tensor", "main")
"""Few, so that lets are hidden by others, and some that mean something elsewhere."""


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


@dataclass
class Author:
    """Writes one program, statement by statement."""

    scope: Scope
    lines: list[str] = field(default_factory=list)
    printed: list[Array] = field(default_factory=list)
    inputs: dict[str, Array] = field(default_factory=dict)

    @property
    def draw(self) -> DrawFn:
        """What draws from a strategy."""
        return self.scope.draw

    def let(self, value: Drawn, name: str) -> Drawn:
        """Bind a value to a name and return the name as a value."""
        self.lines.append(f"let {name} = {value.text}")
        self._forget(name)
        is_literal = value.text.startswith("[")
        if is_literal:
            self.inputs[name] = value.array
        bound = Drawn(name, value.shape, value.array, is_literal or value.moved)
        self.scope.values.append(bound)
        return bound

    def let_scalar(self) -> None:
        """Bind a scalar to a name."""
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
        """Print a value."""
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
            is_open = st.booleans() if self.scope.domain.open_sizes else st.just(value=False)
            open_sizes = self.draw(st.tuples(is_open, is_open))
            sizes = zip(argument.array.shape, open_sizes, strict=True)
            shape = tuple(None if opened else size for size, opened in sizes)
            name = f"{self.draw(st.sampled_from(('p', 't', 'exp')))}{number + 1}"
            inner.values.append(Drawn(name, shape, argument.array, argument.moved))
            parameters.append(f"{name}: tensor[{shape_text(shape)}]")
        inner.grow(3)
        results = [each for each in inner.values if len(each.shape) == MATRIX_RANK]
        body = results[-1]
        name = f"f{len(self.lines)}"
        self.lines.append(f"def {name}({', '.join(parameters)}) = {body.text}")
        texts = ", ".join(argument.text for argument in arguments)
        return Drawn(f"{name}({texts})", body.shape, body.array, body.moved)


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
        yield scope.literal(author.draw(matrix_shapes))
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
    moved = [each for each in author.scope.values if each.moved]
    latest = (moved or author.scope.values)[-4:]
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
    author.let(author.scope.literal(draw(matrix_shapes)), "w")
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
