"""The autograd that is checked: a copy of the package anywhere, and proof that it was that one.

`Subject` is the only way in which checks touch autograd, and they see of it what its methods
return: program texts, what -O lists of its changes, and messages of refusal. So a verdict holds
for every autograd that returns the same.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mgc.compile import compile_source
from mgc.diagnostics import Diagnostic
from mgc.ir_text import ir_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from autograd.problem import Problem
    from mgc.literals import Literal

ROOT = Path(__file__).resolve().parent.parent
VARIABLE = "CHK_AUTOGRAD"
FILE = "program.mg"
"""What every program is called in titles and messages."""

_PACKAGE = "autograd"
_NEEDED = ("transform", "descend", "forward", "optimize.write", "optimize.descend")


class WrongSubject(Exception):  # noqa: N818 - what is wrong, not that something is
    """The folder has no autograd package, or a module of it was loaded from elsewhere."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A program was refused; `message` is the line that a user sees."""

    message: str


class Subject:
    """An autograd package, loaded from the folder that contains it.

    `folder` None is the folder that the environment variable CHK_AUTOGRAD names, or else this
    repository. Any number of them can live in one process, beside the autograd that the process
    itself has imported. Raises WrongSubject if the package is not there.

    The methods return what was written, or why nothing was; `loss` counts prints from 0. What is
    no fault of the program propagates.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Load the package."""
        self.folder = (folder or Path(os.environ.get(VARIABLE) or ROOT)).resolve()
        self._modules: dict[str, ModuleType] = {}
        self._proven: dict[str, ModuleType] = {}
        self._written: dict[str, str | Refusal] = {}
        with self._in_place():
            self._load()

    def gradient(
        self, source: str, wrt: Sequence[str], loss: int = 0, *, unused_is_zero: bool = False
    ) -> str | Refusal:
        """Return the program that prints the loss and its gradient for each of `wrt`."""

        def write() -> str:
            from autograd.transform import gradient_program

            return gradient_program(_posed(source, wrt, loss, unused_is_zero=unused_is_zero), FILE)

        return self._once(write, "gradient", source, tuple(wrt), loss, unused_is_zero)

    def gradient_by_ir(self, source: str, text: str, wrt: Sequence[str]) -> str | Refusal:
        """Return the gradient program of a source whose compiler printed `text` as its IR."""

        def write() -> str:
            from autograd.transform import gradient_program

            return gradient_program(_posed(source, wrt, 0, ir=text), FILE)

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

            problem = _posed(source, wrt, 0, unused_is_zero=unused_is_zero)
            return descent_program(problem, FILE, Descent(steps, rate, prints_parameters))

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

            problem = _posed(source, wrt, loss, unused_is_zero=unused_is_zero)
            return directional_program(problem, FILE, directions)

        request = source, tuple(wrt), tuple(directions), loss, unused_is_zero
        return self._once(write, "directional", *request)

    def optimized(
        self, source: str, wrt: Sequence[str], loss: int = 0, *, unused_is_zero: bool = False
    ) -> str | Refusal:
        """Return the gradient program that `-O` writes."""

        def write() -> str:
            from autograd.optimize.passes import optimized
            from autograd.optimize.write import optimized_program

            problem = _posed(source, wrt, loss, unused_is_zero=unused_is_zero)
            return optimized_program(problem, optimized(problem), FILE)

        return self._once(write, "optimized", source, tuple(wrt), loss, unused_is_zero)

    def explained(self, source: str, wrt: Sequence[str]) -> str | Refusal:
        """Return what `--explain` lists of the changes that -O made, a line each."""

        def write() -> str:
            from autograd.optimize.passes import optimized

            return "\n".join(optimized(_posed(source, wrt, 0)).notes)

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
            from autograd.optimize.passes import optimized

            problem = _posed(source, wrt, 0, unused_is_zero=unused_is_zero)
            descent = Descent(steps, rate, prints_parameters=True)
            return optimized_descent(problem, optimized(problem), FILE, descent)

        request = source, tuple(wrt), steps, rate, unused_is_zero
        return self._once(write, "optimized descent", *request)

    def _once(self, write: Callable[[], str], *request: object) -> str | Refusal:
        # As text, because 0.0 == -0.0.
        key = repr(request)
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
        others = _taken_out()
        sys.modules.update(self._modules)
        try:
            yield
        finally:
            self._modules = _taken_out()
            sys.modules.update(others)
        self._prove()

    def _prove(self) -> None:
        home = self.folder / _PACKAGE
        for name, module in self._modules.items():
            if self._proven.get(name) is module:
                continue
            self._proven[name] = module
            file = module.__file__
            if file is None or not Path(file).resolve().is_relative_to(home):
                raise WrongSubject(f"{name} was loaded from {file} and not from {home}")


def _taken_out() -> dict[str, ModuleType]:
    """Remove every module of an autograd from the loaded ones, and return them."""
    names = [name for name in sys.modules if name.startswith(_PACKAGE)]
    ours = [name for name in names if name.partition(".")[0] == _PACKAGE]
    return {name: sys.modules.pop(name) for name in ours}


def _posed(
    source: str,
    wrt: Sequence[str],
    loss: int,
    *,
    unused_is_zero: bool = False,
    ir: str | None = None,
) -> Problem:
    from autograd.compiler import Program
    from autograd.problem import Request
    from autograd.transform import posed_problem

    program = Program(source, ir or _ir(source), FILE, FILE, f"mgc mlir {FILE}")
    return posed_problem(program, Request(tuple(wrt), loss, unused_is_zero=unused_is_zero))


@cache
def _ir(source: str) -> str:
    return ir_text(compile_source(source, FILE))
