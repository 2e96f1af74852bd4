"""The golden fixture must be able to fail, and CI must not be able to rewrite what it compares."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.conftest import ROOT

CONFTEST = ROOT / "tests" / "conftest.py"
CASE = """
from pathlib import Path

def test_case(golden):
    golden(Path("case.txt"), "one\\ntwo\\n")

def test_without_golden():
    assert False
"""


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Iterator[pytest.Pytester]:
    profile = settings.get_current_profile_name()
    monkeypatch.delenv("CI", raising=False)
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile(CASE)
    yield pytester
    # The runs inside the test loaded the profile that suits the changed environment.
    settings.load_profile(profile)


def test_a_difference_is_shown_as_a_diff_with_the_update_command(
    project: pytest.Pytester,
) -> None:
    Path("case.txt").write_text("one\n2\n")
    result = project.runpytest_inprocess("-k", "case")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*-2", "*+two", "*make golden*"])


def test_a_missing_last_newline_is_a_difference(project: pytest.Pytester) -> None:
    Path("case.txt").write_text("one\ntwo")
    result = project.runpytest_inprocess("-k", "case")
    result.stdout.fnmatch_lines(["*-two (no newline at the end)", "*+two"])


def test_a_missing_golden_file_fails(project: pytest.Pytester) -> None:
    result = project.runpytest_inprocess("-k", "case")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*case.txt (golden, missing)"])


def test_updating_writes_the_file_and_runs_golden_tests_only(project: pytest.Pytester) -> None:
    project.runpytest_inprocess("--update-golden").assert_outcomes(passed=1)
    assert Path("case.txt").read_bytes() == b"one\ntwo\n"


def test_ci_refuses_to_update(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    result = project.runpytest_inprocess("--update-golden")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*CI refuses it*"])
    assert not Path("case.txt").exists()
