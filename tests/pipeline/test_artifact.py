"""When an artifact is made, and what a failure leaves behind."""

import os
import re
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from doit.exceptions import InvalidTask

from pipeline.artifact import artifact
from pipeline.spec import Artifact, Command, Job
from tests.pipeline.doit_project import STEPS, Project

PLAIN = """
def task_make():
    yield one(make=steps.shout, inputs=("a.in",), targets=("out/a.txt",), code=("lib",),
              config=json.loads(Path("settings.json").read_text()))
"""
MADE = "1 artifact: 1 made, 0 up to date\n"
FRESH = "1 artifact: up to date\n"


@pytest.fixture
def made(project: Project) -> Project:
    """Return a project whose one artifact is made and up to date."""
    project.dodo(PLAIN)
    project.write("a.in", "hello\n")
    project.write("lib/rule.py", 'def f(x):\n    """Double."""\n    return x * 2\n')
    project.write("lib/out.c", "int x;\n")
    project.write("settings.json", '{"size": 1, "name": "a"}')
    assert project.doit().endswith(MADE)
    assert project.read("out/a.txt") == "HELLO\n"
    return project


def test_a_second_run_does_nothing(made: Project) -> None:
    assert made.doit() == FRESH
    assert made.runs() == 1


def test_what_means_the_same_rebuilds_nothing(made: Project) -> None:
    made.write("settings.json", '{ "name": "a",\n "size": 1 }')
    made.write("lib/rule.py", '# why\ndef f(x):\n    """Twice."""\n\n    return (x * 2)\n')
    made.write("lib/notes.txt", "not code")
    made.dodo(PLAIN + "# a comment\n", STEPS + "\n# another\n")
    os.utime(made.root / "a.in")
    os.utime(made.root / "out/a.txt")
    assert made.doit() == FRESH


CAUSES = [
    ("a.in", "hullo\n"),
    ("lib/rule.py", "def f(x):\n    return x * 3\n"),
    ("lib/rule.py", "def f(x: return\n"),
    ("lib/out.c", "long x;\n"),
    ("lib/more.py", ""),
    ("settings.json", '{"size": 2, "name": "a"}'),
    ("steps.py", STEPS.replace("upper()", "upper() + ''")),
    ("out/a.txt", "tampered\n"),
]


def test_each_cause_rebuilds(made: Project) -> None:
    for runs, (file, text) in enumerate(CAUSES, start=2):
        made.write(file, text)
        assert made.doit().endswith(MADE), (file, text)
        assert made.runs() == runs
        assert made.read("out/a.txt") == made.read("a.in").upper()
    assert made.doit() == FRESH


def test_an_input_edited_within_one_clock_tick_rebuilds(made: Project) -> None:
    before = (made.root / "a.in").stat()
    made.write("a.in", "jelly\n")
    os.utime(made.root / "a.in", ns=(before.st_atime_ns, before.st_mtime_ns))
    made.doit()
    assert made.read("out/a.txt") == "JELLY\n"


def test_a_deleted_target_is_made_again(made: Project) -> None:
    (made.root / "out/a.txt").unlink()
    made.doit()
    assert made.read("out/a.txt") == "HELLO\n"


def test_a_failure_keeps_the_old_file_and_leaves_nothing_else(made: Project) -> None:
    before = made.files()
    made.dodo(PLAIN, STEPS + "    raise ValueError('bad\\nluck')\n")
    made.write("a.in", "changed\n")
    printed = made.doit(status=2)
    assert made.read("out/a.txt") == "HELLO\n"
    assert made.files() == before
    assert re.search(r"^failed  make:a  \d\.\d s$", printed, re.MULTILINE)
    assert printed.endswith(
        "failed: make:a: ValueError: bad luck\n  log: generated/build/logs/make/a.log\n"
        "1 artifact: 0 made, 0 up to date, 1 failed\n"
    )
    assert "ValueError: bad" in made.read("generated/build/logs/make/a.log")
    made.dodo(PLAIN)
    assert made.doit().endswith(MADE)


def test_a_target_that_was_not_written_is_a_failure(project: Project) -> None:
    project.dodo(
        'def task_make():\n    yield one(make=steps.half, inputs=("a.in",), targets=("a", "b"))\n',
        "def half(job):\n    job.targets[0].write_text('a')\n",
    )
    project.write("a.in", "")
    assert "failed: make:a: the target b was not written\n" in project.doit(status=2)
    assert project.files() == {"a.in", "dodo.py", "steps.py"}


def test_an_input_that_changes_meanwhile_does_not_count_as_done(project: Project) -> None:
    project.dodo(
        'def task_make():\n    yield one(make=steps.edit, inputs=("a.in",), targets=("a",))\n',
        "def edit(job):\n"
        "    job.targets[0].write_text(open('a.in').read())\n"
        "    open('a.in', 'w').write('new')\n",
    )
    project.write("a.in", "old")
    printed = project.doit(status=2)
    assert "make:a: the input a.in changed while the task ran; run doit again\n" in printed
    assert not (project.root / "a").exists()
    assert project.doit().endswith(MADE)
    assert project.read("a") == "new"


def test_a_missing_input_is_named(project: Project) -> None:
    project.dodo(
        'def task_make():\n    yield one(make=steps.shout, inputs=("a.in",), targets=("a",))\n'
    )
    assert "failed: make:a: the input a.in does not exist\n" in project.doit(status=2)


CHAIN = """
def task_make():
    yield one(name="make:b", make=steps.shout, inputs=("mid/./a",), targets=("b",))
    yield one(name="make:a", make=steps.shout, inputs=("a.in",),
              targets=(str(Path.cwd() / "mid/a"),))
    yield one(name="make:c", make=steps.shout, inputs=("c.in",), targets=("./c",))
"""


@pytest.mark.parametrize("method", ["fork", "forkserver"])
def test_two_at_a_time_in_the_order_of_the_files(project: Project, method: str) -> None:
    project.dodo(CHAIN + f'import multiprocessing\nmultiprocessing.set_start_method("{method}")\n')
    project.write("a.in", "a")
    project.write("c.in", "c")
    assert project.doit("-n", "2").endswith("3 artifacts: 3 made, 0 up to date\n")
    assert (project.read("b"), project.read("c")) == ("A", "C")
    assert project.doit("-n", "2") == "3 artifacts: all up to date\n"
    project.write("mid/a", "tampered")
    assert project.doit("-n", "2").endswith("3 artifacts: 1 made, 2 up to date\n")
    (project.root / "c.in").unlink()
    assert "make:c: the input c.in does not exist" in project.doit("-n", "2", status=2)


def test_what_a_failed_artifact_feeds_is_blocked_and_the_rest_is_made(project: Project) -> None:
    project.dodo(CHAIN)
    project.write("c.in", "c")
    printed = project.doit(status=2)
    assert printed.endswith("3 artifacts: 1 made, 0 up to date, 1 failed, 1 blocked\n")
    assert printed.count("failed: ") == 1


COMMAND = """
def program(name, body, argv=sys.executable, seconds=60, stdout=None, tools={}):
    text = f"import os, sys; print('said'); print('why', file=sys.stderr); {body}"
    command = Command((argv, "-c", text, f"./out/{name}"), seconds, stdout)
    return one(name=f"make:{name}", make=command, inputs=(), targets=(f"./out/{name}",),
               tools=tools)

def task_make():
"""


def test_a_command_writes_its_target_and_logs_what_it_says(project: Project) -> None:
    task = COMMAND + "    yield program('a', \"open(sys.argv[1], 'w').write('done')\")\n"
    project.dodo(task)
    assert project.doit().endswith(MADE)
    assert project.read("out/a") == "done"
    assert project.read("generated/build/logs/make/a.log").endswith("\nwhy\nsaid\n")
    project.dodo(task.replace("done", "more"))
    assert project.doit().endswith(MADE)
    assert project.read("out/a") == "more"


def test_the_output_of_a_command_can_be_the_target(project: Project) -> None:
    project.dodo(COMMAND + "    yield program('a', '0', stdout='out/a')\n")
    project.doit()
    assert project.read("out/a") == "said\n"


FAILURES = """
    yield program("exit", "sys.exit(7)")
    yield program("error", "sys.exit('x.mg:3: error: no' + chr(10) + 'stopped')")
    yield program("abort", "os.abort()")
    yield program("slow", "os.system('sleep 60; true')", seconds=0.3)
    yield program("tool", "0", tools={"no-such-cc": "apt-get install gcc"})
    yield program("absent", "0", argv="no-such-python")
"""
REASONS = {
    "exit": r"python\S* -c .* failed with exit status 7: why",
    "error": r"python\S* -c .* failed with exit status 1: x.mg:3: error: no",
    "abort": r"python\S* -c .* was killed by SIGABRT: why",
    "slow": r"python\S* -c .* took more than 0.3 s: why",
    "tool": r"no-such-cc is not on PATH; install it with: apt-get install gcc",
    "absent": r"cannot run no-such-python: No such file or directory",
}


def test_a_command_fails_in_one_line(project: Project) -> None:
    project.dodo(COMMAND + FAILURES)
    start = time.monotonic()
    printed = project.doit(status=2)
    for name, reason in REASONS.items():
        line = rf"^failed: make:{name}: {reason}\n  log: generated/build/logs/make/{name}.log$"
        assert re.search(line, printed, re.MULTILINE), printed
    assert printed.endswith("\n6 artifacts: 0 made, 0 up to date, 6 failed\n")
    assert project.files() == {"dodo.py", "steps.py"}
    assert time.monotonic() - start < 30  # the shell's own child holds the pipe open until killed


FOREVER = """
def task_make():
    command = Command(("sh", "-c", "while sleep 0.05; do echo >> ticks; done", "out/a"), 60)
    yield one(make=command, inputs=(), targets=("out/a",))
"""


@pytest.mark.parametrize(
    ("processes", "stop"), [("0", signal.SIGINT), ("0", signal.SIGTERM), ("2", signal.SIGINT)]
)
def test_a_stopped_run_stops_its_commands(
    project: Project, processes: str, stop: signal.Signals
) -> None:
    project.dodo(FOREVER)
    with project.start("-n", processes) as run:
        ticks = project.root / "ticks"
        while not ticks.exists():
            assert run.poll() is None
            time.sleep(0.02)
        os.killpg(run.pid, stop)
        run.wait(timeout=10)
    size = ticks.stat().st_size
    time.sleep(0.3)
    assert ticks.stat().st_size == size
    assert project.files() == {"dodo.py", "steps.py", "ticks"}


def shout(job: Job) -> None:
    """Stand in for a making function; it is never called."""


GOOD = Artifact(name="make:a", doc="", make=shout, inputs=("a.in",), targets=("a",))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (replace(GOOD, targets=("../a",)), "its target .*/a is outside the project"),
        (replace(GOOD, inputs=("./a",)), "a is listed twice among its inputs and targets"),
        (replace(GOOD, targets=()), "it has no targets"),
        (replace(GOOD, inputs=("lib",)), "lib is a folder; list the files"),
        (replace(GOOD, result="b"), "its result b is not one of its targets"),
        (replace(GOOD, code=("lib",)), "no Python or C file in the code folder lib"),
        (replace(GOOD, name="a:.."), "its name is not GROUP:ITEM, .*"),
        (replace(GOOD, make=lambda _: None), ".* is not a function at the top level of a module"),
        (replace(GOOD, make=Command(("true",), 1)), "its command does not name the target a"),
    ],
)
def test_a_description_that_contradicts_itself_is_refused(
    spec: Artifact, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lib").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidTask, match=f"^artifact {spec.name}: {message}$"):
        artifact(spec)


def test_a_refusal_is_one_line_of_doit(project: Project) -> None:
    project.dodo("def task_make():\n    yield one(make=steps.shout, inputs=(), targets=())\n")
    assert project.doit("list", status=3) == "ERROR: artifact make:a: it has no targets\n"


def test_two_artifacts_cannot_have_one_target(project: Project) -> None:
    project.dodo(CHAIN.replace('"./c"', '"out/../b"'))
    printed = project.doit(status=3)
    assert "make:b" in printed
    assert "make:c" in printed
