"""One run at a time, and nothing left of one that was killed."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.layout import LOCK
from pipeline.lock import hold_run_lock
from tests.pipeline.doit_project import Project
from tests.pipeline.test_state import wait_until

TICKING = """
def task_make():
    command = Command(("sh", "-c", "while sleep 0.05; do echo >> ticks; done", "out/a"), 60)
    yield one(make=command, inputs=(), targets=("out/a",))
"""
FORKED = """
import subprocess
from functools import partial
from pipeline.child import in_child

def forever(job):
    in_child(partial(subprocess.call, ("sh", "-c", "while sleep 0.05; do echo >> ticks; done")),
             job.log, 60)
"""
IN_CHILD = """
def task_make():
    yield one(make=steps.forever, inputs=(), targets=("out/a",))
"""


@pytest.fixture
def ticking(project: Project) -> Project:
    project.whole_run(TICKING)
    return project


def test_a_second_run_is_refused_at_once(ticking: Project) -> None:
    with ticking.start("-n", "2") as run:
        wait_until((ticking.root / "ticks").exists)
        start = time.monotonic()
        refused = ticking.doit(status=3)
        assert time.monotonic() - start < 5
        assert ticking.doit("list") == "make   \n"
        assert "status     : run" in ticking.doit("info", "make:a", status=1)
        run.terminate()
    assert refused == (
        f"ERROR: another run of doit is at work here (process {run.pid}); "
        "wait for its end, or stop it\n"
    )


def is_free(project: Project) -> bool:
    """Tell whether the lock can be taken, which every process of the run holds."""
    with (project.root / "generated/build/lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.mark.parametrize("processes", ["0", "2"])
@pytest.mark.parametrize("kill", [os.kill, os.killpg])
@pytest.mark.parametrize(("tasks", "steps"), [(TICKING, ""), (IN_CHILD, FORKED)])
def test_nothing_outlives_a_killed_run(
    project: Project, processes: str, kill: Callable[[int, int], None], tasks: str, steps: str
) -> None:
    project.whole_run(tasks, steps)
    ticks = project.root / "ticks"
    with project.start("-n", processes) as run:
        wait_until(ticks.exists)
        assert not is_free(project)
        kill(run.pid, signal.SIGKILL)
    wait_until(lambda: is_free(project))
    time.sleep(0.3)
    size = ticks.stat().st_size
    time.sleep(0.3)
    assert ticks.stat().st_size == size


HOLDER = """
import fcntl, subprocess, time
lock = open("generated/build/lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
ended = subprocess.Popen(["true"])
ended.wait()
lock.write(str(ended.pid))
lock.flush()
print(flush=True)
time.sleep(0.5)
"""


def test_a_run_waits_for_the_workers_of_a_killed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    LOCK.parent.mkdir(parents=True)
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        hold_run_lock()
    assert LOCK.read_text() == str(os.getpid())


@pytest.mark.parametrize("processes", ["0", "2"])
def test_ctrl_c_is_one_line_and_130(ticking: Project, processes: str) -> None:
    with ticking.start("-n", processes) as run:
        wait_until((ticking.root / "ticks").exists)
        os.killpg(run.pid, signal.SIGINT)
        printed, _ = run.communicate(timeout=20)
    assert run.returncode == 130
    assert printed.count("interrupted; what was finished") == 1
    assert "Traceback" not in printed
    assert "Error" not in printed
