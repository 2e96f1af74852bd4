"""The autograd that is checked: a copy of the package anywhere, and proof that it was that one.

`Subject` is the only way in which checks touch autograd, and they see of it what its methods
return: program texts, what -O lists of its changes, and messages of refusal. So a verdict holds
for every autograd that returns the same.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mgc.compile import compile_source
from mgc.diagnostics import Diagnostic
from mgc.ir_text import ir_text
from mgc.literals import Literal
from mgc.ops import Op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import ModuleType

    from autograd.optimize.passes import Optimized
    from autograd.problem import Problem

ROOT = Path(__file__).resolve().parent.parent
VARIABLE = "CHK_AUTOGRAD"
FILE = "program.mg"
"""What every program is called in titles and messages."""

_PACKAGE = "autograd"
_NEEDED = (
    "transform",
    "descend",
    "forward",
    "optimize.write",
    "optimize.descend",
    "optimize.passes",
)


class WrongSubject(Exception):  # noqa: N818 - what is wrong, not that something is
    """The folder has no autograd package, or a module of it was loaded from elsewhere."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A program was refused; `message` is the line that a user sees."""

    message: str


@dataclass(frozen=True, slots=True)
class _Posing:
    """What a problem is posed by; `ir_text` None is what the bundled compiler prints."""

    source: str
    wrt: tuple[str, ...]
    loss: int = 0
    unused_is_zero: bool = False
    ir_text: str | None = None


class Subject:
    """An autograd package, loaded from the folder that contains it.

    `folder` None is the folder that the environment variable CHK_AUTOGRAD names, or else this
    repository. Any number of them can live in one process, beside the autograd that the process
    itself has imported. Raises WrongSubject if the package is not there.

    The methods return what was written, or why nothing was; `loss` counts prints from 0. What is
    no fault of the program propagates. What has been asked before is not written again, and what
    two requests have in common is done once; `forget` makes an end of that.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Load the package."""
        self.folder = (folder or Path(os.environ.get(VARIABLE) or ROOT)).resolve()
        self._modules: dict[str, ModuleType] = {}
        self._proven: dict[str, ModuleType] = {}
        self._written: dict[object, str | Refusal] = {}
        self._problems: dict[_Posing, Problem] = {}
        self._improvements: dict[_Posing, Optimized] = {}
        self._posed: dict[_Posing, bytes | None] = {}
        with self._in_place():
            self._load()

    def gradient(
        self, source: str, wrt: Sequence[str], loss: int = 0, *, unused_is_zero: bool = False
    ) -> str | Refusal:
        """Return the program that prints the loss and its gradient for each of `wrt`."""

        def write() -> str:
            from autograd.transform import gradient_program

            posing = _Posing(source, tuple(wrt), loss, unused_is_zero)
            return gradient_program(self._problem(posing), FILE)

        return self._once(write, "gradient", source, tuple(wrt), loss, unused_is_zero)

    def gradient_by_ir(self, source: str, text: str, wrt: Sequence[str]) -> str | Refusal:
        """Return the gradient program of a source whose compiler printed `text` as its IR."""

        def write() -> str:
            from autograd.transform import gradient_program

            posing = _Posing(source, tuple(wrt), ir_text=text)
            return gradient_program(self._problem(posing), FILE)

        return self._once(write, "gradient", source, tuple(wrt), text)

    def descent(  # noqa: PLR0913 - two of them are named
        self,
        source: str,
        wrt: Sequence[str],
        steps: int,
        rate: float,
        *,
        prints_parameters: bool,
        unused_is_zero: bool = False,
    ) -> str | Refusal:
        """Return the program that takes steps of gradient descent."""

        def write() -> str:
            from autograd.descend import Descent, descent_program

            posing = _Posing(source, tuple(wrt), unused_is_zero=unused_is_zero)
            descent = Descent(steps, rate, prints_parameters)
            return descent_program(self._problem(posing), FILE, descent)

        request = source, tuple(wrt), steps, rate, prints_parameters, unused_is_zero
        return self._once(write, "descent", *request)

    def directional(
        self,
        source: str,
        wrt: Sequence[str],
        directions: Sequence[Literal],
        loss: int = 0,
        *,
        unused_is_zero: bool = False,
    ) -> str | Refusal:
        """Return the program that prints the loss and its derivative along a direction."""

        def write() -> str:
            from autograd.forward import directional_program

            posing = _Posing(source, tuple(wrt), loss, unused_is_zero)
            return directional_program(self._problem(posing), FILE, directions)

        request = source, tuple(wrt), tuple(directions), loss, unused_is_zero
        return self._once(write, "directional", *request)

    def optimized(
        self, source: str, wrt: Sequence[str], loss: int = 0, *, unused_is_zero: bool = False
    ) -> str | Refusal:
        """Return the gradient program that `-O` writes."""

        def write() -> str:
            from autograd.optimize.write import optimized_program

            posing = _Posing(source, tuple(wrt), loss, unused_is_zero)
            return optimized_program(self._problem(posing), self._improved(posing), FILE)

        return self._once(write, "optimized", source, tuple(wrt), loss, unused_is_zero)

    def explained(self, source: str, wrt: Sequence[str]) -> str | Refusal:
        """Return what `--explain` lists of the changes that -O made, a line each."""

        def write() -> str:
            return "\n".join(self._improved(_Posing(source, tuple(wrt))).notes)

        return self._once(write, "explained", source, tuple(wrt))

    def optimized_descent(
        self,
        source: str,
        wrt: Sequence[str],
        steps: int,
        rate: float,
        *,
        unused_is_zero: bool = False,
    ) -> str | Refusal:
        """Return the descent that `-O` writes; it prints the parameters at its end."""

        def write() -> str:
            from autograd.descend import Descent
            from autograd.optimize.descend import optimized_descent

            posing = _Posing(source, tuple(wrt), unused_is_zero=unused_is_zero)
            descent = Descent(steps, rate, prints_parameters=True)
            problem, improved = self._problem(posing), self._improved(posing)
            return optimized_descent(problem, improved, FILE, descent)

        request = source, tuple(wrt), steps, rate, unused_is_zero
        return self._once(write, "optimized descent", *request)

    def posed(self, request: Mapping[str, Any]) -> bytes | None:
        """Return a digest of what a method first makes of its arguments: the problem.

        The arguments are given by their names. Digests are equal only for equal problems; it is
        None where there is none. What the method does after that depends on nothing else that was
        done before.
        """
        posing = _Posing(
            request["source"],
            tuple(request["wrt"]),
            request.get("loss", 0),
            request.get("unused_is_zero", False),
            request.get("text"),
        )
        if posing not in self._posed:
            with self._in_place():
                try:
                    self._posed[posing] = _digest_of(self._problem(posing))
                except Diagnostic:
                    self._posed[posing] = None
        return self._posed[posing]

    def forget(self) -> None:
        """Do everything from the start again for the next request."""
        self._written.clear()
        self._problems.clear()
        self._improvements.clear()
        self._posed.clear()

    def _problem(self, posing: _Posing) -> Problem:
        from autograd.compiler import Program
        from autograd.problem import Request
        from autograd.transform import posed_problem

        if posing not in self._problems:
            text = posing.ir_text or _ir(posing.source)
            program = Program(posing.source, text, FILE, FILE, f"mgc mlir {FILE}")
            # Texts of its own: whether they are objects that are elsewhere in the problem too would
            # depend on who asks, and be seen in its pickle.
            wrt = tuple([name.encode().decode() for name in posing.wrt])
            request = Request(wrt, posing.loss, unused_is_zero=posing.unused_is_zero)
            self._problems[posing] = posed_problem(program, request)
        return self._problems[posing]

    def _improved(self, posing: _Posing) -> Optimized:
        from autograd.optimize.passes import optimized

        if posing not in self._improvements:
            self._improvements[posing] = optimized(self._problem(posing))
        return self._improvements[posing]

    def _once(self, write: Callable[[], str], *request: object) -> str | Refusal:
        key = told_apart(request)
        if key not in self._written:
            with self._in_place():
                try:
                    self._written[key] = write()
                except Diagnostic as fault:
                    self._written[key] = Refusal(str(fault))
        return self._written[key]

    def _load(self) -> None:
        start = self.folder / _PACKAGE / "__init__.py"
        spec = importlib.util.spec_from_file_location(
            _PACKAGE, start, submodule_search_locations=[str(start.parent)]
        )
        if spec is None or spec.loader is None or not start.is_file():
            raise WrongSubject(f"there is no {start}")
        package = importlib.util.module_from_spec(spec)
        sys.modules[_PACKAGE] = package
        spec.loader.exec_module(package)
        # At once, so that a copy that cannot be imported is known before a check runs.
        for name in _NEEDED:
            importlib.import_module(f"{_PACKAGE}.{name}")

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Let `import autograd` mean this one; afterwards, prove that it did."""
        others = _taken_out() if _PACKAGE in sys.modules else {}
        sys.modules.update(self._modules)
        count = len(sys.modules)
        try:
            yield
        finally:
            # To look at the names of all loaded modules takes longer than to write a small program.
            if self._modules and len(sys.modules) == count:
                self._modules = {name: sys.modules.pop(name) for name in self._modules}
            else:
                self._modules = _taken_out()
            sys.modules.update(others)
        if self._modules != self._proven:
            self._prove()

    def _prove(self) -> None:
        home = self.folder / _PACKAGE
        self._proven = self._modules
        for name, module in self._modules.items():
            file = module.__file__
            if file is None or not file.startswith(f"{home}{os.sep}"):
                raise WrongSubject(f"{name} was loaded from {file} and not from {home}")


def _taken_out() -> dict[str, ModuleType]:
    """Remove every module of an autograd from the loaded ones, and return them."""
    names = [name for name in sys.modules if name.startswith(_PACKAGE)]
    ours = [name for name in names if name.partition(".")[0] == _PACKAGE]
    return {name: sys.modules.pop(name) for name in ours}


def _digest_of(problem: Problem) -> bytes:
    found = BytesIO()
    pickler = pickle.Pickler(found)
    # An operation is known by its name; a literal may or may not have been asked for its bits yet.
    pickler.dispatch_table = {
        Op: lambda op: (str, (op.name,)),
        Literal: lambda literal: (tuple, ((literal.shape, literal.bits),)),
    }
    pickler.dump(problem)
    return sha256(found.getbuffer()).digest()


def told_apart(request: tuple[object, ...]) -> tuple[object, ...]:
    """Return what two requests have in common only if they are the same to the last bit.

    Texts are told apart as they are. All else is, spelled and as a tuple, because 0.0 == -0.0.
    """
    return tuple([each if isinstance(each, str) else (repr(each),) for each in request])


@cache
def _ir(source: str) -> str:
    return ir_text(compile_source(source, FILE))
