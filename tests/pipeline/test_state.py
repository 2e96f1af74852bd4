"""What is left of a run that was killed, and of a database that was damaged."""

import os
import re
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.doit_project import Project

COUNT = 12
DATABASE = "generated/build/doit.sqlite3"
SLOW = f"""
def task_make():
    for item in range({COUNT}):
        yield one(name=f"make:{{item}}", make=steps.slow, inputs=(), targets=(f"out/{{item}}",))
"""
STEPS = """
import time

def slow(job):
    with open("started", "a") as started:
        started.write("x")
    time.sleep(0.2)
    if job.targets[0].name == "bad":
        raise ValueError("bad")
    job.targets[0].write_text("made")
"""


def started(project: Project) -> int:
    file = project.root / "started"
    return len(file.read_text()) if file.exists() else 0


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("processes", ["0", "2"])
@pytest.mark.parametrize("kill", [os.kill, os.killpg])
def test_a_killed_run_loses_only_what_was_in_flight(
    project: Project, processes: str, kill: Callable[[int, int], None]
) -> None:
    project.whole_run(SLOW, STEPS)
    with project.start("-n", processes) as run:
        wait_until(lambda: started(project) > 6)
        kill(run.pid, signal.SIGKILL)
    before = started(project)
    assert before < COUNT
    printed = project.doit("-n", processes)
    in_flight = max(int(processes), 1)
    assert started(project) <= COUNT + in_flight
    made, kept = re.findall(r"(\d+) (?:made|up to date)", printed.splitlines()[-1])
    assert int(kept) >= before - in_flight
    assert int(made) + int(kept) == COUNT
    assert list((project.root / "generated/build/rooms").rglob("*/make/*")) == []


def test_a_failure_does_not_keep_the_database_locked(project: Project) -> None:
    project.whole_run(SLOW.replace(f"range({COUNT})", '("bad", "b", "c", "d", "e")'), STEPS)
    with project.start() as run:
        wait_until(lambda: started(project) > 1)
        other = sqlite3.connect(project.root / DATABASE, timeout=0)
        other.execute("delete from doit where task_id = 'nobody'")
        other.close()
        assert run.poll() is None
        run.communicate()
    assert run.returncode == 2


PLAIN = """
def task_make():
    yield one(make=steps.shout, inputs=("a.in",), targets=("out/a",))
"""


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def a_folder(path: Path) -> None:
    path.unlink()
    (path / "inside").mkdir(parents=True)


def statement(sql: str) -> Callable[[Path], None]:
    def execute(path: Path) -> None:
        database = sqlite3.connect(path)
        database.executescript(sql)
        database.close()

    return execute


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (garbage, "file is not a database"),
        (truncated, "malformed"),
        (a_folder, "it is a folder"),
        (statement("drop table doit; create table doit (a, b);"), "its columns are a, b"),
        (statement("update doit set task_data = '{'"), "make:a is not a JSON object"),
        (statement("update doit set task_data = 3"), "entry of make:a is not a JSON object"),
        (statement("update doit set task_data = cast(x'ff' as text)"), "can't decode"),
    ],
)
def test_a_damaged_database_is_begun_anew(
    project: Project, damage: Callable[[Path], None], why: str
) -> None:
    project.whole_run(PLAIN)
    project.write("a.in", "a")
    project.doit()
    damage(project.root / DATABASE)
    for _ in range(2):  # the second time, the place for the damaged one is taken
        first, *rest = project.doit().splitlines()
        assert re.fullmatch(
            rf"the record of earlier runs is damaged \(.*{re.escape(why)}.*\): {DATABASE} was "
            rf"moved to {DATABASE}.damaged, and everything is made again",
            first,
        )
        assert rest[-1] == "1 artifact: 1 made, 0 up to date"
        assert project.doit() == "1 artifact: up to date\n"
        damage(project.root / DATABASE)


def test_commands_that_only_read_find_the_damage_too(project: Project) -> None:
    project.whole_run(PLAIN)
    project.write("a.in", "a")
    project.doit()
    garbage(project.root / DATABASE)
    damaged, status = project.doit("list", "--all", "--status", "make:a").splitlines()
    assert "damaged" in damaged
    assert status.startswith("R make:a")


def test_a_database_that_another_process_holds_is_not_damaged(project: Project) -> None:
    project.whole_run(PLAIN)
    project.write("a.in", "a")
    project.doit()
    other = sqlite3.connect(project.root / DATABASE)
    other.execute("begin immediate")
    assert project.doit("list", "--all", "--status", "make:a").startswith("U make:a")
    other.close()


def test_what_doit_writes_itself_is_kept(project: Project) -> None:
    project.whole_run(PLAIN)
    project.write("a.in", "a")
    project.doit("ignore", "make:a")
    assert "1 ignored" in project.doit()
    project.doit("forget", "make:a")
    assert project.doit().endswith("1 artifact: 1 made, 0 up to date\n")
