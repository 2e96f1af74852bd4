"""Making one artifact: in a room of its own, moved into place only when all of it is good."""

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from doit.exceptions import TaskError
from doit.task import Task

from pipeline.cache import entry_of, restore, store
from pipeline.digest import file_digest
from pipeline.errors import MakeError
from pipeline.layout import ROOMS, log_path
from pipeline.process import run
from pipeline.spec import Artifact, Command, Job
from pipeline.toolchain import require_tools

Record = dict[str, object]


def make(spec: Artifact, key: Mapping[str, str], task: Task) -> TaskError | None:
    """Make an artifact; the doit action of every task, which doit hands its `task` by name.

    Leaves in the task's values what doit is to remember: the key, and the digests of the inputs and
    targets. Whatever fails, the targets stay as they were and nothing is left behind but the log.
    """
    log = log_path(spec.name)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")
    room = ROOMS / str(os.getpid()) / spec.name.replace(":", "/")
    try:
        task.values["record"] = _make_in(room, spec, key, log)
    except MakeError as error:
        with log.open("a") as stream:
            stream.write(f"{error}\n")
        return TaskError(str(error))
    finally:
        shutil.rmtree(room, ignore_errors=True)
    return None


def record_now(spec: Artifact, key: Mapping[str, str]) -> Record | None:
    """Return what a run started now and changing nothing would record, None if a file is absent."""
    try:
        return _record(key, _digests(spec.inputs), _digests(spec.targets))
    except FileNotFoundError:
        return None


def _make_in(room: Path, spec: Artifact, key: Mapping[str, str], log: Path) -> Record:
    """Make the targets inside the room, then move them into place."""
    require_tools(spec.tools)
    before = _input_digests(spec.inputs)
    # In as few folders as there can be, since they are made for each artifact.
    common = os.path.commonpath([str(Path(target).parent) for target in spec.targets])
    places = {target: room / Path(target).relative_to(common) for target in spec.targets}
    for folder in {place.parent for place in places.values()}:
        folder.mkdir(parents=True, exist_ok=True)
    entry = entry_of(key, before, spec.targets) if spec.cached else None
    if entry is not None and restore(entry, list(places.values())):
        log.write_text("from the cache\n")
    else:
        _call(spec, places, log)
        _require_good(spec, places, before)
        if entry is not None:
            store(entry, places.values())
    after = {target: file_digest(place) for target, place in places.items()}
    for folder in {Path(target).parent for target in places}:
        folder.mkdir(parents=True, exist_ok=True)
    for target, place in places.items():
        place.replace(target)
    return _record(key, before, after)


def _call(spec: Artifact, places: Mapping[str, Path], log: Path) -> None:
    """Have the targets written at their places in the room."""
    if isinstance(spec.make, Command):
        _run_command(spec.make, places, log)
    else:
        spec.make(Job(spec.inputs, tuple(places.values()), spec.config, log))


def _require_good(spec: Artifact, places: Mapping[str, Path], before: Mapping[str, str]) -> None:
    """Raise MakeError for a target that is not there, or an input that is not what was read."""
    for target, place in places.items():
        if not place.is_file():
            message = f"the target {target} was not written"
            raise MakeError(message)
    for path, digest in _input_digests(spec.inputs).items():
        if digest != before[path]:
            message = f"the input {path} changed while the task ran; run doit again"
            raise MakeError(message)


def _run_command(command: Command, places: Mapping[str, Path], log: Path) -> None:
    """Run a command with each target in its arguments replaced by the file in the room."""
    argv = [str(places.get(argument, argument)) for argument in command.argv]
    output = run(argv, log, command.timeout)
    if command.stdout is not None:
        places[command.stdout].write_bytes(output)
        return
    with log.open("ab") as stream:
        stream.write(output)


def _input_digests(paths: Iterable[str]) -> dict[str, str]:
    """Digest the inputs; raise MakeError for one that is not there."""
    try:
        return _digests(paths)
    except FileNotFoundError as error:
        message = f"the input {error.filename} does not exist"
        raise MakeError(message) from error


def _digests(paths: Iterable[str]) -> dict[str, str]:
    """Map each path to the digest of its bytes."""
    return {path: file_digest(path) for path in paths}


def _record(key: Mapping[str, str], inputs: dict[str, str], targets: dict[str, str]) -> Record:
    """Return what is kept of a made artifact, in types that survive JSON."""
    return {"key": dict(key), "inputs": inputs, "targets": targets}
