"""What the command line asked of a run that doit itself has no place for.

`pipeline.commands.run` writes it where doit keeps the variables of a command line, and the reporter
reads it there: a reporter has no options of its own.
"""

from dataclasses import dataclass
from pathlib import Path

from doit.doit_cmd import get_var, set_var

VARIABLE = "pipeline.request"


@dataclass(frozen=True)
class Request:
    """Whether tasks were asked for by name, and the files to write a report to."""

    by_name: bool = False
    json: Path | None = None
    junit: Path | None = None


def ask(request: Request) -> None:
    """Keep the request until the end of the run."""
    set_var(VARIABLE, request)


def asked() -> Request:
    """Return the request; where doit's own `run` command is in place, that of a plain `doit`."""
    return get_var(VARIABLE) or Request()
