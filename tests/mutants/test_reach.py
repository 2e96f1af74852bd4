from pathlib import Path

import pytest

from checks.programs import listed_programs
from checks.subject import ROOT
from checks.warmth import warm
from mutants.baseline import Baseline, baseline_of
from mutants.copies import write_copy
from mutants.hand_written import MUTANTS
from mutants.reach import begun, marked, note, python_files
from mutants.reuse import Call, Known, Recorder, Staged
from mutants.trials import CheckSuite
from tests.mutants.fake_suite import RIGHT, Suite

ONE_OF_EACH_FILE = {mutant.file: mutant for mutant in MUTANTS if mutant.kind == "hand"}
OF_ROWS = ("m13", "m26", "m27", "m55", "f05", "f11", "h06")
"""Mutants that change what rows of the tables hold, or their order, and not only what rules do."""

TRIED = {
    mutant.id: mutant
    for mutant in MUTANTS
    if mutant in ONE_OF_EACH_FILE.values() or mutant.id.partition("-")[0] in OF_ROWS
}


@pytest.fixture(scope="module")
def baseline() -> Baseline:
    suite = CheckSuite(listed_programs(ROOT))
    suite.trials = [each for each in suite.trials if each.item in ("m05_elementwise", "descent")]
    with warm():
        return baseline_of(suite, ROOT)


@pytest.mark.parametrize("name", TRIED)
def test_a_copy_answers_what_is_known_of_it_as_the_original(
    name: str, baseline: Baseline, tmp_path: Path
) -> None:
    suite = CheckSuite([])
    write_copy(TRIED[name], ROOT / "autograd", tmp_path / "copy")
    changed = baseline.original.changed_in(suite.home(tmp_path / "copy"))
    subject = suite.load(tmp_path / "copy")
    known = baseline.original.known_of(changed)
    recorder = Recorder(subject)
    asked = [each for calls in baseline.calls.values() for each in calls]
    assert recorder.repeats([each for each in asked if each.call.key in known.answers])
    assert recorder.repeats([each for each in asked if poses_the_same(subject, each.call, known)])
    repeated = baseline.repeated(changed)
    for trial, calls in baseline.calls.items():
        assert (trial in repeated) == all(each.call.key in known.answers for each in calls)


@pytest.mark.parametrize("name", OF_ROWS)
def test_something_is_known_of_a_copy_with_another_row(
    name: str, baseline: Baseline, tmp_path: Path
) -> None:
    (mutant,) = [each for each in MUTANTS if each.id.startswith(f"{name}-")]
    write_copy(mutant, ROOT / "autograd", tmp_path / "copy")
    changed = baseline.original.changed_in(CheckSuite([]).home(tmp_path / "copy"))
    assert baseline.original.known_of(changed).answers


def poses_the_same(subject: Staged, call: Call, known: Known) -> bool:
    posed = known.posed.get(call.key)
    try:
        problem = subject.posed(dict(call.arguments))
    except IndexError:
        return False
    return posed is not None and problem == posed.problem


def test_of_a_copy_that_may_pose_another_problem_most_is_known_where_it_does_not(
    baseline: Baseline, tmp_path: Path
) -> None:
    suite = CheckSuite([])
    (mutant,) = [each for each in MUTANTS if each.id == "m57-other-ranks"]
    write_copy(mutant, ROOT / "autograd", tmp_path / "copy")
    changed = baseline.original.changed_in(suite.home(tmp_path / "copy"))
    known = baseline.original.known_of(changed)
    subject = suite.load(tmp_path / "copy")
    same = [each for each in baseline.asked.values() if poses_the_same(subject, each, known)]
    assert len(same) > len(baseline.asked) / 2


def test_something_is_known_of_a_copy_and_not_everything(
    baseline: Baseline, tmp_path: Path
) -> None:
    write_copy(ONE_OF_EACH_FILE["descend.py"], ROOT / "autograd", tmp_path / "copy")
    original = baseline.original
    changed = original.changed_in(CheckSuite([]).home(tmp_path / "copy"))
    known = original.known_of(changed)
    assert 0 < len(known.answers) < len(baseline.asked)
    assert 0 < len(baseline.repeated(changed)) < len(baseline.trials)


def test_only_calls_that_execute_what_changed_are_made_again(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(RIGHT)
    original = baseline_of(Suite(), tmp_path).original
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "tool.py").write_text(RIGHT.replace("{x} - {", "{x} + {"))
    methods = {key[0] for key in original.known_of(original.changed_in(copy)).answers}
    assert methods == {"gradient"}
    (copy / "tool.py").write_text(RIGHT.replace("2 * {x}", "3 * {x}"))
    assert original.known_of(original.changed_in(copy)).answers == {}


@pytest.mark.parametrize(
    ("file", "text"),
    [("tool.py", f"{RIGHT}\nprint()\n"), ("tool.py", "("), ("other.py", "")],
    ids=["on import", "no Python", "another file"],
)
def test_of_a_copy_that_is_imported_otherwise_nothing_is_known(
    file: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "tool.py").write_text(RIGHT)
    baseline = baseline_of(Suite(), tmp_path)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "tool.py").write_text(RIGHT)
    (copy / file).write_text(text)
    changed = baseline.original.changed_in(copy)
    assert changed is None
    assert baseline.original.known_of(changed) == Known()
    assert baseline.repeated(changed) == set()


def test_a_marked_copy_is_gone_afterwards_and_the_original_unchanged(tmp_path: Path) -> None:
    home = tmp_path / "tool"
    home.mkdir()
    (home / "a.py").write_text("x = 1\n")
    with marked(tmp_path, home) as (folder, text):
        assert python_files(folder).keys() == {"tool/a.py"}
        assert text.files == {"a.py": b"x = 1\n"}
        assert text.changed_in(home) == set()
    assert not folder.exists()
    assert (home / "a.py").read_text() == "x = 1\n"


def test_begun_segments_are_told_once() -> None:
    begun()
    note(3)
    assert begun() == {3}
    assert begun() == frozenset()
