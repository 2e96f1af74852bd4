"""The cost stage in the graph, with valgrind and without."""

import shutil
from pathlib import Path

import pytest

from tests.pipeline.doit_project import Project
from tests.stages.graph_copy import copy_of_the_graph

PIPELINE = """\
version: 1
programs:
  - name: small
    source: small.mg
    wrt: [w]
    cost: true
    limits:
      - {ratio: plain/loss, most: MOST}
"""
PROGRAM = "let w = [[1.0, 2.0], [3.0, 4.0]]\nprint col_sum(row_sum(exp(w @ w)))\n"
LINE = "valgrind is not on PATH; install it with: apt-get install valgrind"


@pytest.fixture
def graph(tmp_path: Path) -> Project:
    project = copy_of_the_graph(tmp_path, PIPELINE.replace("MOST", "100"), PROGRAM)
    # What is checked is the subject of another test.
    project.write("dodo.py", project.read("dodo.py").replace("*MADE, *JUDGED", "*MADE, *COST"))
    return project


@pytest.fixture
def without_valgrind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("cc", "ld", "as"):
        (tools / tool).symlink_to(shutil.which(tool) or "")
    monkeypatch.setenv("PATH", str(tools))


def test_a_limit_that_is_passed_fails_the_stage(graph: Project) -> None:
    printed = graph.doit("cost")
    assert "where the instructions go" in printed
    assert "made  count:small" in printed
    again = graph.doit("cost")
    assert "made  count:small" not in again
    assert "where the instructions go" in again
    graph.write("pipeline.yaml", PIPELINE.replace("MOST", "0.5"))
    assert "small: plain/loss in instructions at -O0 is " in graph.doit("cost", status=1)


@pytest.mark.usefixtures("without_valgrind")
def test_without_valgrind_the_stage_says_once_what_to_install(graph: Project) -> None:
    assert graph.doit("cost", status=2).count(LINE) == 1


@pytest.mark.usefixtures("without_valgrind")
def test_without_valgrind_a_plain_doit_makes_the_rest(graph: Project) -> None:
    printed = graph.doit()
    assert f"cost: skipped; {LINE}\n" in printed
    assert "made  output:small" in printed
