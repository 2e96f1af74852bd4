"""Gates: tasks that fail where a verdict is bad, beside the artifacts that hold the verdicts.

A verdict is data: an artifact that could be reached is made, whatever it says, and is as cached as
any other. The gate reads it and fails, with exit status 1, if it says no.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from doit.exceptions import TaskError, TaskFailed
from doit.task import Task, dict_to_task

from pipeline.errors import MakeError

Judge = Callable[[Mapping[str, object]], str]
"""Takes the content of a result file; returns what is wrong with it, or an empty string.

Raises MakeError where the result says nothing, which is exit status 2 and not 1.
"""


def gates(
    basename: str, doc: str, results: Mapping[str, str], judge: Judge, also: Sequence[str] = ()
) -> Iterator[Task | dict[str, object]]:
    """Yield a gate for each item, `BASENAME:ITEM`, and one for all of them, `BASENAME`.

    `results` maps items to the result files of their artifacts; `judge` is a function at the top
    level of a module. `also` are files that are brought up to date with the gate of all.
    """
    for item, result in results.items():
        task: Task = dict_to_task(
            {
                "name": f"{basename}:{item}",
                "doc": f"{doc} Of {item} alone.",
                "actions": [(hold, [judge, [result]])],
                "file_dep": [result],
                "uptodate": [False],
            }
        )
        task.subtask_of = basename
        yield task
    yield {
        "basename": basename,
        "doc": doc,
        "actions": [(hold, [judge, list(results.values())])],
        "file_dep": [*results.values(), *also],
        "uptodate": [False],
    }


def hold(judge: Judge, results: Sequence[str]) -> TaskFailed | TaskError | None:
    """Return a failure with what is wrong with any of the results; the action of a gate."""
    try:
        problems = [judge(json.loads(Path(result).read_text())) for result in results]
    except MakeError as error:
        return TaskError(str(error))
    bad = [problem for problem in problems if problem]
    return TaskFailed("\n".join(bad)) if bad else None
