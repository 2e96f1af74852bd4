"""What was made from the same things before is copied and not made again."""

import os
from pathlib import Path

import pytest

from pipeline import cache
from tests.pipeline.doit_project import Project

TASKS = """
SIZE = 1

def task_make():
    yield one(name=NAME, make=steps.tool, inputs=("a.in",), targets=("out/a", "out/b"),
              config={"size": SIZE}, cached=True)
"""
STEPS = """
def tool(job):
    with open("runs", "a") as runs:
        runs.write("x")
    text = open(job.inputs[0]).read() * job.config["size"]
    if text == "bad":
        raise ValueError("bad")
    job.targets[0].write_text(text)
    job.targets[1].write_bytes(b"\\n\\0" + text.encode())
    job.targets[1].chmod(0o755)
"""


def with_size(
    project: Project, size: int, name: str = "make:a", jobs: str = "0", more: str = ""
) -> str:
    project.whole_run(TASKS.replace("SIZE = 1", f'SIZE = {size}\nNAME = "{name}"') + more, STEPS)
    return project.doit("-n", jobs)


@pytest.fixture
def changed(project: Project) -> Project:
    """Return a project that was made with one setting, and then with another."""
    project.write("a.in", "text")
    with_size(project, 1)
    with_size(project, 2)
    assert project.runs() == 2
    return project


def entries(project: Project) -> list[Path]:
    return list((project.root / "generated/build/cache").iterdir())


FORKSERVER = 'import multiprocessing\nmultiprocessing.set_start_method("forkserver")\n'


@pytest.mark.parametrize(("jobs", "more"), [("0", ""), ("2", ""), ("2", FORKSERVER)])
def test_going_back_to_a_setting_makes_nothing(changed: Project, jobs: str, more: str) -> None:
    printed = with_size(changed, 1, jobs=jobs, more=more)
    assert printed.endswith("1 artifact: 1 made, 0 up to date\n")
    assert changed.runs() == 2
    assert changed.read("out/a") == "text"
    assert (changed.root / "out/b").read_bytes() == b"\n\0text"
    assert os.access(changed.root / "out/b", os.X_OK)
    assert changed.read("generated/build/logs/make/a.log") == "from the cache\n"
    assert changed.doit() == "1 artifact: up to date\n"


def test_the_name_of_the_task_does_not_matter(changed: Project) -> None:
    with_size(changed, 1, "other:b")
    assert changed.runs() == 2


def test_a_deleted_target_comes_from_the_cache(changed: Project) -> None:
    (changed.root / "out/a").unlink()
    changed.doit()
    assert changed.runs() == 2
    assert changed.read("out/a") == "texttext"


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 200])
def test_a_damaged_entry_is_removed_and_the_artifact_made(changed: Project, damage: bytes) -> None:
    good = {entry.name: entry.read_bytes() for entry in entries(changed)}
    assert len(good) == 2
    for entry in entries(changed):
        entry.write_bytes(damage)
    with_size(changed, 1)
    assert changed.runs() == 3
    assert changed.read("out/a") == "text"
    assert sum(entry.read_bytes() == good[entry.name] for entry in entries(changed)) == 1


def test_it_can_be_switched_off(changed: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPELINE_NO_CACHE", "1")
    with_size(changed, 1)
    assert changed.runs() == 3
    with_size(changed, 3)
    assert len(entries(changed)) == 2


def test_a_failure_is_not_kept(project: Project) -> None:
    project.write("a.in", "bad")
    project.whole_run(TASKS.replace("SIZE = 1", 'SIZE = 1\nNAME = "make:a"'), STEPS)
    for runs in (1, 2):
        project.doit(status=2)
        assert project.runs() == runs
    assert not (project.root / "generated/build/cache").exists()


def test_what_is_not_cached_is_not_kept(project: Project) -> None:
    tasks = TASKS.replace("SIZE = 1", 'SIZE = 1\nNAME = "make:a"').replace(", cached=True", "")
    project.whole_run(tasks, STEPS)
    project.write("a.in", "text")
    project.doit()
    assert not (project.root / "generated/build/cache").exists()


def test_what_was_used_longest_ago_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "place"
    place.write_bytes(bytes(1000))
    names = ("one", "two", "three")
    for age, name in enumerate(names):
        cache.store(cache.CACHE / name, [place])
        os.utime(cache.CACHE / name, (1000 + age, 1000 + age))
    (cache.CACHE / "four.123").write_text("never finished")
    assert cache.restore(cache.CACHE / "one", [place])
    monkeypatch.setattr(cache, "MAX_BYTES", 2500)
    cache.trim_cache()
    assert {entry.name for entry in cache.CACHE.iterdir()} == {"one", "three"}


def test_a_damaged_entry_does_not_stay(tmp_path: Path) -> None:
    entry, place = tmp_path / "entry", tmp_path / "place"
    entry.write_bytes(b"x" * 200)
    assert not cache.restore(entry, [place])
    assert not entry.exists()
    assert not place.exists()
