"""The reporter of this project."""

from typing import ClassVar

from pipeline.reporter import StageReporter


class Reporter(StageReporter):
    """Also removes excerpts that are not asked for any more."""

    owned: ClassVar[tuple[str, ...]] = ("generated", "examples")
