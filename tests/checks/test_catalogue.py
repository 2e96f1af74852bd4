"""The list of checks, and what `run` makes of them."""

import re
from collections import Counter
from math import inf
from pathlib import Path

import pytest

from checks import properties
from checks.catalogue import CHECKS, checks_of, items, run, run_check
from checks.check import ProgramCheck
from checks.groups import GROUPS
from checks.programs import Program, listed_programs
from checks.subject import ROOT, Subject
from tests.checks.wrong_copies import changed, with_wrong_mul

PROGRAMS = listed_programs(ROOT)
FILES = {path.stem for path in Path(properties.__file__).parent.glob("*.py")} - {"__init__"}


def test_every_property_is_listed() -> None:
    assert {check.run.__module__.rpartition(".")[2] for check in CHECKS} == FILES


def test_ids_are_different_words_in_kebab_case() -> None:
    assert [
        identity for identity, count in Counter(c.id for c in CHECKS).items() if count > 1
    ] == []
    assert [c.id for c in CHECKS if not re.fullmatch("[a-z]+(-[a-z]+)*", c.id)] == []


def test_every_group_has_a_check() -> None:
    assert {check.group for check in CHECKS} == set(GROUPS) == set(range(1, 9))


def test_the_checks_are_in_the_order_of_their_groups() -> None:
    groups = [check.group for check in CHECKS]
    assert groups == sorted(groups)


def test_items_are_the_programs_and_then_the_rest() -> None:
    names = items(PROGRAMS)
    assert names[: len(PROGRAMS)] == [program.name for program in PROGRAMS]
    rest = ["rules", "kinks", "descent", "refusals", "structure", "random"]
    assert names[len(PROGRAMS) :] == rest


def test_a_program_has_the_checks_of_programs() -> None:
    assert all(isinstance(check, ProgramCheck) for check in checks_of("h33_attention"))
    wanted = ["random-programs", "random-programs-optimized", "regressions"]
    assert [check.id for check in checks_of("random")] == wanted


def test_there_is_no_other_item() -> None:
    with pytest.raises(KeyError, match="nothing"):
        run("nothing", PROGRAMS, Subject())


@pytest.mark.parametrize(
    ("program", "elements"),
    [("h33_attention", 48), ("h34_layer_norm", 4), ("h35_transformer_step1", 648)],
)
def test_every_element_that_the_book_derives_is_compared(program: str, elements: int) -> None:
    found = {
        check.id: verdict.elements
        for check in checks_of(program)
        if check.id in ("complex-step", "hand-derived", "expected-values")
        and (verdict := run_check(check, program, PROGRAMS, Subject(ROOT)))
    }
    # And the loss, by each side.
    with_loss = elements + 1
    assert found == {
        "complex-step": with_loss,
        "hand-derived": with_loss,
        "expected-values": 2 * with_loss,
    }


@pytest.fixture
def square(tmp_path: Path) -> Program:
    file = tmp_path / "square.mg"
    file.write_text("let w = [[3, 4]]\nprint row_sum(w * w * [[1, 2]])\n")
    return Program("square", file, ("w",))


def test_a_verdict_holds_both_numbers_where_it_passes(square: Program) -> None:
    verdicts = {verdict.id: verdict for verdict in run("square", [square], Subject())}
    verdict = verdicts["complex-step"]
    assert (verdict.group, verdict.program, verdict.passed) == (1, "square", True)
    assert (verdict.elements, verdict.worst, verdict.tolerance) == (3, 0.0, 1e-12)
    assert verdict.detail == "loss[0, 0]: 41.0, expected 41.0"
    assert verdict.reason
    assert verdict.seconds > 0.0
    assert verdict.cause == ""
    assert "hand-derived" not in verdicts
    assert "between-slopes" not in verdicts


def test_a_wrong_rule_is_caught_with_both_numbers(square: Program, tmp_path: Path) -> None:
    subject = Subject(with_wrong_mul(tmp_path))
    verdicts = {verdict.id: verdict for verdict in run("square", [square], subject)}
    verdict = verdicts["complex-step"]
    assert (verdict.passed, verdict.cause) == (False, "value")
    assert verdict.detail == "w[0, 1]: 128.0, expected 16.0"
    assert verdict.worst == 7.0


def test_a_refusal_fails_and_says_so(square: Program, tmp_path: Path) -> None:
    folder = changed(tmp_path, "names.py", "statement.name] = Let", "statement.name * 2] = Let")
    verdicts = run("square", [square], Subject(folder))
    assert {(each.passed, each.cause, each.worst) for each in verdicts} == {(False, "refused", inf)}
    assert verdicts[0].detail == (
        "refused: program.mg: error: there is no let 'w'; did you mean 'ww'? (the lets are: ww)"
    )


def test_what_is_no_program_fails_and_says_so(square: Program, tmp_path: Path) -> None:
    folder = changed(tmp_path, "emit.py", 'f"print {', 'f"print unknown + {')
    verdicts = run("square", [square], Subject(folder))
    causes = {verdict.cause for verdict in verdicts}
    assert causes == {"not a program"}
    assert "unknown name 'unknown'" in verdicts[0].detail


def test_a_crash_is_no_verdict(square: Program, tmp_path: Path) -> None:
    folder = changed(tmp_path, "rules.py", "return ct * y, ct * x\n", "raise RuntimeError(ct)\n")
    with pytest.raises(RuntimeError):
        run("square", [square], Subject(folder))
