"""The texts that are measured for a program; each is a row of `VARIANTS`.

autograd is imported when a text is written: who only wants the names need not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograd.compiler import Program as Compiled
    from autograd.problem import Problem
    from cost.programs import Program


class Variant(NamedTuple):
    """One way to write a program."""

    name: str
    title: str
    write: Callable[[Compiled, Problem], str]


def _hand(compiled: Compiled, problem: Problem) -> str:
    """Return the program as it is."""
    del problem
    return compiled.source


def _plain(compiled: Compiled, problem: Problem) -> str:
    """Return the gradient program that autograd writes by default."""
    from autograd.transform import gradient_program  # noqa: PLC0415 - see above

    return gradient_program(problem, compiled.title)


def _optimized(compiled: Compiled, problem: Problem) -> str:
    """Return the gradient program that `autograd -O` writes."""
    from autograd.optimize.passes import optimized  # noqa: PLC0415 - see above
    from autograd.optimize.write import optimized_program  # noqa: PLC0415 - see above

    return optimized_program(problem, optimized(problem), compiled.title)


def _shared(compiled: Compiled, problem: Problem) -> str:
    """Return the program as it is, but for computing once what it computes several times."""
    from autograd.emit import Writer  # noqa: PLC0415 - see above
    from autograd.flatten import flatten  # noqa: PLC0415 - see above
    from autograd.optimize.graph import Builder, operands_first  # noqa: PLC0415 - see above
    from mgc import ops  # noqa: PLC0415 - see above
    from mgc.ir_parse import parse_ir  # noqa: PLC0415 - see above

    del problem
    line = flatten(parse_ir(compiled.ir_text), {})
    printed = [value for value, _ in line.prints]
    renewed = Builder({}).rebuilt(operands_first(printed), printed)
    roots = [renewed[value] for value in printed]
    writer = Writer({})
    for value in operands_first(roots):
        if value.op is not ops.BROADCAST:
            writer.let(value, "v")
    for root in roots:
        writer.print(root)
    return writer.text()


def _loss(compiled: Compiled, problem: Problem) -> str:
    """Return the loss alone, inlined and without dead code: a descent of no steps."""
    from autograd.descend import Descent, descent_program  # noqa: PLC0415 - see above

    return descent_program(problem, compiled.title, Descent(0, 1.0, prints_parameters=False))


HAND = "hand"
LOSS = "loss"

VARIANTS = (
    Variant(HAND, "the program itself, with the gradients derived by hand", _hand),
    Variant("plain", "the gradient program of autograd", _plain),
    Variant("optimized", "the gradient program of autograd -O", _optimized),
    Variant("shared", "the program itself, what it repeats computed once", _shared),
    Variant(LOSS, "the loss alone", _loss),
)

NAMES = tuple(variant.name for variant in VARIANTS)


def written(program: Program) -> dict[str, str]:
    """Return the text of each variant, by its name.

    Diagnostic where the program cannot be differentiated.
    """
    from autograd.compiler import read_program  # noqa: PLC0415 - see above
    from autograd.problem import Request  # noqa: PLC0415 - see above
    from autograd.transform import posed_problem  # noqa: PLC0415 - see above

    compiled = read_program(program.file, None)
    problem = posed_problem(compiled, Request(program.wrt, program.loss))
    return {variant.name: variant.write(compiled, problem) for variant in VARIANTS}
