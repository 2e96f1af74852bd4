"""`doit why`: what would run and for which reasons, without running anything."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any, ClassVar

from doit.exceptions import InvalidTask
from doit.task import Task

from pipeline.artifact import Fresh
from pipeline.commands.command import PluginCommand
from pipeline.reasons import BECAUSE, Reason, own_reasons
from pipeline.selection import Selection, artifact_of, makers, select

JSON = {
    "name": "as_json",
    "long": "json",
    "type": bool,
    "default": False,
    "help": "print JSON instead of text",
}


@dataclass(frozen=True)
class Stale:
    """An artifact that would run, or that may: it is made from one that would run."""

    task: str
    certain: bool
    reasons: Sequence[Reason]


class Why(PluginCommand):
    """The command; doit passes the options by the names of the parameters."""

    name = "why"
    doc_purpose = "say what would run and why, without running it"
    doc_usage = "[TASK/TARGET...]"
    doc_description = (
        "Lists artifacts only, and no gates. An artifact that is made from one that would"
        " run may turn out to be up to date, where the bytes come out the same."
    )
    cmd_options: ClassVar[tuple[Mapping[str, object], ...]] = (JSON,)

    def _execute(  # pyright: ignore[reportIncompatibleMethodOverride] - doit looks at the names
        self,
        as_json: bool,  # noqa: FBT001 - and passes each option to the parameter of its name
    ) -> int:
        selection = select(self.task_list, self.sel_tasks)
        stale = self._stale(selection)
        ignored = sum(map(self._is_ignored, _artifacts(selection)))
        total = len(_artifacts(selection))
        printed = _as_json(stale, total) if as_json else _as_text(stale, total, ignored)
        self.outstream.write(f"{printed}\n")
        return 0

    def _stale(self, selection: Selection) -> list[Stale]:
        """Return what would run, in the order of dodo.py."""
        stale: dict[str, Stale] = {}
        remade: set[str] = set()
        for name in _in_order(selection):
            task = selection.tasks[name]
            if self._is_ignored(task):
                continue
            reasons = self._reasons(task, selection, remade)
            certain = bool(reasons)
            for maker in makers(selection.tasks, name):
                if maker in stale:
                    verb = "would" if stale[maker].certain else "may"
                    reasons.append(Reason(BECAUSE, f"{maker} {verb} run"))
            if reasons:
                stale[name] = Stale(name, certain, reasons)
                remade.update(task.targets)
        return [stale[task.name] for task in _artifacts(selection) if task.name in stale]

    def _reasons(self, task: Task, selection: Selection, remade: set[str]) -> list[Reason]:
        """Return the reasons in a task itself; doit decides whether there is one."""
        status = self.state.get_status(task, selection.tasks, get_log=True)
        if status.status == "up-to-date":
            return []
        [fresh] = [each for each, *_ in task.uptodate if isinstance(each, Fresh)]
        record: Mapping[str, Any] | None = self.state.get_values(task.name).get("record")
        reasons = own_reasons(fresh, record, remade)
        if not reasons and not remade.intersection(task.file_dep):
            told = ", ".join(reason.replace("_", " ") for reason in status.reasons)
            reasons = [Reason("doit's own record differs", told)]
        return reasons

    def _is_ignored(self, task: Task) -> bool:
        return bool(self.state.status_is_ignore(task))


def _artifacts(selection: Selection) -> list[Task]:
    return [task for task in selection.needed() if artifact_of(task) is not None]


def _in_order(selection: Selection) -> list[str]:
    """Return the artifacts, each after those it is made from; InvalidTask for a cycle."""
    graph = {task.name: makers(selection.tasks, task.name) for task in _artifacts(selection)}
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise InvalidTask(f"tasks that need each other: {' -> '.join(error.args[1])}") from error


def _as_json(stale: Sequence[Stale], total: int) -> str:
    return json.dumps({"artifacts": total, "stale": [asdict(each) for each in stale]}, indent=1)


def _as_text(stale: Sequence[Stale], total: int, ignored: int) -> str:
    lines: list[str] = []
    for each in stale:
        lines.append(f"{each.task} {'would' if each.certain else 'may'} run")
        lines += [f"  {reason}" for reason in each.reasons]
    certain = sum(each.certain for each in stale)
    left = _counted(total - len(stale) - ignored, "up to date")
    left += f", {ignored} {'is' if ignored == 1 else 'are'} ignored" if ignored else ""
    if not stale:
        return f"nothing would run: {left}"
    may = len(stale) - certain
    more = f", {may} more may" if may else ""
    return "\n".join([*lines, f"{certain} would run{more}; {left}"])


def _counted(number: int, what: str) -> str:
    return f"{number} {'artifact is' if number == 1 else 'artifacts are'} {what}"
