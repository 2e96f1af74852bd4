"""A file's digest is remembered, and never when it could be wrong."""

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from pipeline import digest
from tests.pipeline.doit_project import STEPS, Project


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> digest._Memory:
    """Return an empty memory, for which a file of this moment is old enough."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(digest, "SETTLED_NS", -60_000_000_000)
    return digest._Memory()


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def reads_nothing(*arguments: object) -> None:
    raise AssertionError(arguments)


def test_a_file_is_read_once(memory: digest._Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a").write_text("a")
    assert memory.digest("a") == sha256("a")
    memory.save()
    monkeypatch.setattr(hashlib, "file_digest", reads_nothing)
    assert memory.digest("a") == sha256("a")
    assert digest._Memory().digest("a") == sha256("a")


def test_an_edit_with_size_and_mtime_as_before_is_noticed(memory: digest._Memory) -> None:
    Path("a").write_text("abc")
    before = Path("a").stat()
    assert memory.digest("a") == sha256("abc")
    time.sleep(0.02)  # the clock of the file system ticks
    Path("a").write_text("xyz")
    os.utime("a", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert Path("a").stat().st_mtime_ns == before.st_mtime_ns
    assert memory.digest("a") == sha256("xyz")


def test_another_file_in_its_place_is_noticed(memory: digest._Memory) -> None:
    Path("a").write_text("abc")
    memory.digest("a")
    Path("b").write_text("xyz")
    Path("b").replace("a")
    state = Path("a").stat()
    assert digest.file_identity("a")[:2] == [state.st_dev, state.st_ino]
    assert memory.digest("a") == sha256("xyz")


def test_a_file_that_may_yet_change_within_the_same_tick_is_not_remembered(
    memory: digest._Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digest, "SETTLED_NS", 2_000_000_000)
    Path("a").write_text("a")
    os.utime("a", ns=(0, 0))  # an old mtime does not make it settled
    memory.digest("a")
    memory.save()
    assert not digest.REMEMBERED.exists()


def test_what_is_gone_is_forgotten_and_a_damaged_file_is_begun_anew(
    memory: digest._Memory,
) -> None:
    for name in ("a", "b"):
        Path(name).write_text(name)
        memory.digest(name)
    Path("a").unlink()
    memory.save()
    assert list(json.loads(digest.REMEMBERED.read_text())) == ["b"]
    for damage in (b"{", b"\xff", b"[]", b'{"b": 1}', b'{"b": [1, 2]}'):
        digest.REMEMBERED.write_bytes(damage)
        assert digest._Memory().digest("b") == sha256("b")


READS = """
import sys
from pipeline import digest

digest.SETTLED_NS = -60_000_000_000

def note(event, arguments):
    if event == "open" and str(arguments[0]).startswith(("out/", "in/", "lib/")):
        with open("reads", "a") as reads:
            reads.write(f"{arguments[0]}\\n")

sys.addaudithook(note)

def task_make():
    for item in range(20):
        yield one(name=f"make:{item}", make=steps.spread, inputs=(f"in/{item}",), code=("lib",),
                  targets=tuple(f"out/{item}/{target}" for target in range(40)))
"""
SPREAD = """
def spread(job):
    text = open(job.inputs[0]).read()
    for target in job.targets:
        target.write_text(text + target.name)
"""


def test_a_run_that_makes_nothing_reads_no_file(project: Project) -> None:
    project.whole_run(READS, SPREAD)
    for item in range(20):
        project.write(f"in/{item}", f"{item}.")
    project.write("lib/code.py", "x = 1\n")
    assert project.doit("-n", "2").endswith("20 artifacts: 20 made, 0 up to date\n")
    assert project.read("out/7/39") == "7.39"
    for known in (False, True):
        (project.root / "reads").unlink(missing_ok=True)
        assert project.doit() == "20 artifacts: all up to date\n"
        assert (project.root / "reads").exists() is not known
    project.write("out/7/39", "edited")
    assert project.doit().endswith("20 artifacts: 1 made, 19 up to date\n")
    assert project.read("out/7/39") == "7.39"


def test_an_edited_input_with_its_old_mtime_is_made_again(project: Project) -> None:
    project.whole_run(READS.replace("range(20)", "(1,)"), SPREAD)
    project.write("in/1", "one")
    project.write("lib/code.py", "x = 1\n")
    for _ in range(2):
        project.doit()
    before = (project.root / "in/1").stat()
    project.write("in/1", "two")
    os.utime(project.root / "in/1", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert project.doit().endswith("1 artifact: 1 made, 0 up to date\n")
    assert project.read("out/1/0") == "two0"


def test_a_run_that_makes_nothing_is_quick(project: Project) -> None:
    project.whole_run(READS.replace("range(20)", "range(300)").replace("range(40)", "range(10)"))
    project.write("steps.py", STEPS + SPREAD)
    project.write("lib/code.py", "x = 1\n")
    for item in range(300):
        project.write(f"in/{item}", f"{item}.")
    project.doit("-n", "2")
    project.doit()
    before = os.times()
    assert project.doit() == "300 artifacts: all up to date\n"
    after = os.times()
    user = after.children_user - before.children_user
    assert (
        user + after.children_system - before.children_system < 1
    )  # 0.4 s where nothing else runs


def test_held_states_are_forgotten_when_they_are_released(memory: digest._Memory) -> None:
    Path("a").write_text("a")
    memory.hold()
    assert memory.digest("a") == sha256("a")
    Path("a").write_text("longer")
    assert memory.digest("a") == sha256("a")
    memory.release()
    assert memory.digest("a") == sha256("longer")
    Path("a").write_text("a")
    assert memory.digest("a") == sha256("a")


def test_a_file_that_is_not_there_is_looked_for_again(memory: digest._Memory) -> None:
    memory.hold()
    with pytest.raises(FileNotFoundError):
        memory.state("a")
    Path("a").write_text("a")
    assert memory.state("a").st_size == 1


BY_HAND = """
def write():
    Path("b.in").write_text(Path("a.in").read_text())

def task_hand():
    return {"actions": [(write,)], "file_dep": ["a.in"]}

def task_make():
    yield one(make=steps.shout, inputs=("b.in",), targets=("out/b",)) | {"task_dep": ["hand"]}
"""


@pytest.mark.parametrize("options", [("-n", "0"), ("-n", "2"), ("-n", "2", "-P", "thread")])
def test_what_another_task_writes_is_seen_in_the_same_run(
    project: Project, options: tuple[str, ...]
) -> None:
    project.whole_run(BY_HAND)
    project.write("b.in", "none")
    for text in ("first", "second"):
        project.write("a.in", text)
        project.doit(*options)
        assert project.read("out/b") == text.upper()
    assert project.doit(*options) == "1 artifact: up to date\n"
