"""`doit run`, and so plain `doit`: doit's own, with reports of the run and errors of one line."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from doit import cmd_run
from doit.cmdparse import CmdParseError
from doit.exceptions import InvalidCommand

from pipeline.commands.command import INTERRUPTED, nobody_reads, one_line
from pipeline.request import Request, ask
from pipeline.runner import ParallelRunner, SerialRunner, ThreadRunner, quick_start
from pipeline.selection import unknown

REPORT_JSON = {
    "name": "report_json",
    "long": "report-json",
    "default": "",
    "metavar": "FILE",
    "help": "write the outcome of each task to FILE as JSON",
}
REPORT_JUNIT = {
    "name": "report_junit",
    "long": "report-junit",
    "default": "",
    "metavar": "FILE",
    "help": "write the outcome of each task to FILE as JUnit's XML",
}


class Run(cmd_run.Run):
    """The command that runs tasks."""

    name = "run"
    cmd_options: ClassVar[tuple[Mapping[str, object], ...]] = (
        *cmd_run.Run.cmd_options,
        REPORT_JSON,
        REPORT_JUNIT,
    )

    def parse_execute(self, in_args: Sequence[str]) -> int:
        """Run the tasks; raises doit's exceptions for its exit status 3, in one line each."""
        try:
            status = super().parse_execute(in_args)
            sys.stdout.flush()  # what cannot be written shows here, not at exit
        except CmdParseError as error:
            raise CmdParseError(one_line(str(error), self.cmdparser)) from error
        except InvalidCommand as error:
            if error.not_found is None:
                raise
            raise unknown(error, self._known()) from error
        except BrokenPipeError:
            return nobody_reads()
        except KeyboardInterrupt:
            sys.stderr.write("interrupted; what was finished need not be made again\n")
            return INTERRUPTED
        return status

    def execute(self, params: Mapping[str, Any], args: Sequence[str]) -> int:
        """Keep for the reporter what doit does not pass on, then run with the runners of here."""
        json, junit = (_file(params[name]) for name in ("report_json", "report_junit"))
        ask(Request(by_name=bool(args), json=json, junit=junit))
        # doit has no other place to name the classes of its runners.
        cmd_run.Runner = SerialRunner
        cmd_run.MRunner = ParallelRunner
        cmd_run.MThreadRunner = ThreadRunner
        quick_start()
        return super().execute(params, args)

    def _known(self) -> list[str]:
        """Return what can be asked for: commands, tasks and their targets."""
        targets = [target for task in self.task_list for target in task.targets]
        return [*self.loader.cmd_names, *(task.name for task in self.task_list), *targets]


def _file(path: str) -> Path | None:
    """Return the file as it is called from here, before doit changes to the folder of dodo.py."""
    if not path:
        return None
    file = Path(path).absolute()
    if not file.parent.is_dir() or file.is_dir():
        raise InvalidCommand(f"cannot write a report to {path}: no such folder, or it is one")
    return file
