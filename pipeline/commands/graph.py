"""`doit graph`: the tasks and what they are made from, as Mermaid text, which GitHub draws."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from doit.task import Task

from pipeline.commands.command import PluginCommand
from pipeline.selection import Selection, dependencies, is_artifact, nearest, select

MOST_TASKS = 40
"""With more tasks than this, a picture of single tasks cannot be read."""

BY_TASK = {
    "name": "by_task",
    "long": "by-task",
    "type": bool,
    "default": False,
    "help": "draw each task, however many there are",
}


class Graph(PluginCommand):
    """The command; doit passes the options by the names of the parameters."""

    name = "graph"
    doc_purpose = "print the task graph as Mermaid text"
    doc_usage = "[TASK/TARGET...]"
    doc_description = (
        f"Draws each task where tasks are named or there are at most {MOST_TASKS}; otherwise each"
        " group with the number of its tasks. A gate has six corners."
    )
    cmd_options: ClassVar[tuple[Mapping[str, object], ...]] = (BY_TASK,)

    def _execute(  # pyright: ignore[reportIncompatibleMethodOverride] - doit looks at the names
        self,
        by_task: bool,  # noqa: FBT001 - and passes each option to the parameter of its name
    ) -> int:
        selection = select(self.task_list, self.sel_tasks)
        tasks = [task for task in selection.needed() if task.actions]
        single = by_task or not self.sel_default_tasks or len(tasks) <= MOST_TASKS
        lines = _by_task(tasks, selection) if single else _by_group(tasks, selection)
        self.outstream.write("\n".join(["flowchart LR", *lines]) + "\n")
        return 0


def _by_task(tasks: Sequence[Task], selection: Selection) -> Iterable[str]:
    """Yield a subgraph for each group of several tasks, then an arrow for each dependency."""
    ids = {task.name: f"t{number}" for number, task in enumerate(tasks)}
    for number, (group, members) in enumerate(_groups(tasks).items()):
        nodes = [f"{ids[task.name]}{_node(task, task.name)}" for task in members]
        if len(members) == 1:
            yield f"  {nodes[0]}"
            continue
        yield f"  subgraph g{number} [{_quoted(group)}]"
        yield from (f"    {node}" for node in nodes)
        yield "  end"
    for task in tasks:
        for name in _before(task, selection):
            yield f"  {ids[name]} --> {ids[task.name]}"


def _by_group(tasks: Sequence[Task], selection: Selection) -> Iterable[str]:
    """Yield a node for each group, then an arrow for each pair of groups that depend."""
    groups = _groups(tasks)
    ids = {group: f"g{number}" for number, group in enumerate(groups)}
    for group, members in groups.items():
        label = f"{group} ({len(members)})" if len(members) > 1 else members[0].name
        yield f"  {ids[group]}{_node(members[0], label)}"
    arrows = {
        (_group(name), _group(task.name)): None
        for task in tasks
        for name in _before(task, selection)
    }
    for before, after in arrows:
        if before != after:
            yield f"  {ids[before]} --> {ids[after]}"


def _before(task: Task, selection: Selection) -> list[str]:
    """Return the tasks with actions that a task waits for, those behind doit's groups included."""
    return nearest(selection.tasks, dependencies(task), lambda other: bool(other.actions))


def _groups(tasks: Sequence[Task]) -> dict[str, list[Task]]:
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        groups.setdefault(_group(task.name), []).append(task)
    return groups


def _group(name: str) -> str:
    return name.partition(":")[0]


def _node(task: Task, label: str) -> str:
    return f"[{_quoted(label)}]" if is_artifact(task) else f"{{{{{_quoted(label)}}}}}"


def _quoted(label: str) -> str:
    """Quote a label: its words and punctuation then mean nothing to Mermaid."""
    return '"' + label.replace("#", "#35;").replace('"', "#quot;") + '"'
