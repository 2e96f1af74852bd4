"""A process in which a marked copy of the original is asked again what the original is asked.

It notes what each call executes, and runs beside the trials of the original, which take as long.
"""

from __future__ import annotations

import os
import signal
import traceback
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import TYPE_CHECKING, NoReturn

from mutants import reach
from mutants.reach import mask
from mutants.reuse import Call, answer_of, problem_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from mutants.reach import Text
    from mutants.reuse import Staged
    from mutants.trials import Suite


class TracingError(Exception):
    """It is not known what the calls of the original execute; the message says why."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a call executes: all segments that it begins, and those behind the problem it poses.

    Segments are given as `reach.mask` does. `problem` and `answer` are digests of the problem, None
    if none is posed, and of what came of the call.
    """

    begun: int
    later: int
    problem: bytes | None
    answer: str


@dataclass(frozen=True, slots=True)
class Traces:
    """What the original consists of, what loading it executed, and a trace for each call."""

    text: Text
    loading: AbstractSet[int]
    calls: Sequence[Trace]


class Tracing:
    """The end of the process that has something to be traced."""

    def __init__(self, suite: Suite, original: Path) -> None:
        """Fork the process."""
        self._connection, theirs = Pipe()
        self._pid = os.fork()
        if self._pid == 0:
            self._connection.close()  # so that it is told when there is nobody any more
            _live(theirs, suite, original)
        theirs.close()

    def ask(self, call: Call) -> None:
        """Have a call traced; TracingError if the process is dead."""
        try:
            self._connection.send((call.method, call.arguments))
        except OSError:
            self.traces()  # says why, if the process could

    def traces(self) -> Traces:
        """Return the traces of all calls, in order, when they are all there; TracingError if not.

        That is the end of the process.
        """
        try:
            with suppress(OSError):
                self._connection.send(None)
            answer: Traces | str = self._connection.recv()
        except (EOFError, OSError):
            answer = "the process that traces the original died"
        self.end()
        if isinstance(answer, str):
            raise TracingError(answer)
        return answer

    def end(self) -> None:
        """End the process, if it has not ended yet: it leaves when it is asked nothing any more."""
        if self._connection.closed:
            return
        self._connection.close()
        os.waitpid(self._pid, 0)


def _live(connection: Connection, suite: Suite, original: Path) -> NoReturn:
    """Run in the process, which must never come back to the stack of its parent."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _answer(connection, suite, original)
    except EOFError:
        pass  # nobody is there any more
    except BaseException as error:  # noqa: BLE001 - told to whoever wants the traces
        *_, said = traceback.format_exception_only(error)
        with suppress(OSError):
            connection.send(f"the original cannot be traced: {said.strip()}")
    finally:
        os._exit(0)


def _answer(connection: Connection, suite: Suite, original: Path) -> None:
    with reach.marked(original, suite.home(original)) as (copy, text):
        reach.begun()
        subject = suite.load(copy)
        loading = reach.begun()
        traces: list[Trace] = []
        while (asked := connection.recv()) is not None:
            traces.append(trace(subject, Call(*asked)))
    connection.send(Traces(text, loading, traces))


def trace(subject: Staged, call: Call) -> Trace:
    """Return what a call of a marked original executes.

    It must execute all that it depends on, so that the subject forgets the calls before.
    AssertionError for one that executes nothing: it was answered from a memory that is left.
    """
    subject.forget()
    reach.begun()
    problem = problem_of(subject, call)
    before = reach.begun()
    answer = answer_of(subject, call)
    later = reach.begun()
    assert later, f"{call.method} was answered without executing anything of the original"
    return Trace(mask(before | later), mask(later), problem, answer.digest)
