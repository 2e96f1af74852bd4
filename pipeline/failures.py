"""A note for each task that failed in its last run, beside its log.

doit forgets all it knew about a task that fails, so that a failure looks like a task that was never
run. The note is for `doit why`; nothing that is made depends on it.
"""

from pathlib import Path

from pipeline.layout import log_path


def note_failure(task: str, reason: str) -> None:
    """Keep why a task failed, in one line."""
    note = _note(task)
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(" ".join(reason.split()))


def forget_failure(task: str) -> None:
    """Remove the note of a task that was made since."""
    _note(task).unlink(missing_ok=True)


def last_failure(task: str) -> str | None:
    """Return why a task failed; None unless it did when it was last run."""
    note = _note(task)
    return note.read_text() if note.exists() else None


def _note(task: str) -> Path:
    return log_path(task).with_suffix(".failed")
