"""Gates: tasks that fail where a verdict is bad, beside the artifacts that hold the verdicts.

A verdict is data: an artifact that could be reached is made, whatever it says, and is as cached as
any other. The gate reads it and fails, with exit status 1, if it says no.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from doit.exceptions import TaskError, TaskFailed
from doit.task import Task, dict_to_task
from doit.tools import config_changed

from pipeline.errors import MakeError
from pipeline.meaning import folder_digest, module_digest

Judge = Callable[[Mapping[str, object]], str]
"""Takes the content of a result file; returns what is wrong with it, or an empty string.

Raises MakeError where the result says nothing, which is exit status 2 and not 1.
"""


def gates(  # noqa: PLR0913 - half of them have defaults and are named
    basename: str,
    doc: str,
    results: Mapping[str, str],
    judge: Judge,
    *,
    also: Sequence[str] = (),
    code: Sequence[str] = (),
) -> Iterator[Task | dict[str, object]]:
    """Yield a gate for each item, `BASENAME:ITEM`, and one for all of them, `BASENAME`.

    `results` maps items to the result files of their artifacts; `judge` is a function at the top
    level of a module, and `code` the folders or files that it uses besides. `also` are files that
    are brought up to date with the gate of all. A gate that has failed fails again in each run; one
    that has passed is not asked again until a result or the code has changed.
    """
    judging = {
        "judge": module_digest(judge.__module__),
        **{each: folder_digest(each) for each in code},
    }
    for item, result in results.items():
        task: Task = dict_to_task(
            {
                "name": f"{basename}:{item}",
                "doc": f"{doc} Of {item} alone.",
                "actions": [(hold, [judge, [result]])],
                "file_dep": [result],
                "uptodate": [config_changed(judging)],
            }
        )
        task.subtask_of = basename
        yield task
    yield {
        "basename": basename,
        "doc": doc,
        "actions": [(hold, [judge, list(results.values())])],
        "file_dep": [*results.values(), *also],
        "uptodate": [config_changed(judging)],
    }


def hold(judge: Judge, results: Sequence[str]) -> TaskFailed | TaskError | None:
    """Return a failure with what is wrong with any of the results; the action of a gate."""
    try:
        problems = [judge(json.loads(Path(result).read_text())) for result in results]
    except MakeError as error:
        return TaskError(str(error))
    bad = [problem for problem in problems if problem]
    return TaskFailed("\n".join(bad)) if bad else None
