"""The tasks that names on the command line stand for, and how artifacts depend on each other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from doit.control import TaskControl
from doit.exceptions import InvalidCommand

from pipeline.spec import Artifact

if TYPE_CHECKING:
    from doit.task import Task


@dataclass(frozen=True)
class Selection:
    """All tasks of a dodo.py, in its order, and the names of those that were asked for."""

    tasks: "Mapping[str, Task]"
    names: Sequence[str]

    def needed(self) -> "list[Task]":
        """Return the tasks asked for and all that they depend on, in the order of dodo.py."""
        return [self.tasks[name] for name in needed(self.tasks, self.names)]


def select(task_list: "Sequence[Task]", names: Sequence[str] | None) -> Selection:
    """Return the tasks with these names, wildcards or targets; all tasks for None.

    Raises doit's InvalidCommand (exit status 3) for a name that stands for nothing.
    """
    control = TaskControl(task_list)
    try:
        control.process(None if names is None else list(names))
    except InvalidCommand as error:
        raise unknown(error, [*control.tasks, *control.targets]) from error
    found = control.selected_tasks or []
    if names and not found:
        raise InvalidCommand(f"no task matches {' '.join(names)}")
    return Selection(control.tasks, found)


def unknown(error: InvalidCommand, known: Sequence[str]) -> InvalidCommand:
    """Return the one-line form of doit's complaint about a name that is no task."""
    name = error.not_found
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else "`doit list --all` lists the tasks"
    return InvalidCommand(f"'{name}' is no command, no task and no target; {hint}")


def artifact_of(task: "Task") -> Artifact | None:
    """Return the artifact that a task makes; None for a gate, a group and a task made by hand."""
    spec = (task.meta or {}).get("artifact")
    return spec if isinstance(spec, Artifact) else None


def needed(tasks: "Mapping[str, Task]", names: Iterable[str]) -> list[str]:
    """Return the names and those of all that they depend on, in the order of the tasks."""
    waiting = list(names)
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += dependencies(tasks[name])
    return [name for name in tasks if name in found]


def nearest(
    tasks: "Mapping[str, Task]", names: Iterable[str], wanted: "Callable[[Task], bool]"
) -> list[str]:
    """Replace each name of a task that is not wanted by those it depends on, over any distance.

    In the order of the tasks, which doit's own order of dependencies is not: it is that of a set.
    """
    waiting = list(names)
    seen: set[str] = set()
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if wanted(tasks[name]):
            found.add(name)
        else:
            waiting += dependencies(tasks[name])
    places = {name: place for place, name in enumerate(tasks)} if len(found) > 1 else {}
    return sorted(found, key=lambda name: places.get(name, 0))


def is_artifact(task: "Task") -> bool:
    """Say whether a task makes an artifact."""
    return artifact_of(task) is not None


def makers(tasks: "Mapping[str, Task]", name: str) -> list[str]:
    """Return the artifacts that a task is made from directly, or through gates and groups."""
    return nearest(tasks, dependencies(tasks[name]), is_artifact)


def dependencies(task: "Task") -> list[str]:
    """Return the names of the tasks that a task waits for."""
    return [*task.task_dep, *task.setup_tasks]
