"""Make artifacts of a copy of the project one by one; say what each reads that it does not declare.

`python make_watched.py FILE` in the copy: FILE is a module with a function `specs`, which returns
the artifacts in the order to make them in. Prints a JSON object: for each artifact, the files.
"""

import importlib
import json
import os
import sys
from collections.abc import Mapping
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any, cast

from doit.task import Task

from pipeline.artifact import artifact
from pipeline.layout import CACHE, DIGESTS, LOGS, ROOMS
from pipeline.making import make
from pipeline.spec import Artifact, Command

ROOT = Path(__file__).resolve().parent
LOG = ROOT / "opened.log"
OURS = ("sitecustomize.py", "make_watched.py")
OF_THE_PIPELINE = tuple(f"{folder}/" for folder in (CACHE, DIGESTS, LOGS, ROOMS))

WARM = "generated/build/mutants/nursery"
"""Says which process is warm, and influences nothing. One that ends opens it too, and that may be
while the next artifact is made."""

STAND_INS = ("basis:", "copy:")
"""Artifacts that others depend on in place of all that these read and write."""


def main() -> None:
    """Make all; each in a process of its own, so that it imports what it needs itself."""
    found: dict[str, list[str]] = {}
    stand_ins: dict[str, set[str]] = {}
    for spec in importlib.import_module(sys.argv[1]).specs():
        child = os.fork()
        if child == 0:
            os._exit(_made(spec))
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit(f"{spec.name} cannot be made")
        found[spec.name] = sorted(_undeclared(spec, stand_ins))
        if spec.name.startswith(STAND_INS):
            files = {*spec.inputs, *spec.targets, *spec.code, *_stood_for(spec, stand_ins)}
            stand_ins |= dict.fromkeys(spec.targets, files)
        LOG.unlink()
    sys.stdout.write(json.dumps(found, indent=1))


def _made(spec: Artifact) -> int:
    """Make an artifact; return 0 if it could be made."""
    [(_, [normal, key])] = cast("list[Any]", artifact(spec)["actions"])
    LOG.touch()
    failure = make(normal, key, Task(spec.name, None))
    if failure is not None:
        sys.stderr.write(f"{failure.message}\n")
    return int(failure is not None)


def _stood_for(spec: Artifact, stand_ins: Mapping[str, set[str]]) -> set[str]:
    return {file for path in spec.inputs for file in stand_ins.get(path, ())}


def _undeclared(spec: Artifact, stand_ins: Mapping[str, set[str]]) -> set[str]:
    """Return the files that were read, without those that the artifact declares."""
    opened = {_relative(path) for path in LOG.read_text().splitlines()}
    declared = {*spec.inputs, *spec.targets, *spec.code, *OURS, *_stood_for(spec, stand_ins)}
    if not isinstance(spec.make, Command):
        declared.add(_relative(str(sys.modules[spec.make.__module__].__file__)))
    folders = (*(f"{code}/" for code in spec.code), *OF_THE_PIPELINE)
    return {path for path in opened - declared - {WARM} if not path.startswith(folders)}


def _relative(path: str) -> str:
    """Return the path from the root; of a compiled module that of its source."""
    if path.endswith(".pyc"):
        path = source_from_cache(path)
    return str(Path(path).relative_to(ROOT))


if __name__ == "__main__":
    main()
