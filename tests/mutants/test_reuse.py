from collections.abc import Mapping

import pytest

from checks.subject import Refusal, WrongSubject
from mutants.reuse import Known, Posed, Recorder, Returned


class Subject:
    """Answers from a table, and counts the questions."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.forgot = 0

    def forget(self) -> None:
        self.forgot += 1

    def posed(self, request: Mapping[str, object]) -> bytes | None:
        problem = self.answers.get(f"problem of {request['source']}")
        return problem if isinstance(problem, bytes) else None

    def gradient(self, source: str, *, loss: int = 0) -> object:
        self.asked.append(source)
        answer = self.answers[source]
        if isinstance(answer, BaseException):
            raise answer
        return answer, loss


def recorded(subject: Subject, *sources: str) -> Recorder:
    recorder = Recorder(subject)
    recorder.start()
    for source in sources:
        recorder.front.gradient(source, loss=1)
    return recorder


def test_what_is_asked_is_answered() -> None:
    assert Recorder(Subject(a="A")).front.gradient("a", loss=2) == ("A", 2)


def test_nothing_is_asked_twice() -> None:
    subject = Subject(a="A")
    recorder = recorded(subject, "a", "a")
    assert subject.asked == ["a"]
    assert len(recorder.calls) == 2


def test_a_record_is_of_one_trial() -> None:
    recorder = recorded(Subject(a="A", b="B"), "a")
    recorder.start()
    recorder.front.gradient("b")
    assert [each.call.arguments for each in recorder.calls] == [(("source", "b"), ("loss", 0))]


def test_calls_that_mean_the_same_are_one() -> None:
    subject = Subject(a="A")
    recorder = Recorder(subject)
    recorder.front.gradient("a")
    recorder.front.gradient(source="a", loss=0)
    assert subject.asked == ["a"]
    assert len({each.call.key for each in recorder.calls}) == 1


@pytest.mark.parametrize(
    ("problem", "asked"), [(b"P", []), (b"Q", ["a"]), (None, ["a"])], ids=["same", "other", "none"]
)
def test_where_the_same_problem_is_posed_a_call_is_not_made(
    problem: bytes | None, asked: list[str]
) -> None:
    subject = Subject(**{"a": "A", "problem of a": problem})
    (call,) = recorded(Subject(a="A"), "a").calls
    known = Known(posed={call.call.key: Posed(b"P", Returned(("A", 1)))})
    assert Recorder(subject, known).repeats([call])
    assert subject.asked == asked


def test_the_same_answers_repeat_it() -> None:
    calls = recorded(Subject(a="A", b=Refusal("no")), "a", "b").calls
    assert Recorder(Subject(a="A", b=Refusal("no"))).repeats(calls)


@pytest.mark.parametrize("other", ["C", Refusal("other"), "Refusal(message='no')", ValueError()])
def test_another_answer_does_not(other: object) -> None:
    calls = recorded(Subject(a="A", b=Refusal("no")), "a", "b").calls
    assert not Recorder(Subject(a="A", b=other)).repeats(calls)


def test_nothing_is_asked_after_the_first_difference() -> None:
    calls = recorded(Subject(a="A", b="B"), "a", "b").calls
    other = Subject(a="other", b="B")
    assert not Recorder(other).repeats(calls)
    assert other.asked == ["a"]


def test_a_crash_is_met_again_when_the_trial_is_run() -> None:
    calls = recorded(Subject(a="A"), "a").calls
    recorder = Recorder(Subject(a=ValueError("no")))
    assert not recorder.repeats(calls)
    with pytest.raises(ValueError, match="no"):
        recorder.front.gradient("a", loss=1)


def test_the_wrong_subject_is_no_answer() -> None:
    calls = recorded(Subject(a="A"), "a").calls
    with pytest.raises(WrongSubject):
        Recorder(Subject(a=WrongSubject("not it"))).repeats(calls)
