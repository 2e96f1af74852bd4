"""The passes, in their order, and what each did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograd.expression import Value, constant
from autograd.optimize.algebra import EXACT
from autograd.optimize.graph import (
    Builder,
    Rules,
    groups_operands_first,
    operands_first,
    together,
    untried,
    with_operands,
)
from autograd.optimize.products import PRODUCTS
from autograd.optimize.regrouping import REGROUPING
from autograd.optimize.schedule import peak_bytes, scheduled
from autograd.optimize.softmax import shortcuts
from autograd.reverse import backward, needed_for
from mgc.literals import full
from mgc.ops import Op
from mgc.shapes import static

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograd.problem import Problem
    from autograd.reverse import Backward
    from mgc.meanings import Array
    from mgc.shapes import Shape


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewriting of the whole graph; `exact` says that it changes no bit of a result.

    `again` are those of the rules that may yet rewrite a value in normal form, which is one that
    the rules of the pass before have left as it is.
    """

    name: str
    doc: str
    exact: bool
    rules: Rules
    again: Rules


_REGROUPING = together(EXACT, REGROUPING)
_PRODUCTS = together(EXACT, REGROUPING, PRODUCTS)

PASSES = (
    Pass("sharing", "what is computed twice is computed once", exact=True, rules={}, again={}),
    Pass(
        "algebra",
        "what cancels without rounding is cancelled",
        exact=True,
        rules=EXACT,
        again=untried(EXACT, EXACT),
    ),
    Pass(
        "regrouping",
        "numbers are merged, factors leave sums, quotients are reused",
        exact=False,
        rules=_REGROUPING,
        again=untried(_REGROUPING, EXACT),
    ),
    Pass(
        "products",
        "products of three matrices take the cheaper order",
        exact=False,
        rules=_PRODUCTS,
        again=untried(_PRODUCTS, _REGROUPING),
    ),
)


@dataclass(frozen=True, slots=True)
class Optimized:
    """The optimised gradient: its values in order, and what was done to get there.

    `forward` are those that the loss needs. `names` has the name of each value that a let of the
    program binds, `adjoints` the name of the value that an adjoint belongs to.
    """

    order: list[Value]
    loss: Value
    gradients: dict[str, Value]
    forward: set[Value]
    names: dict[Value, str]
    adjoints: dict[Value, str]
    problem: Problem
    changes: list[str]

    @property
    def notes(self) -> list[str]:
        """What was done to get there, a line each."""
        least = peak_bytes(self.order, [self.loss, *self.gradients.values()])
        plain = _plain_peak(self.problem)
        schedule = f"schedule: at most {least} bytes live at once, in the plain program {plain}"
        return [*self.changes, schedule]


def _parameter_shape(shape: Shape, name: str) -> Shape:
    del name
    return shape


def _no_meaning(shape: Shape, name: str) -> Array:
    msg = f"the parameter '{name}' ({shape}) stands for a literal and is never computed"
    raise NotImplementedError(msg)


PARAMETER = Op("parameter", (), _parameter_shape, _no_meaning, "A matrix of --wrt.", "")
"""Stands for a trained matrix while passes run: its entries are no constants to reason about."""


@dataclass(slots=True)
class Graph:
    """What the passes rebuild: the results, and the values that names belong to."""

    loss: Value
    gradients: dict[str, Value]
    order: list[Value]
    names: dict[Value, str]
    adjoints: dict[Value, str]

    @property
    def roots(self) -> list[Value]:
        """The loss, then the gradients."""
        return [self.loss, *self.gradients.values()]

    def renewed(self, become: Mapping[Value, Value]) -> Graph:
        """Return the graph in which each value is what it has become."""
        return Graph(
            become[self.loss],
            {name: become[gradient] for name, gradient in self.gradients.items()},
            list(dict.fromkeys(become[value] for value in self.order if value in become)),
            _first_names(self.names, become),
            _first_names(self.adjoints, become),
        )


def _first_names(names: Mapping[Value, str], become: Mapping[Value, Value]) -> dict[Value, str]:
    renewed: dict[Value, str] = {}
    for value, name in names.items():
        if value in become:
            renewed.setdefault(become[value], name)
    return renewed


def optimized(problem: Problem) -> Optimized:
    """Return the gradient of a problem as an expert would write it."""
    notes: list[str] = []
    primal = _shared_primal(_with_parameters(problem), notes)
    graph = _differentiated(primal, notes)
    needed = operands_first(graph.roots)
    # The primal has been through the rules of algebra already.
    normal = set(primal.steps)
    for each in PASSES:
        builder = Builder(each.rules, each.again, normal)
        become = builder.rebuilt(needed, graph.roots)
        before = len(needed)
        if list(become.values()) != needed:
            graph = graph.renewed(become)
            needed = operands_first(graph.roots)
        if each.rules:
            normal = set(needed)
        notes.append(f"{each.name}: {before} values become {len(needed)}; {each.doc}")
        notes += [f"  {rule}: {count}" for rule, count in sorted(builder.rewritten.items())]
    graph.order = scheduled(graph.order, graph.roots)
    graph = graph.renewed(with_literals(graph.order, problem))
    forward = needed_for([graph.loss])
    return Optimized(
        graph.order,
        graph.loss,
        graph.gradients,
        forward,
        graph.names,
        graph.adjoints,
        problem,
        notes,
    )


def _plain_peak(problem: Problem) -> int:
    """Return the most bytes that are live at once in the plain gradient program."""
    used = [value for name, value in problem.matrices.items() if name not in problem.unused]
    reverse = backward(problem.steps, problem.loss, used)
    values = [*problem.steps, *(value for group in reverse.groups for value in group)]
    roots = [problem.loss, *(reverse.adjoints[value] for value in used)]
    return peak_bytes(operands_first(values), roots)


def _with_parameters(problem: Problem) -> Problem:
    """Return the problem with a parameter in the place of each of its matrices."""
    renewed: dict[Value, Value] = {
        matrix: Value(PARAMETER, (), {"shape": matrix.shape, "name": name}, matrix.shape)
        for name, matrix in problem.matrices.items()
    }
    matrices = {name: renewed[matrix] for name, matrix in problem.matrices.items()}
    for step in problem.steps:
        if step not in renewed:
            renewed[step] = with_operands(step, renewed)
    steps = tuple(renewed[step] for step in problem.steps)
    names = _first_names(problem.names, renewed)
    loss = renewed[problem.loss]
    return replace(problem, steps=steps, loss=loss, matrices=matrices, names=names)


def differentiated(problem: Problem, notes: list[str]) -> Graph:
    """Return a program and its gradient before any pass, in the order of the textbook.

    The requested matrices are parameters in it; `notes` is told what was done.
    """
    return _differentiated(_shared_primal(_with_parameters(problem), notes), notes)


def with_literals(order: list[Value], problem: Problem) -> dict[Value, Value]:
    """Return what each value is with the literals back in the place of the parameters."""
    closed: dict[Value, Value] = {}
    for value in operands_first(order):
        if value.op is PARAMETER:
            closed[value] = problem.matrices[value.attributes["name"]]
        else:
            closed[value] = with_operands(value, closed)
    return closed


def _shared_primal(problem: Problem, notes: list[str]) -> Problem:
    builder = Builder(EXACT)
    used = [value for name, value in problem.matrices.items() if name not in problem.unused]
    roots = [problem.loss, *used]
    renewed = builder.rebuilt(operands_first(roots), roots)
    loss = renewed[problem.loss]
    steps = tuple(operands_first([loss]))
    notes.append(f"primal: {len(problem.steps)} values become {len(steps)}")
    matrices = {
        name: value if name in problem.unused else renewed[value]
        for name, value in problem.matrices.items()
    }
    names = _first_names(problem.names, renewed)
    return replace(problem, steps=steps, loss=loss, matrices=matrices, names=names)


def _differentiated(problem: Problem, notes: list[str]) -> Graph:
    """Return the program and its gradient, in the order of the textbook."""
    steps = list(problem.steps)
    found = shortcuts(steps)
    counted = Counter(shortcut.name for shortcut in found.values())
    notes += [f"  {name}, differentiated in one step: {n}" for name, n in sorted(counted.items())]
    used = [value for name, value in problem.matrices.items() if name not in problem.unused]
    reverse = backward(steps, problem.loss, used, found)
    placed = _placed(steps, reverse)
    order = [*steps, *(placed[value] for group in reverse.groups for value in group)]
    gradients = {
        name: constant(full(static(matrix.shape), 0.0))
        if name in problem.unused
        else placed[reverse.adjoints[matrix]]
        for name, matrix in problem.matrices.items()
    }
    adjoints = {
        placed[reverse.adjoints[value]]: name
        for value, name in problem.names.items()
        if value in reverse.adjoints
    }
    return Graph(problem.loss, gradients, order, problem.names, adjoints)


def _placed(steps: Sequence[Value], reverse: Backward) -> dict[Value, Value]:
    """Return each value of the backward pass with the place of what it is the derivative of."""
    placed = {step: step for step in steps}
    groups = groups_operands_first(reverse.groups, known=steps)
    for group, origin in zip(groups, reverse.origins, strict=True):
        for value in group:
            operands = tuple([placed[operand] for operand in value.operands])
            placed[value] = Value(value.op, operands, value.attributes, value.shape, origin.span)
    return placed
