"""What a run prints, on a terminal and elsewhere."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.pipeline.doit_project import REPOSITORY, Project

TASKS = """
WEIGHTS = Stage("weights", ("item", "count", "words"), steps.rows)

def task_weigh():
    for item in ("a", "b"):
        yield one(name=f"weigh:{item}", make=steps.weigh, inputs=(f"{item}.in",),
                  targets=(f"{item}.json",), stage=WEIGHTS, result=f"{item}.json")

def task_make():
    yield one(make=steps.shout, inputs=("a.in",), targets=("a.txt",))
"""
GATE = """
from pipeline.gate import gates

def task_check():
    results = {item: f"{item}.json" for item in ("a", "b")}
    for gate in gates("check", "Judge.", results, steps.judge):
        if isinstance(gate, dict):
            yield gate
"""
STEPS = """
import json
import time
from pathlib import Path
from pipeline.errors import MakeError

def weigh(job):
    words = open(job.inputs[0]).read().split()
    if not words:
        raise MakeError(f"{job.inputs[0]} has no words")
    job.targets[0].write_text(json.dumps(words))

def rows(words):
    return [[str(len(words)), "\\n".join(words)], ["", "[bold]x[/bold]"]]

def judge(words):
    return ""

def shout(job):
    time.sleep(0.3)
    job.targets[0].write_text("A")
"""
LONG = "x" * 150
TABLE = f"""\
weights

  item   count   words
 ─
  a      2       one
                 {LONG}
                 [bold]x[/bold]
  b      1       three
                 [bold]x[/bold]

"""


@pytest.fixture
def weighed(project: Project) -> Project:
    project.dodo(TASKS, STEPS)
    project.write("a.in", f"one {LONG}")
    project.write("b.in", "three")
    return project


def one_rule(printed: str) -> str:
    """Shorten the rule below the head of a table, which is as wide as the table."""
    return re.sub("─+", "─", printed)


def test_elsewhere_there_is_a_line_for_each_task_and_a_table_as_wide_as_needed(
    weighed: Project,
) -> None:
    printed = one_rule(weighed.doit())
    lines = re.sub(r"\d\.\d s", "T", printed[: printed.index("weights\n")])
    assert lines == "made  weigh:a  T\nmade  weigh:b  T\nmade  make:a  T\n"
    assert printed.endswith(TABLE + "3 artifacts: 3 made, 0 up to date\n")


def test_a_run_with_no_news_is_one_line(weighed: Project) -> None:
    weighed.doit()
    assert weighed.doit() == "3 artifacts: all up to date\n"
    assert weighed.doit("make") == "1 artifact: up to date\n"


@pytest.mark.parametrize("name", ["weigh", "check"])
def test_a_stage_asked_for_by_name_is_shown_when_all_is_up_to_date(
    weighed: Project, name: str
) -> None:
    weighed.dodo(TASKS + GATE, STEPS)
    weighed.doit()
    assert one_rule(weighed.doit(name)) == TABLE + "2 artifacts: all up to date\n"
    assert "three" in weighed.doit("weigh:b")
    assert weighed.doit("make") == "1 artifact: up to date\n"


def test_a_stage_without_news_is_not_shown_beside_one_with_news(weighed: Project) -> None:
    weighed.doit()
    (weighed.root / "a.txt").unlink()
    printed = weighed.doit()
    assert re.fullmatch(r"made  make:a  \d\.\d s\n3 artifacts: 1 made, 2 up to date\n", printed)
    (weighed.root / "a.json").unlink()
    assert TABLE in one_rule(weighed.doit())


def test_a_gate_that_fails_shows_what_it_judges(weighed: Project) -> None:
    weighed.dodo(TASKS + GATE, STEPS + "\ndef judge(words):\n    return 'no good'\n")
    weighed.doit(status=1)
    assert one_rule(weighed.doit(status=1)) == (
        TABLE + "failed: check: no good\nno good\n3 artifacts: all up to date\n"
    )


def test_a_failed_item_has_no_stale_numbers(weighed: Project) -> None:
    weighed.doit()
    weighed.write("a.in", "")
    printed = weighed.doit(status=2)
    assert re.search(r"^  a      failed\n  b      1        three$", printed, re.MULTILINE)
    assert printed.endswith(
        "failed: weigh:a: a.in has no words\n  log: generated/build/logs/weigh/a.log\n"
        "3 artifacts: 1 made, 1 up to date, 1 failed\n"
    )


def test_only_the_stages_of_the_selected_tasks_are_shown(weighed: Project) -> None:
    assert "weights" not in weighed.doit("make")
    printed = weighed.doit("weigh:b")
    assert "three" in printed
    assert "one" not in printed
    assert printed.endswith("1 artifact: 1 made, 0 up to date\n")


def test_ignored_and_unreached_items_are_counted(weighed: Project) -> None:
    weighed.doit("ignore", "weigh:b")
    assert weighed.doit().endswith("3 artifacts: 2 made, 0 up to date, 1 ignored\n")
    weighed.dodo(TASKS.replace('("a", "b")', '("a",)') + 'DOIT_CONFIG["continue"] = False\n', STEPS)
    weighed.write("a.in", "")
    assert weighed.doit(status=2).endswith("0 up to date, 1 failed, 1 not reached\n")


def on_terminal(project: Project, **environment: str) -> str:
    """Return what doit writes to a terminal."""
    main, terminal = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "doit"],
        cwd=project.root,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "TERM": "xterm"} | environment,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    written = b""
    try:
        while chunk := os.read(main, 4096):
            written += chunk
    except OSError:  # how Linux says that the other end was closed
        pass
    finally:
        os.close(main)
    assert run.wait() == 0
    return written.decode().replace("\r\n", "\n")


def test_on_a_terminal_there_is_a_bar_and_colour(weighed: Project) -> None:
    printed = on_terminal(weighed, COLUMNS="60")
    assert "3/3" in printed
    assert "make:a" in printed
    assert "made  weigh:a" not in printed
    assert "\x1b[" in printed
    table = printed[printed.rindex("weights") :]
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in table.splitlines()) <= 60
    assert printed.endswith("3 artifacts: 3 made, 0 up to date\n")


def test_a_terminal_that_wants_no_colour_gets_none(weighed: Project) -> None:
    printed = on_terminal(weighed, NO_COLOR="1")
    assert re.search(r"\x1b\[[0-9;]*3[0-9]", printed) is None


def test_a_dumb_terminal_gets_lines(weighed: Project) -> None:
    assert "made  weigh:a" in on_terminal(weighed, TERM="dumb")


def test_ctrl_c_ends_with_one_line(project: Project) -> None:
    # One call in C: an interrupt while Python finalises an open file would be ignored.
    waiting = "Path('ready').touch(); time.sleep(60)"
    project.dodo(TASKS, STEPS.replace("time.sleep(0.3)", waiting))
    project.write("a.in", "one")
    project.write("b.in", "two")
    for processes in ("0", "2"):
        (project.root / "ready").unlink(missing_ok=True)
        with project.start("-n", processes) as run:
            while not (project.root / "ready").exists():
                assert run.poll() is None
                time.sleep(0.02)
            os.killpg(run.pid, signal.SIGINT)
            printed, _ = run.communicate(timeout=30)
        assert run.returncode == 130
        assert "Traceback" not in printed
        assert re.search(r"^interrupted[^\n]*$", printed, re.MULTILINE)
        assert "1 not reached" in printed


@pytest.mark.parametrize("command", ["weigh", "make", "why"])
def test_what_nobody_reads_to_the_end_is_no_error(weighed: Project, command: str) -> None:
    weighed.write("a.in", " ".join(f"word{number}" for number in range(9000)))
    weighed.doit()
    run = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m doit {command} | true; echo ${{PIPESTATUS[0]}} >&2"],
        cwd=weighed.root,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stderr == "141\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wiegh"], "'wiegh' is no command, no task and no target; did you mean 'weigh'?"),
        (["a.jsn"], "'a.jsn' is no command, no task and no target; did you mean 'a.json'?"),
        (
            ["xyz"],
            "'xyz' is no command, no task and no target; `doit list --all` lists the tasks",
        ),
        (
            ["--continu3"],
            "Error parsing Command: option --continu3 not recognized; did you mean --continue?",
        ),
        (
            ["weigh", "-n", "2"],
            "Error parsing Task: option -n not recognized; options go before the names of tasks",
        ),
    ],
)
def test_a_mistyped_command_line_has_one_line(
    weighed: Project, arguments: list[str], message: str
) -> None:
    assert weighed.doit(*arguments, status=3) == f"ERROR: {message}\n"


def test_rows_can_be_split_into_tables_and_summed_up(project: Project) -> None:
    tasks = TASKS.replace(
        '"weights", ("item", "count", "words"), steps.rows',
        '"w", ("item", "words", "size"), steps.sized, by="size", summary=steps.total',
    )
    steps = (
        STEPS
        + """
def sized(words):
    return [[word, f"{len(word)} letters"] for word in words]

def total(results):
    return f"{sum(map(len, results))} words"
"""
    )
    project.dodo(tasks, steps)
    project.write("a.in", "one three two")
    project.write("b.in", "seven")
    printed = one_rule(project.doit())
    assert printed.endswith("""\
3 letters

  item   words
 ─
  a      one
         two

5 letters

  item   words
 ─
  a      three
  b      seven

4 words
3 artifacts: 3 made, 0 up to date
""")
    project.write("b.in", "")
    failed = one_rule(project.doit(status=2))
    assert "w\n\n  item   words\n ─\n  b      failed\n" in failed
    assert "\n3 words\n" in failed
