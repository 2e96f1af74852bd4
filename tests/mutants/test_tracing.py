"""What each call of the original executes, found in a process beside its trials."""

import os
import signal
import tempfile
from pathlib import Path

import pytest

from mutants.baseline import baseline_of
from mutants.reach import mask, note
from mutants.reuse import Call, Recorder
from mutants.tracing import Tracing, TracingError, trace
from tests.mutants.fake_suite import RIGHT, Suite, Tool, write_copy

GRADIENT, DESCENT = (Call(method, (("x", 3),)) for method in ("gradient", "descent"))


class Subject:
    """Begins 1 where it poses a problem, and 2 where it answers, unless it remembers."""

    def __init__(self, *, forgets: bool) -> None:
        self._forgets = forgets
        self._asked: set[str] = set()

    def posed(self, request: object) -> bytes:
        del request
        if "posed" not in self._asked:
            note(1)
        self._asked.add("posed")
        return b"problem"

    def gradient(self, x: int) -> str:
        if "gradient" not in self._asked:
            note(2)
        self._asked.add("gradient")
        return f"2 * {x}"

    def forget(self) -> None:
        if self._forgets:
            self._asked.clear()


@pytest.fixture
def original(tmp_path: Path) -> Path:
    return write_copy(tmp_path / "original", RIGHT)


def test_a_call_begins_what_leads_to_its_problem_and_what_is_behind_it() -> None:
    subject = Subject(forgets=True)
    for _ in range(2):
        note(3)  # of something before
        found = trace(subject, GRADIENT)
        assert (found.begun, found.later, found.problem) == (mask({1, 2}), mask({2}), b"problem")
        assert found.answer == answered(subject)


def answered(subject: Subject) -> str:
    recorder = Recorder(subject)
    recorder.front.gradient(3)
    [answer] = recorder.calls
    return answer.digest


def test_a_call_that_executes_nothing_of_the_original_is_an_error() -> None:
    subject = Subject(forgets=False)
    trace(subject, GRADIENT)
    with pytest.raises(AssertionError, match="gradient was answered without executing anything"):
        trace(subject, GRADIENT)


def test_each_call_is_traced_in_order(original: Path) -> None:
    tracing = Tracing(Suite(), original)
    for call in (DESCENT, GRADIENT, DESCENT):
        tracing.ask(call)
    found = tracing.traces()
    first, second, third = found.calls
    assert first == third
    assert first.begun & second.begun == second.begun != first.begun
    assert not mask(found.loading) & second.begun
    assert list(found.text.files) == ["tool.py"]


def test_an_original_that_cannot_be_loaded_cannot_be_traced(tmp_path: Path) -> None:
    tracing = Tracing(Suite(), write_copy(tmp_path / "original", f"{RIGHT}\n1 / 0\n"))
    with pytest.raises(TracingError, match="cannot be traced: ZeroDivisionError: division by zero"):
        tracing.traces()


def test_a_process_that_is_killed_is_an_error(original: Path) -> None:
    tracing = Tracing(Suite(), original)
    os.kill(tracing._pid, signal.SIGKILL)
    os.waitid(os.P_PID, tracing._pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(TracingError, match="the process that traces the original died"):
        tracing.ask(GRADIENT)
    with pytest.raises(ChildProcessError):
        os.waitpid(tracing._pid, os.WNOHANG)


def test_the_process_ends_with_the_trials_whatever_comes_of_them_and_leaves_nothing(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Suite):
        def load(self, folder: Path) -> Tool:
            if folder == original:
                raise KeyboardInterrupt
            return super().load(folder)

    pids: list[int] = []
    ended = Tracing.end

    def end(tracing: Tracing) -> None:
        pids.append(tracing._pid)
        ended(tracing)

    monkeypatch.setattr(Tracing, "end", end)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with pytest.raises(KeyboardInterrupt):
        baseline_of(Broken(), original)
    [pid] = pids
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    assert list(folder.iterdir()) == []


def test_a_marked_original_that_answers_otherwise_is_an_error(original: Path) -> None:
    other = 'if "_note" in globals():\n    gradient = lambda x: "0"\n'
    (original / "tool.py").write_text(f"{RIGHT}\n{other}")
    with pytest.raises(TracingError, match="marked, the original answers gradient otherwise"):
        baseline_of(Suite(), original)
