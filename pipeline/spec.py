"""What an artifact is: plain frozen data, so that parallel runs can send it between processes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """What a making function is given.

    It reads `inputs`, writes every one of `targets` (which are moved into place afterwards) and
    may append to `log`. It must read nothing else that can change.
    """

    inputs: tuple[str, ...]
    targets: tuple[Path, ...]
    config: Mapping[str, object]
    log: Path


@dataclass(frozen=True)
class Command:
    """A command that makes an artifact: each target is an element of `argv`, or its `stdout`.

    `timeout` is in seconds; the whole process group is killed when it has passed.
    """

    argv: tuple[str, ...]
    timeout: float
    stdout: str | None = None


@dataclass(frozen=True)
class Stage:
    """A table printed at the end of a run, with the rows of every artifact of the stage.

    The first of `columns` holds the artifact's short name; `rows` turns the JSON content of the
    artifact's result file into the cells of the other columns. `by` names a column whose values
    make a table each, with the value as its title. `summary` turns the contents of all result
    files into a line below the tables.
    """

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Mapping[str, object]], Sequence[Sequence[str]]]
    by: str | None = None
    summary: Callable[[Sequence[Mapping[str, object]]], str] | None = None


@dataclass(frozen=True)
class Artifact:
    """One task: its name (`group:item`), how it is made, and all that its bytes depend on.

    `code` names the folders of source code that make it, `config` is the slice of the settings
    that concerns it, `tools` maps a program that must be installed to the command installing it;
    its version counts. `environment` names the environment variables that are read. `result` is
    the target, a JSON file, that the table of `stage` is printed from. With `cached`, what was made
    from the same things before is copied and not made again. One that is `long` takes longer than
    most and is begun before them, so that the last worker does not end with it alone.
    """

    name: str
    doc: str
    make: Callable[[Job], None] | Command
    inputs: tuple[str, ...]
    targets: tuple[str, ...]
    code: tuple[str, ...] = ()
    config: Mapping[str, object] = field(default_factory=dict[str, object])
    tools: Mapping[str, str] = field(default_factory=dict[str, str])
    environment: tuple[str, ...] = ()
    cached: bool = False
    long: bool = False
    stage: Stage | None = None
    result: str | None = None
