"""What the plugin's commands share: complaints of one line, and doit's state, closed afterwards."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from doit.cmd_base import DoitCmdBase
from doit.cmdparse import CmdParse, CmdParseError
from doit.dependency import Dependency

from pipeline.digest import hold_states

INTERRUPTED = 130  # as a shell reports SIGINT
NOBODY_READS = 141  # as a shell reports SIGPIPE


class PluginCommand(DoitCmdBase):
    """A command that reads the task graph and runs nothing in this process."""

    @property
    def state(self) -> Dependency:
        """What doit remembers of the tasks."""
        assert self.dep_manager is not None  # doit opens it before it calls _execute
        return self.dep_manager

    def parse_execute(self, in_args: Sequence[str]) -> int:
        """Run the command; raises doit's exceptions for its exit status 3, in one line each."""
        try:
            status = super().parse_execute(in_args)
            sys.stdout.flush()  # what cannot be written shows here, not at exit
        except CmdParseError as error:
            raise CmdParseError(one_line(str(error), self.cmdparser)) from error
        except BrokenPipeError:
            return nobody_reads()
        except KeyboardInterrupt:
            sys.stderr.write("interrupted\n")
            return INTERRUPTED
        return status

    def execute(self, params: Mapping[str, Any], args: Sequence[str]) -> int:
        """Run the command and close the state, as doit leaves to each command."""
        hold_states()
        try:
            return super().execute(params, args)
        finally:
            if self.dep_manager is not None:  # None: dodo.py could not be loaded
                self.dep_manager.close()


def one_line(message: str, parser: CmdParse) -> str:
    """Drop the list of doit's inner options from a complaint, and suggest one of them."""
    said = re.sub(r" \(parsing options: .*", "", message, flags=re.DOTALL)
    option = re.search(r"option (--?[\w-]+) not recognized", said)
    if option is None:
        return said
    if said.startswith("Error parsing Task"):
        return f"{said}; options go before the names of tasks"
    close = get_close_matches(option[1], [f"--{each.long}" for each in parser.options], n=1)
    return f"{said}; did you mean {close[0]}?" if close else said


def nobody_reads() -> int:
    """Return the status for a closed pipe, and leave Python nothing to complain about at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NOBODY_READS
