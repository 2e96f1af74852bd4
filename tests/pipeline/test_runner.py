"""Workers: none without work, and none that is lost unnoticed."""

import os
import signal

import pytest

from tests.pipeline.doit_project import Project
from tests.pipeline.test_state import wait_until

TASKS = """
import multiprocessing
multiprocessing.set_start_method("{method}")

def task_make():
    for item in "abcd":
        make = steps.quick if item in "ab" else steps.slow
        yield one(name=f"make:{{item}}", make=make, inputs=(), targets=(f"out/{{item}}",))
"""
STEPS = """
import os
import signal
import sys
import time
from pathlib import Path


def quick(job):
    job.targets[0].write_text("made")


def slow(job):
    '''Wait for the test, with a child that has all that this process has, and ignores SIGTERM.'''
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        wait()
        os._exit(0)
    Path("running").mkdir(exist_ok=True)
    Path("running", job.targets[0].name).write_text(str(os.getpid()))
    wait()
    quick(job)


def wait():
    end = time.monotonic() + 30
    while not Path("go").exists() and time.monotonic() < end:
        time.sleep(0.01)
"""


@pytest.mark.parametrize("method", ["fork", "forkserver"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_lost_worker_ends_the_run_and_the_next_one_goes_on(
    project: Project, method: str, number: signal.Signals
) -> None:
    project.whole_run(TASKS.format(method=method), STEPS)
    with project.start("-n", "2") as run:
        wait_until(lambda: len(running(project)) == 2)
        os.kill(int(running(project)["c"]), number)
        assert run.wait(timeout=20) == 2
        project.write("go", "")  # ends the children, which have the pipe of what is printed too
        printed, _ = run.communicate()
    assert (
        f"failed: the process that ran make:c was killed by {number.name}; make:d was stopped too;"
        " what was finished is kept, run doit again\n"
    ) in printed
    assert printed.endswith("4 artifacts: 2 made, 0 up to date, 2 not reached\n")
    assert "Traceback" not in printed
    assert project.doit("-n", "2").endswith("4 artifacts: 2 made, 2 up to date\n")


def running(project: Project) -> dict[str, str]:
    """Return the numbers of the workers that wait for the test, by what they make."""
    files = (project.root / "running").glob("*")
    return {file.name: file.read_text() for file in files if file.read_text()}


EXIT = """
import os

def ends(job):
    os._exit(3)
"""


def test_a_worker_that_ends_itself_is_lost_too(project: Project) -> None:
    project.whole_run(
        "def task_make():\n    yield one(make=steps.ends, inputs=(), targets=('out/a',))\n", EXIT
    )
    printed = project.doit("-n", "2", status=2)
    assert "failed: the process that ran make:a ended with exit status 3; what" in printed


UNUSED = """
import atexit

def report():
    loaded = "multiprocessing.connection" in sys.modules
    Path("loaded").write_text(str(loaded))

atexit.register(report)

def task_make():
    for item in range(3):
        yield one(name=f"make:{item}", make=steps.quick, inputs=(), targets=(f"out/{item}",))
"""


def test_no_worker_is_started_without_work(project: Project) -> None:
    project.whole_run(UNUSED, STEPS)
    for expected in ("True", "False"):
        project.doit("-n", "2")
        assert project.read("loaded") == expected


WAITING = """
def task_make():
    yield {"name": "a", "actions": None, "setup": ["make:b"], "uptodate": [False]}
    yield {"name": "b", "actions": None, "task_dep": ["make:a"]}
"""


def test_tasks_that_wait_for_each_other_end_the_run(project: Project) -> None:
    project.whole_run(WAITING)
    printed = project.doit("-n", "2", status=2)
    assert printed == "failed: tasks that wait for each other: make, make:a, make:b\n"


ORDER = """
def task_make():
    inputs = {"e": ("out/d",), "f": ("out/d",), "g": ("out/c",)}
    for item in "abcdefg":
        yield one(name=f"make:{item}", make=steps.listed, inputs=inputs.get(item, ()),
                  targets=(f"out/{item}",), long=item == "b")
"""
LISTED = """
from pathlib import Path

def listed(job):
    with Path("order").open("a") as order:
        order.write(job.targets[0].name)
    job.targets[0].write_text("made")
"""


def test_what_most_others_wait_for_is_run_first_and_then_what_takes_long(project: Project) -> None:
    project.whole_run(ORDER, LISTED)
    project.doit("-n", "1")
    assert project.read("order") == "dcbaefg"


def test_teardowns_are_reported(project: Project) -> None:
    project.whole_run(
        """
        def down():
            Path("down").write_text("")

        def task_make():
            yield {"name": "a", "actions": [(down,)], "teardown": [(down,)]}
        """
    )
    project.doit("-n", "2")
    assert (project.root / "down").exists()
