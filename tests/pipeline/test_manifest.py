"""What nothing makes any more is removed, and nothing else."""

import sqlite3
from contextlib import closing

import pytest

from tests.pipeline.doit_project import STEPS, Project

TASKS = """
ITEMS = ("a", "b")

def task_make():
    for item in ITEMS:
        yield one(name=f"make:{item}", make=steps.shout, inputs=(f"{item}.in", f"{item}.in2"),
                  targets=(f"out/{item}/x.txt", f"out/{item}/deep/y.txt"))
"""
ONLY_A = TASKS.replace('("a", "b")', '("a",)')
MADE = {"out/a/x.txt", "out/a/deep/y.txt", "out/b/x.txt", "out/b/deep/y.txt"}
OF_A = {"out/a/x.txt", "out/a/deep/y.txt"}


@pytest.fixture
def made(project: Project) -> Project:
    project.whole_run(TASKS)
    for name in ("a.in", "a.in2", "b.in", "b.in2"):
        project.write(name, name)
    project.doit("-n", "2")
    assert results(project) == MADE
    return project


def results(project: Project) -> set[str]:
    return {name for name in project.files() if name.startswith(("out/", "else/"))}


def test_the_files_and_the_log_of_a_task_that_is_gone_are_removed(made: Project) -> None:
    logs = made.root / "generated/build/logs/make"
    assert (logs / "b.log").exists()
    made.whole_run(ONLY_A)
    assert made.doit() == (
        "1 artifact: up to date\n"
        "removed: out/b/deep/y.txt, which nothing makes any more\n"
        "removed: out/b/x.txt, which nothing makes any more\n"
    )
    assert results(made) == OF_A
    assert not (made.root / "out/b").exists()
    assert {log.name for log in logs.iterdir()} == {"a.log"}
    with closing(sqlite3.connect(made.root / "generated/build/doit.sqlite3")) as database:
        assert (
            database.execute("select task_id from doit where task_id = 'make:b'").fetchall() == []
        )
    assert made.doit() == "1 artifact: up to date\n"


def test_a_task_that_comes_back_is_made_again(made: Project) -> None:
    made.whole_run(ONLY_A)
    made.doit()
    made.whole_run(TASKS)
    assert made.doit().endswith("2 artifacts: 1 made, 1 up to date\n")
    assert results(made) == MADE


def test_a_target_that_a_task_gave_up_is_removed(made: Project) -> None:
    made.whole_run(TASKS.replace("{item}/x.txt", "{item}/z.txt"))
    made.doit()
    assert results(made) == {name.replace("/x", "/z") for name in MADE}


def test_an_edited_file_is_kept_until_it_is_removed_by_hand(made: Project) -> None:
    made.write("out/b/x.txt", "mine")
    made.whole_run(ONLY_A)
    kept = "kept: out/b/x.txt; nothing makes it any more, but it was edited: remove it yourself\n"
    assert made.doit().endswith(kept)
    assert results(made) == OF_A | {"out/b/x.txt"}
    assert made.doit() == f"1 artifact: up to date\n{kept}"
    (made.root / "out/b/x.txt").unlink()
    assert made.doit() == "1 artifact: up to date\n"


def test_selecting_a_task_removes_only_what_is_gone_from_the_graph(made: Project) -> None:
    made.doit("make:a")
    assert results(made) == MADE
    made.whole_run(ONLY_A)
    made.doit("make:a")
    assert results(made) == OF_A


def test_a_run_that_fails_removes_nothing(made: Project) -> None:
    made.whole_run(ONLY_A, STEPS + "    raise ValueError\n")
    made.doit(status=2)
    assert results(made) == MADE


def test_what_was_made_by_a_run_that_failed_is_removed_later(made: Project) -> None:
    made.whole_run(TASKS.replace("out/{item}/x.txt", "out/{item}/new.txt"))
    (made.root / "a.in").unlink()
    made.doit(status=2)
    assert "out/b/new.txt" in results(made)
    made.write("a.in", "a.in")
    made.whole_run(ONLY_A)
    made.doit()
    assert results(made) == OF_A


def test_what_is_an_input_now_is_never_removed(made: Project) -> None:
    more = """
def task_more():
    yield one(name="more:a", make=steps.shout, inputs=("out/b/x.txt",), targets=("out/more",))
"""
    plain = """
def task_plain():
    return {"actions": ["true"], "file_dep": ["out/b/deep/y.txt"]}
"""
    made.whole_run(ONLY_A + more + plain)
    made.doit()
    kept = {"out/b/x.txt", "out/b/deep/y.txt"}
    assert results(made) == OF_A | kept | {"out/more"}
    made.whole_run(ONLY_A)
    made.doit()
    assert results(made) == OF_A | kept


def test_what_is_outside_the_owned_folders_is_never_removed(made: Project) -> None:
    made.whole_run(TASKS.replace("out/", "else/"))
    made.doit()
    made.whole_run(ONLY_A)
    made.doit()
    assert results(made) == OF_A | {name.replace("out/", "else/") for name in MADE}


def test_a_link_in_the_way_is_not_followed(made: Project) -> None:
    (made.root / "out/b").rename(made.root / "else")
    (made.root / "out/b").symlink_to(made.root / "else")
    made.whole_run(ONLY_A)
    made.doit()
    assert {"else/x.txt", "else/deep/y.txt"} <= results(made)


def test_a_refused_run_removes_nothing(made: Project) -> None:
    made.whole_run(ONLY_A + "from pipeline.lock import hold_run_lock\nhold_run_lock()\n")
    made.doit(status=3)
    assert results(made) == MADE
