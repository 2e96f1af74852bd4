"""`doit verify`: what is committed is rebuilt elsewhere, twice, and compared byte for byte."""

import subprocess

import pytest

from tests.pipeline.doit_project import Project

TASKS = """
def task_make():
    yield one(make=steps.number, inputs=("a.in",), targets=("out/a.txt",))
    yield one(name="make:private", make=steps.number, inputs=("a.in",),
              targets=("generated/build/b",))

def task_use():
    yield one(name="use:a", make=steps.number, inputs=("out/a.txt", "generated/build/b"),
              targets=("generated/c.txt", "generated/c.bin"))
"""
STEPS = """
import os, pathlib, time

def number(job):
    lines = [line for file in job.inputs for line in open(file).read().splitlines()]
    for target in job.targets:
        text = "".join(f"{n} {line}\\n" for n, line in enumerate(lines))
        end = b"\\xff" if target.suffix == ".bin" else b""
        target.write_bytes(text.encode() + end)
"""


@pytest.fixture
def committed(project: Project) -> Project:
    """Return a git repository with what its pipeline made, which git does not need to commit."""
    project.dodo(TASKS, STEPS)
    project.write("a.in", "one\ntwo\nthree\n")
    project.write(".gitignore", "generated/build/\n__pycache__/\n")
    subprocess.run(["git", "init", "--quiet"], cwd=project.root, check=True)
    project.doit()
    return project


def state(project: Project) -> dict[str, bytes]:
    """Return the bytes of all files but doit's own and git's."""
    names = [name for name in project.files() if not name.startswith(".git/")]
    return {name: (project.root / name).read_bytes() for name in names}


def test_the_same_bytes_are_one_line_beside_the_progress(committed: Project) -> None:
    before = state(committed)
    *progress, verdict = committed.doit("verify").splitlines()
    assert verdict == "3 committed files of 2 artifacts: rebuilt twice, the same bytes"
    assert sorted(line.split("  ")[1] for line in progress) == [
        "make:a", "make:a", "make:private", "make:private", "use:a", "use:a",
    ]  # fmt: skip
    assert state(committed) == before
    assert committed.doit("verify", "make:a").splitlines()[-1].startswith("1 committed files of 1")


def test_an_edited_file_is_shown_with_the_command_that_updates(committed: Project) -> None:
    committed.write("generated/c.txt", "0 0 one\n1 1 TWO\n2 2 three\n")
    before = state(committed)
    printed = committed.doit("verify", status=1)
    assert printed[printed.index("---") :] == (
        "--- generated/c.txt (committed)\n"
        "+++ generated/c.txt (rebuilt)\n"
        "@@ -1,3 +1,6 @@\n"
        " 0 0 one\n"
        "-1 1 TWO\n"
        "+1 1 two\n"
        " 2 2 three\n"
        "+3 0 one\n"
        "+4 1 two\n"
        "+5 2 three\n"
        "\n"
        "use:a: generated/c.txt differs from line 2 on\n"
        "1 of 3 committed files differ. To update: doit use:a\n"
    )
    assert state(committed) == before
    committed.doit("use:a")
    committed.doit("verify")


def test_a_missing_newline_at_the_end_is_shown(committed: Project) -> None:
    committed.write("out/a.txt", "0 one\n1 two\n2 three")
    printed = committed.doit("verify", "make:a", status=1)
    assert "\n-2 three  (no newline at the end)\n+2 three\n" in printed


def test_all_that_differs_is_named(committed: Project) -> None:
    committed.write("a.in", "".join(f"{number}\n" for number in range(100)))
    printed = committed.doit("verify", status=1)
    assert "\n… 76 more lines\n" in printed
    assert printed.endswith(
        "\nmake:a: out/a.txt differs from line 1 on\n"
        "use:a: generated/c.txt differs too\nuse:a: generated/c.bin differs too\n"
        "3 of 3 committed files differ. To update: doit make:a use:a\n"
    )


def test_a_binary_and_a_missing_file(committed: Project) -> None:
    path = committed.root / "generated/c.bin"
    path.write_bytes(path.read_bytes()[:-1] + b"\xfe")
    printed = committed.doit("verify", status=1)
    assert "binary: 53 bytes, rebuilt 53 bytes\n" in printed
    assert "use:a: generated/c.bin differs from byte 52 on\n" in printed
    path.unlink()
    printed = committed.doit("verify", status=1)
    assert "generated/c.bin (committed) does not exist\n" in printed
    assert "use:a: generated/c.bin differs as a whole\n" in printed


def test_what_depends_on_something_undeclared_has_to_be_forgotten(committed: Project) -> None:
    hidden = "    lines += open('hidden').read().split()\n    for target"
    steps = STEPS.replace("    for target", hidden)
    committed.write("hidden", "x")
    committed.dodo(TASKS, steps)
    committed.doit()
    committed.doit("verify")
    committed.write("hidden", "y")
    printed = committed.doit("verify", "make:a", status=1)
    assert printed.endswith(
        "doit takes make:a for up to date, so there is a dependency that is not declared. "
        "To update: doit forget make:a && doit make:a\n"
    )
    committed.doit("forget", "make:a")
    committed.doit("make:a")
    committed.doit("verify", "make:a")


@pytest.mark.parametrize(
    "source",
    [
        "str(list({'a', 'b', 'c', 'd', 'e', 'f'}))",
        "str(pathlib.Path.cwd())",
        "time.strftime('%Z')",
        "os.environ.get('LC_ALL', '')",
    ],
)
def test_what_is_never_the_same_twice_is_found(committed: Project, source: str) -> None:
    committed.dodo(
        TASKS, STEPS.replace("    for target", f"    lines[0] = {source}\n    for target")
    )
    committed.doit()
    printed = committed.doit("verify", "make:a", status=1)
    assert "out/a.txt (first rebuild)" in printed
    assert "make:a: out/a.txt differs from line 1 on\n" in printed
    assert printed.endswith(
        "Two rebuilds from the same files differ, in: the folder's path, PYTHONHASHSEED, LC_ALL,"
        " TZ, or the time.\n"
    )


@pytest.mark.parametrize("ignored", ["generated/build/", "nothing"])
def test_a_copy_that_cannot_be_rebuilt_says_why(committed: Project, ignored: str) -> None:
    committed.write(".gitignore", f"{ignored}\n")
    committed.write("generated/build/extra", "")
    committed.dodo(
        TASKS, STEPS.replace("    for target", "    open('generated/build/extra')\n    for target")
    )
    committed.doit()
    printed = committed.doit("verify", "make:a", status=2)
    assert "The copy in 'first' could not be rebuilt (doit: 2).\nfailed: make:a: " in printed
    assert "No such file or directory: 'generated/build/extra'\n" in printed


def test_without_a_repository_there_is_one_line(project: Project) -> None:
    project.dodo(TASKS, STEPS)
    project.write("a.in", "")
    printed = project.doit("verify", status=2)
    assert printed.startswith("git check-ignore failed: fatal: not a git repository")
    assert printed.count("\n") == 1


def test_without_committed_targets_there_is_nothing_to_do(committed: Project) -> None:
    assert committed.doit("verify", "make:private") == "nothing to verify: no target is committed\n"
