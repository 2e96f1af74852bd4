"""The same texts lead to the same verdict: recording what a trial saw of autograd.

A check sees of autograd only what it returns. So the calls that a trial makes, with what was
returned, decide its verdict; a copy that returns the same to the same calls, in order, needs no
trial. A call that depends on what an earlier one returned is no difficulty: where the earlier
one returns something else, the comparison ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from inspect import signature
from typing import TYPE_CHECKING, Protocol, cast

from checks.subject import WrongSubject
from mutants.reach import begun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from inspect import Signature


RAISED = "raised"
"""Stands for the digest of a crash."""


@dataclass(frozen=True)
class Call:
    """A method of a subject and all its arguments by name, also those that were left out."""

    method: str
    arguments: tuple[tuple[str, object], ...]

    @cached_property
    def key(self) -> str:
        """The call as text: equal calls are those with equal texts."""
        return repr((self.method, self.arguments))


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
        text = f"{type(self.value).__qualname__} {self.value!r}"
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


class Recorder:
    """A subject that is asked everything once, and remembers which calls a trial makes.

    `known` are outcomes that it need not be asked for, by the keys of the calls.
    """

    def __init__(self, subject: object, known: Mapping[str, Answer] | None = None) -> None:
        """Record nothing yet."""
        self._subject = subject
        self._known: dict[str, Answer] = dict(known or {})
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
        if key not in self._known:
            self._known[key] = self._answer(call)
        return self._known[key]

    def _answer(self, call: Call) -> Answer:
        try:
            answer = getattr(self._subject, call.method)(**dict(call.arguments))
        except WrongSubject:
            raise
        except BaseException as error:  # noqa: BLE001 - a copy may raise anything
            return Raised(error)
        return Returned(answer)


class Forgetful(Protocol):
    """A subject that can be made to do everything from the start again."""

    def forget(self) -> None:
        """Forget what was asked."""
        ...


class Tracer(Recorder):
    """The recorder of an original that is marked, which also notes what each call executes.

    Each call must execute all that it depends on, so that the subject forgets the ones before.
    AssertionError for one that executes nothing: it was answered from a memory that is left.
    """

    def __init__(self, subject: Forgetful) -> None:
        """Record nothing yet."""
        super().__init__(subject)
        self._forget = subject.forget
        self._begun: dict[str, frozenset[int]] = {}

    def elsewhere(self, changed: AbstractSet[int]) -> dict[str, Answer]:
        """Return the outcomes of the calls that begin no changed segment, by their keys."""
        return {
            key: self._known[key]
            for key, segments in self._begun.items()
            if segments.isdisjoint(changed)
        }

    def begun_by(self, calls: Iterable[Answered]) -> frozenset[int]:
        """Return the segments that any of these calls began."""
        return frozenset().union(*(self._begun[each.call.key] for each in calls))

    def _answer(self, call: Call) -> Answer:
        self._forget()
        begun()
        outcome = super()._answer(call)
        segments = begun()
        assert segments, f"{call.method} was answered without executing anything of the original"
        self._begun[call.key] = segments
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
