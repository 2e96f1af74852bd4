"""Which matrices a gradient depends on is told from the program."""

import pytest

from checks.check import Case
from checks.curvature import curved_in
from checks.programs import Program, listed_programs
from checks.properties.second_derivative import weighted_gradient
from checks.reference import Reference, reference
from checks.subject import ROOT, Subject

LETS = "let a = [[0.5, 2]]\nlet b = [[3, 0.25]]\n"
PROGRAMS = listed_programs(ROOT)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ("row_sum(a + 2 * b)", []),
        ("row_sum(a * [[3, 5]] - b / 4)", []),
        ("row_sum(relu(a)) + row_max(b)", []),
        ("row_sum(ge(a, b) * a)", []),
        ("row_sum(a * b)", ["a", "b"]),
        ("row_sum(a * a + b)", ["a"]),
        ("a @ transpose(b)", ["a", "b"]),
        ("row_sum(b / a)", ["a", "b"]),
        ("row_sum([[1, 2]] / a + b)", ["a"]),
        ("row_sum(a / [[1, 2]])", []),
        ("row_sum(2 / b) + row_sum(a)", ["b"]),
        ("row_sum(exp(a + b))", ["a", "b"]),
        ("row_sum(log(b) + sqrt(a))", ["a", "b"]),
        ("row_sum(ge(exp(a), b))", []),
    ],
)
def test_of_small_losses(loss: str, expected: list[str]) -> None:
    assert curved_in(Reference(f"{LETS}print {loss}\n"), ["a", "b"], 0) == expected


def test_only_of_the_loss_and_what_is_asked_for() -> None:
    of = Reference(f"{LETS}print row_sum(a * b)\nprint row_sum(exp(a))\n")
    assert curved_in(of, ["a", "b"], 1) == ["a"]
    assert curved_in(of, ["b"], 0) == []


@pytest.mark.parametrize("program", PROGRAMS, ids=[each.name for each in PROGRAMS])
def test_it_is_what_the_gradient_program_depends_on(program: Program) -> None:
    case = Case(program, Subject(ROOT))
    written = reference(weighted_gradient(case))
    depends = [n for n in program.wrt if written.depends(n, past_comparisons=False)]
    assert curved_in(case.reference, program.wrt, program.loss) == depends
