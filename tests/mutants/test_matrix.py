import json
from dataclasses import replace

import pytest

from checks import writing
from mutants import matrix
from mutants.matrix import Cell, Outcome, Row, Summary, row_from_json, summary
from tests.mutants.rows import TRIALS, row


def of(*rows: object, equivalents: dict[str, str] | None = None) -> Summary:
    return summary(rows, TRIALS, equivalents or {})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("letters", "kind", "status", "caught_by", "by_value"),
    [
        ("....", "hand", "survived", None, False),
        ("p.p.", "hand", "survived", None, False),
        ("V...", "hand", "killed", Outcome.VALUE, True),
        ("CRV.", "hand", "killed", Outcome.VALUE, True),
        ("CR..", "hand", "killed", Outcome.REFUSAL, False),
        ("CT..", "hand", "killed", Outcome.CRASH, False),
        ("T...", "hand", "survived", None, False),
        ("TTTT", "generated", "survived", None, False),
        ("T...", "harmless", "error", None, False),
        ("T...", "control", "error", None, False),
    ],
)
def test_what_is_said_of_a_copy(
    letters: str,
    kind: str,
    status: str,
    caught_by: Outcome | None,
    by_value: bool,  # noqa: FBT001 - a column of the table
) -> None:
    one = row("m", letters, kind)
    assert (one.status, one.caught_by, one.by_value) == (status, caught_by, by_value)


@pytest.mark.parametrize(
    ("letters", "silent"),
    [("C...", True), ("CT.C", True), ("Cp..", False), ("CR..", False), ("V...", False)],
)
def test_a_copy_that_only_crashes_writes_nothing_that_could_be_compared(
    letters: str,
    silent: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert row("m", letters).silent == silent
    assert of(row("m", letters), row("n", "V...")).total.silent == int(silent)


def test_a_text_that_is_no_program_was_written() -> None:
    assert matrix.NOT_A_PROGRAM == writing.NOT_A_PROGRAM
    cells = {"a:b": Cell(Outcome.CRASH, f"{writing.NOT_A_PROGRAM}: written.mg:1: error: x")}
    assert not replace(row("m", "C..."), cells=cells).silent


def test_a_problem_is_an_error_whatever_else() -> None:
    assert row("m", "V...", problem="not loaded").status == "error"


@pytest.mark.parametrize("one", [row("m", "VCT."), row("m", "...."), row("m", "", problem="said")])
def test_a_row_survives_json(one: Row) -> None:
    ids = [trial.id for trial in TRIALS]
    again = row_from_json(json.loads(json.dumps(one.as_json())), ids)
    assert again == one
    assert list(again.cells) == list(one.cells)


def test_all_as_expected() -> None:
    said = of(row("m", "V..."), row("h", "p...", "harmless"), row("c", "CCCC", "control"))
    assert (said.failures, said.void, said.exit_status) == ([], [], 0)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (row("m", "p..."), "m survives: what m does"),
        (row("m", "T..."), "m survives (1 checks took too long): what m does"),
        (row("h", "..C.", "harmless"), "h is harmless and is killed by by-hand:chapter"),
        (row("e", "V..."), "e is listed as equivalent and is killed by slopes:small"),
    ],
)
def test_failures(one: object, expected: str) -> None:
    said = of(one, equivalents={"e": "the same"})
    assert said.failures[0].startswith(expected)
    assert said.exit_status == 1


def test_an_explained_survivor_is_no_failure() -> None:
    said = of(row("e", "p..."), row("m", "V..."), equivalents={"e": "the same"})
    assert said.exit_status == 0
    assert (said.total.explained, said.total.percent) == (1, 100.0)


@pytest.mark.parametrize(
    "one",
    [
        row("c", "....", "control"),
        row("c", "Cp..", "control"),
        row("h", "T...", "harmless"),
        row("m", "", problem="does not load"),
    ],
)
def test_a_void_run(one: object) -> None:
    said = of(one, row("m", "...."))
    assert len(said.void) == 1
    assert said.exit_status == 2


def test_the_score_counts_only_what_is_wrong() -> None:
    said = of(
        row("a", "VC.."),
        row("b", "C..."),
        row("c", "R...", "generated"),
        row("d", "....", "generated"),
        row("x", "CCCC", "control"),
        row("y", "....", "harmless"),
        row("z", "", problem="no"),
    )
    total = said.total
    assert (total.wrong, total.by_value, total.by_refusal, total.by_crash) == (4, 1, 1, 1)
    assert (total.killed, total.survived, total.percent) == (3, 1, 75.0)
    assert total.percent_by_value == 25.0
    assert {kind: score.wrong for kind, score in said.scores.items()} == {
        "hand": 2,
        "generated": 2,
    }


def test_what_the_matrix_says_of_the_checks() -> None:
    said = of(row("a", "V.V."), row("b", "VV.."), row("c", "V..."), row("x", "...C", "control"))
    assert said.minimal_checks == ["slopes"]
    assert said.minimal_trials == ["slopes:small"]
    assert said.sole == {"slopes": ["b", "c"]}
    assert said.idle == ["random"]
    assert said.missed_by_chapters == ["b", "c"]
    assert said.hardest == ["b"]
