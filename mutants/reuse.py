"""The same texts lead to the same verdict: recording what a trial saw of autograd.

A check sees of autograd only what it returns. So the calls that a trial makes, with what was
returned, decide its verdict; a copy that returns the same to the same calls, in order, needs no
trial. A call that depends on what an earlier one returned is no difficulty: where the earlier
one returns something else, the comparison ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from inspect import signature
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, cast

from checks.subject import WrongSubject, told_apart
from mutants.reach import begun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from inspect import Signature


Key = tuple[object, ...]

RAISED = "raised"
"""Stands for the digest of a crash."""


@dataclass(frozen=True)
class Call:
    """A method of a subject and all its arguments by name, also those that were left out."""

    method: str
    arguments: tuple[tuple[str, object], ...]

    @cached_property
    def key(self) -> Key:
        """What equal calls have in common, and nobody else."""
        return self.method, *told_apart(tuple(chain.from_iterable(self.arguments)))


@dataclass(frozen=True, slots=True)
class Answered:
    """A call, and a digest of what came of it."""

    call: Call
    digest: str


@dataclass(frozen=True)
class Returned:
    """What a call returned."""

    value: object

    @cached_property
    def digest(self) -> str:
        """What two equal values have in common."""
        spelled = self.value if isinstance(self.value, str) else repr(self.value)
        text = f"{type(self.value).__qualname__} {spelled}"
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def give(self) -> object:
        """Return the value."""
        return self.value


@dataclass(frozen=True, slots=True)
class Raised:
    """What a call raised."""

    error: BaseException

    @property
    def digest(self) -> str:
        """None of a returned value: a crash is never what the original did."""
        return RAISED

    def give(self) -> object:
        """Raise the error."""
        raise self.error


Answer = Returned | Raised


@dataclass(frozen=True, slots=True)
class Posed:
    """A digest of the problem that a call poses first, and what comes of the call where it does."""

    problem: bytes
    answer: Answer


@dataclass(frozen=True, slots=True)
class Known:
    """What need not be asked, by the keys of calls.

    Of `posed` that is so where the same problem is posed as was posed there.
    """

    answers: Mapping[Key, Answer] = field(default_factory=dict[Key, Answer])
    posed: Mapping[Key, Posed] = field(default_factory=dict[Key, Posed])


class Staged(Protocol):
    """A subject each method of which poses a problem first, and then depends on that alone."""

    def posed(self, request: Mapping[str, Any]) -> bytes | None:
        """Return a digest of the problem that arguments pose, None if there is none."""
        ...

    def forget(self) -> None:
        """Forget what was posed, and what was returned."""
        ...


class Recorder:
    """A subject that is asked everything once, and remembers which calls a trial makes.

    `known` is what it need not be asked for.
    """

    def __init__(self, subject: Staged, known: Known | None = None) -> None:
        """Record nothing yet."""
        known = known or Known()
        self._subject = subject
        self._given = known.answers
        self._posings = known.posed
        self._known: dict[Key, Answer] = {}
        self._calls: list[Answered] = []
        self.front = _Front(subject, self._ask)

    def start(self) -> None:
        """Begin the record of a trial."""
        self._calls = []

    @property
    def calls(self) -> Sequence[Answered]:
        """What the trial has asked since `start`, in order."""
        return tuple(self._calls)

    def repeats(self, calls: Sequence[Answered]) -> bool:
        """Tell whether this subject answers these calls as they were answered."""
        return all(self._outcome(each.call).digest == each.digest for each in calls)

    def _ask(self, call: Call) -> object:
        outcome = self._outcome(call)
        self._calls.append(Answered(call, outcome.digest))
        return outcome.give()

    def _outcome(self, call: Call) -> Answer:
        key = call.key
        if key in self._given:
            return self._given[key]
        if key not in self._known:
            posing = self._posings.get(key)
            if posing is not None and self._posed(call) == posing.problem:
                self._known[key] = posing.answer
            else:
                self._known[key] = self._answer(call)
        return self._known[key]

    def _posed(self, call: Call) -> bytes | None:
        """Return a digest of the problem that a call poses, None if it poses none."""
        try:
            return self._subject.posed(dict(call.arguments))
        except WrongSubject:
            raise
        except BaseException:  # noqa: BLE001 - a copy may raise anything, and will when it is asked
            return None

    def _answer(self, call: Call) -> Answer:
        try:
            answer = getattr(self._subject, call.method)(**dict(call.arguments))
        except WrongSubject:
            raise
        except BaseException as error:  # noqa: BLE001 - a copy may raise anything
            return Raised(error)
        return Returned(answer)


class Tracer(Recorder):
    """The recorder of an original that is marked, which also notes what each call executes.

    Each call must execute all that it depends on, so that the subject forgets the ones before.
    AssertionError for one that executes nothing: it was answered from a memory that is left.
    """

    def __init__(self, subject: Staged) -> None:
        """Record nothing yet."""
        super().__init__(subject)
        self._begun: dict[Key, frozenset[int]] = {}
        self._later: dict[Key, tuple[bytes, frozenset[int]]] = {}

    def elsewhere(self, changed: AbstractSet[int]) -> Known:
        """Return what comes of the calls that begin no changed segment.

        Of those that begin one only on the way to the problem, it is what comes of that problem.
        """
        answers: dict[Key, Answer] = {}
        posed: dict[Key, Posed] = {}
        for key, segments in self._begun.items():
            if segments.isdisjoint(changed):
                answers[key] = self._known[key]
            elif key in self._later:
                problem, later = self._later[key]
                if later.isdisjoint(changed):
                    posed[key] = Posed(problem, self._known[key])
        return Known(answers, posed)

    def begun_by(self, calls: Iterable[Answered]) -> frozenset[int]:
        """Return the segments that any of these calls began."""
        return frozenset().union(*(self._begun[each.call.key] for each in calls))

    def _answer(self, call: Call) -> Answer:
        self._subject.forget()
        begun()
        problem = self._posed(call)
        before = begun()
        outcome = super()._answer(call)
        later = begun()
        assert later, f"{call.method} was answered without executing anything of the original"
        self._begun[call.key] = before | later
        if problem is not None:
            self._later[call.key] = problem, later
        return outcome


class _Front:
    """What the checks are given in place of the subject: it has methods, and nothing to read."""

    def __init__(self, subject: object, ask: Callable[[Call], object]) -> None:
        self._subject = subject
        self._ask = ask
        self._signatures: dict[str, Signature] = {}

    def __getattr__(self, method: str) -> Callable[..., object]:
        if method not in self._signatures:
            self._signatures[method] = signature(getattr(self._subject, method))

        def called(*positional: object, **by_name: object) -> object:
            bound = self._signatures[method].bind(*positional, **by_name)
            bound.apply_defaults()
            arguments = ((name, _frozen(value)) for name, value in bound.arguments.items())
            return self._ask(Call(method, tuple(arguments)))

        return called


def _frozen(argument: object) -> object:
    """Return a list as a tuple, which methods take as the same."""
    return tuple(cast("list[object]", argument)) if isinstance(argument, list) else argument
