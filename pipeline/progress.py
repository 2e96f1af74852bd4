"""Progress while tasks run: a bar on a terminal, a line for each finished task elsewhere."""

import os
import time
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


class Progress(Protocol):
    """What the reporter tells while tasks run."""

    def begin(self, task: str) -> None:
        """Say that a task starts."""
        ...

    def end(self, task: str, outcome: str) -> None:
        """Say that a task is settled, started or not."""
        ...

    def stop(self) -> None:
        """Leave the stream ready for other text."""
        ...


def progress_on(stream: TextIO, total: int) -> Progress:
    """Return the progress display that suits a stream, for a run of total tasks."""
    if stream.isatty() and os.environ.get("TERM") != "dumb":
        return BarProgress(stream, total)
    return LineProgress(stream)


class LineProgress:
    """One line for each task that ran, with its seconds."""

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self._stream = stream
        self._started: dict[str, float] = {}

    def begin(self, task: str) -> None:
        """Start the task's clock."""
        self._started[task] = time.monotonic()

    def end(self, task: str, outcome: str) -> None:
        """Write the line of a task that ran."""
        if task in self._started:
            seconds = time.monotonic() - self._started.pop(task)
            self._stream.write(f"{outcome}  {task}  {seconds:.1f} s\n")
            self._stream.flush()

    def stop(self) -> None:
        """Nothing is pending between lines."""


class BarProgress:
    """A bar with the count of settled tasks and the names of the running ones.

    It appears with the first task that runs, and is gone when the run is over.
    """

    def __init__(self, stream: TextIO, total: int) -> None:
        """Draw on a terminal."""
        self._stream = stream
        self._total = total
        self._settled = 0
        self._running: list[str] = []
        self._bar: Bar | None = None

    def begin(self, task: str) -> None:
        """Add a name to the bar."""
        self._running.append(task)
        if self._bar is None:
            self._bar = _bar(self._stream)
            self._bar.add_task("", total=self._total)
            self._bar.start()
        self._draw(self._bar)

    def end(self, task: str, outcome: str) -> None:
        """Count a task, and take its name off the bar."""
        del outcome
        self._settled += 1
        if task in self._running:
            self._running.remove(task)
        if self._bar is not None:
            self._draw(self._bar)

    def stop(self) -> None:
        """Erase the bar."""
        if self._bar is not None:
            self._bar.stop()

    def _draw(self, bar: "Bar") -> None:
        [row] = bar.task_ids
        bar.update(row, completed=self._settled, description=" ".join(self._running))


def _bar(stream: TextIO) -> "Bar":
    """Return rich's bar, not started; rich is imported here since most runs need no bar."""
    from rich.console import Console  # noqa: PLC0415 - see above
    from rich.progress import (  # noqa: PLC0415 - see above
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    return Progress(*columns, console=Console(file=stream), transient=True)
