"""The graph of this repository, with stand-ins for the compiler and the transformation."""

import json
import os
import re
import shutil
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.pipeline.doit_project import REPOSITORY, Project

AUTOGRAD = """
import sys

source, flag, wrt, *loss = sys.argv[1:]
assert flag == "--wrt"
assert loss == ["--loss", "0"]
print("# gradient wrt", wrt)
print(open(source).read(), end="")
"""
MGC = """
import sys
from pathlib import Path

PRINTED = '''Unranked Memref base@ = 0x55d1f0 rank = 2 offset = 0 sizes = [1, 1] strides = [1, 1] data = 
[[26]]
Unranked Memref base@ = 0x55d1f4 rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data = 
[[4,   4], 
 [2,   2]]
Unranked Memref base@ = 0x55d1f8 rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data = 
[[0,   0], 
 [6,   14]]
'''

match sys.argv[1:]:
    case ["build", source, "-o", target, "-O2"]:
        Path(target).write_text(f"#!/bin/sh\\nexec /bin/cat <<END\\n{PRINTED}END\\n")
        Path(target).chmod(0o755)
    case ["run", "--digits", "17", source]:
        print(PRINTED.replace("14", "14.000000000000002"), end="")
    case other:
        sys.exit(f"mgc: not understood: {other}")
"""  # noqa: E501, W291 - what mgc prints
OUT = """\
Unranked Memref base@ = 0x… rank = 2 offset = 0 sizes = [1, 1] strides = [1, 1] data =
[[26]]
Unranked Memref base@ = 0x… rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data =
[[4,   4],
 [2,   2]]
Unranked Memref base@ = 0x… rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data =
[[0,   0],
 [6,   14]]
"""
TABLE = """\
gradients

  program             loss   wrt   gradient
 ─
  00_worked_example   26     w     [[4, 4],
                                    [2, 2]]
                             x     [[0, 0],
                                    [6, 14]]

"""
PIPELINE = """\
version: 1
programs:
  - name: 00_worked_example
    source: examples/00_worked_example.mg
    wrt: [w, x]
"""
FRESH = "4 artifacts: all up to date\n"


def copy_of_the_graph(folder: Path, packages: tuple[str, ...]) -> Project:
    """Copy dodo.py, the packages named, and the worked example, which pipeline.yaml then lists."""
    for name in packages:
        shutil.copytree(
            REPOSITORY / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    # The stand-ins differentiate nothing, so there is nothing to check of them.
    text = (REPOSITORY / "dodo.py").read_text()
    assert text.count("*MADE, *JUDGED") == 1
    (folder / "dodo.py").write_text(text.replace("*MADE, *JUDGED", "*MADE"))
    (folder / "examples").mkdir()
    shutil.copy(REPOSITORY / "examples/00_worked_example.mg", folder / "examples")
    (folder / "pipeline.yaml").write_text(PIPELINE)
    return Project(folder)


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = copy_of_the_graph(
        tmp_path, ("pipeline", "stages", "cost", "checks", "ground_truth", "mutants")
    )
    for package, text in (("autograd", AUTOGRAD), ("mgc", MGC)):
        project.write(f"{package}/__init__.py", "")
        (tmp_path / package / "__main__.py").write_text(text)
    project.write("bin/cc", "")
    (tmp_path / "bin/cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return project


def without_rule(printed: str) -> str:
    return re.sub("─+", "─", printed)


def test_a_run_makes_everything_and_a_second_one_nothing(graph: Project) -> None:
    printed = without_rule(graph.doit())
    assert printed.endswith(f"{TABLE}4 artifacts: 4 made, 0 up to date\n")
    written = graph.read("generated/00_worked_example_grad.mg")
    assert written == "# gradient wrt w,x\n" + graph.read("examples/00_worked_example.mg")
    printed = graph.read("generated/00_worked_example_grad.out")
    assert re.sub(" +$", "", printed, flags=re.MULTILINE) == OUT
    assert json.loads(graph.read("generated/00_worked_example_grad.json")) == {
        "program": "00_worked_example",
        "loss": 26.0,
        "gradients": {"w": [[4, 4], [2, 2]], "x": [[0, 0], [6, 14.000000000000002]]},
    }
    assert graph.doit() == FRESH
    assert without_rule(graph.doit("output")).startswith(TABLE)


def test_a_second_run_is_quick(graph: Project) -> None:
    graph.doit()
    before = os.times()
    graph.doit()
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system
    assert seconds - before.children_system < 1


def test_only_what_changes_is_made_again(graph: Project) -> None:
    graph.doit()
    graph.write("pipeline.yaml", "# Reordered.\n" + reordered())
    assert graph.doit().endswith(FRESH)
    graph.write("autograd/__main__.py", AUTOGRAD + "assert wrt\n")
    assert graph.doit().endswith("\n4 artifacts: 1 made, 3 up to date\n")
    graph.write("generated/00_worked_example_grad.json", "{}")
    assert without_rule(graph.doit()).endswith(f"{TABLE}4 artifacts: 1 made, 3 up to date\n")
    graph.write("pipeline.yaml", PIPELINE.replace("w, x", "x, w"))
    assert graph.doit().endswith("\n4 artifacts: 3 made, 1 up to date\n")


def reordered() -> str:
    return textwrap.dedent("""\
        programs:
          - {wrt: [w, "x"], source: examples/00_worked_example.mg, name: 00_worked_example}
        version: 1
        """)


def test_the_tasks_have_docs(graph: Project) -> None:
    assert graph.doit("list").splitlines() == [
        "archive    Build the pages of docs/ as a site.",
        "basis      Name what all copies depend on, and run the checks on the original.",
        "build      Compile each gradient program to an executable.",
        "caught     Fail where a slow copy is wrong, or no limit of cost catches it.",
        "chapter    Write the chapter programs.",
        "check      Fail where a check failed.",
        "copy       Copy autograd, with one thing changed in each copy.",
        "cost       Fail where a program costs more than its limits.",
        "count      Count the instructions of each program and its gradient program.",
        "descent    Write the program that descends, whose losses a listing shows.",
        "editor     Write the JSON Schema of pipeline.yaml, for editors.",
        "excerpt    Copy the ground-truth programs out of the chapter programs.",
        "gradient   Write the gradient program of each program.",
        "listing    Write each listing, and their index.",
        "listings   Bring the listings in the pages up to date; in CI, fail where one is not.",
        "mutate     Fail where a wrong copy survives, or a harmless one does not.",
        "output     Run each executable; write what it prints and its numbers in full precision.",
        "report     Merge the verdicts, and what was counted, into one file each.",
        "row        Run every check on every copy.",
        "score      Fail where a generated mutant survives that is not listed as equivalent.",
        "site       Build the site in generated/build/site, to be opened at index.html.",
        "skipped    Say in a plain run why nothing is counted.",
        "slow       Count what the copies of autograd execute that are right and slow.",
        "survey     Run every check on the mutants that operators make of each module of autograd.",
        "tools      Describe what counts depend on.",
        "verdict    Run the checks of each program and subject.",
    ]
    assert re.search(
        "^output:00_worked_example +Run generated/build/00_worked_example_grad; write "
        "generated/00_worked_example_grad.out and generated/00_worked_example_grad.json.$",
        graph.doit("list", "--all"),
        re.MULTILINE,
    )


def test_without_cc_one_line_says_what_to_install(graph: Project) -> None:
    (graph.root / "bin/cc").unlink()
    printed = graph.doit(status=2)
    assert printed.endswith(
        "failed: build:00_worked_example: cc is not on PATH; install it with: "
        "apt-get install gcc\n  log: generated/build/logs/build/00_worked_example.log\n"
        "4 artifacts: 2 made, 0 up to date, 1 failed, 1 blocked\n"
    )
    assert "  00_worked_example   blocked" in printed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"26]": "nan]"},
            ("does not print a loss and gradients: matrix 1 has an element that is nan"),
        ),
        (
            {"wrt: [w, x]": "wrt: [w]"},
            ("prints 1x1, 2x2, 2x2; expected a loss of 1x1 and 1 gradients"),
        ),
        (
            {"    print(PRINTED": "    str(PRINTED", ', end="")': ")"},
            "prints nothing; expected a loss of 1x1 and 2 gradients",
        ),
    ],
)
def test_output_that_is_no_gradient_fails(
    graph: Project, change: Mapping[str, str], message: str
) -> None:
    for file in ("mgc/__main__.py", "pipeline.yaml"):
        text = graph.read(file)
        for old, new in change.items():
            text = text.replace(old, new)
        (graph.root / file).write_text(text)
    printed = graph.doit(status=2)
    failure = f"output:00_worked_example: generated/00_worked_example_grad.mg {message}\n"
    assert f"failed: {failure}" in printed


def test_a_mistake_in_pipeline_yaml_runs_nothing(graph: Project) -> None:
    graph.write("pipeline.yaml", PIPELINE.replace("source", "sauce") + "programs: []\n")
    assert graph.doit(status=3) == (
        "pipeline.yaml:4:5: unknown key 'sauce'; did you mean 'source'?\n"
        "    4 |     sauce: examples/00_worked_example.mg\n"
        "      |     ^^^^^\n"
        "pipeline.yaml:6:1: duplicate key 'programs'; the first is on line 2\n"
        "    6 | programs: []\n"
        "      | ^^^^^^^^\n"
    )
    assert not (graph.root / "generated").exists()


def test_the_worked_example_with_the_real_compiler(tmp_path: Path) -> None:
    graph = copy_of_the_graph(
        tmp_path,
        ("pipeline", "stages", "cost", "checks", "ground_truth", "mutants", "mgc", "autograd"),
    )
    assert without_rule(graph.doit("-n", "2")).endswith(
        f"{TABLE}4 artifacts: 4 made, 0 up to date\n"
    )
    assert graph.doit().endswith(FRESH)
