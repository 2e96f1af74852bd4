"""The one factory of tasks: an `Artifact` in, the dict doit wants out.

A task made here is rebuilt when the bytes of its inputs, its code, its slice of the settings, its
action, its tools, its environment variables or Python's minor version change, or when a target is
not the file it wrote; and for no other reason.
"""

import functools
import inspect
import os
import re
import stat
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from doit.exceptions import InvalidTask

from pipeline.digest import canonical, file_state
from pipeline.making import make, record_now
from pipeline.meaning import folder_digest, module_digest
from pipeline.spec import Artifact, Command
from pipeline.toolchain import PYTHON, tool_version

NAME = re.compile(r"\w[\w.-]*:\w[\w.-]*")


@dataclass(frozen=True)
class Fresh:
    """The up-to-date test of a task: what was recorded is what would be recorded now."""

    spec: Artifact
    key: Mapping[str, str]

    def __call__(self, task: object, values: Mapping[str, object]) -> bool:
        """Compare with the record of the last good run; doit finds the parameters by name."""
        del task
        recorded = values.get("record")
        return recorded is not None and recorded == record_now(self.spec, self.key)

    # What doit would find out for each task again, and slower than it tests the task.
    __signature__: ClassVar = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in ("task", "values")]
    )


def artifact(spec: Artifact) -> dict[str, object]:
    """Return the doit task, to be yielded by a task creator.

    Raises doit's InvalidTask (exit status 3) where the description contradicts itself. Code is
    digested here, when dodo.py is loaded: code edited later can only make a task look too old.
    """
    spec = _with_normal_paths(spec)
    _check(spec)
    key = _key(spec)
    group, _, item = spec.name.partition(":")
    return {
        "basename": group,
        "name": item,
        "doc": spec.doc,
        "actions": [(make, [spec, key])],
        "file_dep": list(spec.inputs),
        "targets": list(spec.targets),
        "uptodate": [Fresh(spec, key)],
        "clean": True,
        "meta": {"artifact": spec},
    }


def _key(spec: Artifact) -> dict[str, str]:
    """Digest all that decides the targets' bytes besides the inputs, one entry per cause."""
    if isinstance(spec.make, Command):
        program, *arguments = spec.make.argv
        shown = "python" if program == sys.executable else program  # wherever it is installed
        action = canonical([shown, *arguments, spec.make.stdout])
    else:
        action = f"{_identity(spec.make)} {module_digest(spec.make.__module__)}"
    try:
        code = _code(spec.code)
    except FileNotFoundError as error:
        raise _invalid(spec, str(error)) from error
    return {
        "action": action,
        "config": canonical(dict(spec.config)),
        "python": PYTHON,
        **code,
        **{f"tool {program}": tool_version(program) for program in spec.tools},
        **{f"environment {name}": canonical(os.environ.get(name)) for name in spec.environment},
    }


@functools.cache
def _code(folders: tuple[str, ...]) -> dict[str, str]:
    """Digest folders of code, which many artifacts have in common."""
    return {f"code {folder}": folder_digest(folder) for folder in folders}


def _identity(function: object) -> str:
    """Return module:name of a function that another process can import, or raise TypeError."""
    if not isinstance(function, types.FunctionType) or not function.__qualname__.isidentifier():
        message = f"{function!r} is not a function at the top level of a module"
        raise TypeError(message)
    return f"{function.__module__}:{function.__name__}"


def _with_normal_paths(spec: Artifact) -> Artifact:
    """Spell each path one way, because doit takes `out/x` and `./out/x` for two files."""
    command = spec.make
    if isinstance(command, Command):
        normal = {target: _normal(target) for target in spec.targets}
        argv = tuple(normal.get(argument, argument) for argument in command.argv)
        stdout = None if command.stdout is None else _normal(command.stdout)
        command = replace(command, argv=argv, stdout=stdout)
    return replace(
        spec,
        make=command,
        inputs=tuple(map(_normal, spec.inputs)),
        targets=tuple(map(_normal, spec.targets)),
        result=None if spec.result is None else _normal(spec.result),
    )


def _normal(path: str) -> str:
    """Return the path relative to the project, or absolute if it is outside."""
    normal = os.path.normpath(path)  # resolve() would follow links
    if not normal.startswith(("/", "..")):
        return normal
    here = Path.cwd()
    full = Path(os.path.normpath(here / normal))
    return str(full.relative_to(here) if full.is_relative_to(here) else full)


def _check(spec: Artifact) -> None:
    """Raise InvalidTask for a description that cannot be right."""
    if not NAME.fullmatch(spec.name):  # the name becomes a folder, which is emptied
        raise _invalid(spec, "its name is not GROUP:ITEM, each of letters, digits and _ . -")
    if not spec.targets:
        raise _invalid(spec, "it has no targets")
    files = [*spec.inputs, *spec.targets]
    if len(set(files)) < len(files):
        twice = min(path for path in files if files.count(path) > 1)
        raise _invalid(spec, f"{twice} is listed twice among its inputs and targets")
    for target in spec.targets:
        if target.startswith("/"):
            raise _invalid(spec, f"its target {target} is outside the project")
    for path in files:
        if _is_folder(path):
            raise _invalid(spec, f"{path} is a folder; list the files")
    if spec.result is not None and spec.result not in spec.targets:
        raise _invalid(spec, f"its result {spec.result} is not one of its targets")
    _check_action(spec)


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(file_state(path).st_mode)
    except OSError:  # it is not there yet
        return False


def _check_action(spec: Artifact) -> None:
    """Raise InvalidTask for a function no worker can import, or a command without its targets."""
    if not isinstance(spec.make, Command):
        try:
            _identity(spec.make)
        except TypeError as error:
            raise _invalid(spec, str(error)) from error
        return
    named = {*spec.make.argv, spec.make.stdout}
    for target in spec.targets:
        if target not in named:
            raise _invalid(spec, f"its command does not name the target {target}")


def _invalid(spec: Artifact, what: str) -> InvalidTask:
    return InvalidTask(f"artifact {spec.name}: {what}")
