"""Work in a forked child: it may fail in every way without taking this process along."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.child import in_child
from pipeline.errors import MakeError


def test_what_a_child_leaves_behind_are_files(tmp_path: Path) -> None:
    seen: list[int] = []

    def work() -> None:
        seen.append(1)
        os.write(1, b"said")
        (tmp_path / "pid").write_text(str(os.getpid()))

    log = tmp_path / "log"
    in_child(work, log, 30)
    assert int((tmp_path / "pid").read_text()) != os.getpid()
    assert seen == []
    assert log.read_text() == "said"


def raises() -> None:
    message = "no such thing"
    raise ValueError(message)


def crashes() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def sleeps() -> None:
    time.sleep(60)


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (raises, "^ValueError: no such thing$"),
        (crashes, "^was killed by SIGKILL$"),
        (sleeps, r"^took more than 0\.3 s$"),
    ],
)
def test_a_failure_is_one_line(work: Callable[[], None], message: str, tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(MakeError, match=message):
        in_child(work, tmp_path / "log", 0.3 if work is sleeps else 30)
    assert time.monotonic() - started < 30


def test_the_traceback_is_in_the_log(tmp_path: Path) -> None:
    with pytest.raises(MakeError):
        in_child(raises, tmp_path / "log", 30)
    assert "in raises" in (tmp_path / "log").read_text()
