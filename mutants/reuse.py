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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
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

    @property
    def known(self) -> Mapping[Key, Answer]:
        """What came of all calls that the subject was asked."""
        return self._known

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
            if posing is not None and problem_of(self._subject, call) == posing.problem:
                self._known[key] = posing.answer
            else:
                self._known[key] = answer_of(self._subject, call)
        return self._known[key]


def problem_of(subject: Staged, call: Call) -> bytes | None:
    """Return a digest of the problem that a call poses, None if it poses none."""
    try:
        return subject.posed(dict(call.arguments))
    except WrongSubject:
        raise
    except BaseException:  # noqa: BLE001 - a copy may raise anything, and will when it is asked
        return None


def answer_of(subject: Staged, call: Call) -> Answer:
    """Return what comes of a call."""
    try:
        answer = getattr(subject, call.method)(**dict(call.arguments))
    except WrongSubject:
        raise
    except BaseException as error:  # noqa: BLE001 - a copy may raise anything
        return Raised(error)
    return Returned(answer)


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
