"""Copying out of the chapter programs, and out of a checkout of the book's repository."""

import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.pipeline.doit_project import Project
from tests.stages.graph_copy import copy_of_the_graph

PIPELINE = """\
version: 1
chapters: [ch34_layer_norm]
programs:
  - name: h34_layer_norm
    chapter: ch34_layer_norm
    in_book: part34/**/01_layer_norm_backward.mg
    wrt: [h]
"""
EXCERPT = "examples/h34_layer_norm.mg"
IN_BOOK = "book/part34/programs/01_layer_norm_backward.mg"


@pytest.fixture
def graph(tmp_path: Path) -> Project:
    return copy_of_the_graph(tmp_path, PIPELINE)


def with_book(graph: Project, text: str) -> None:
    graph.write(IN_BOOK, text)
    graph.write("pipeline.yaml", f"{PIPELINE}book: book\n")


def test_the_excerpt_is_copied_out_of_the_generated_chapter(graph: Project) -> None:
    graph.doit("excerpt")
    for file in (EXCERPT, "examples/chapters/ch34_layer_norm.mg"):
        assert graph.read(file) == (ROOT / file).read_text()
    (graph.root / EXCERPT).unlink()
    graph.doit("excerpt")
    assert graph.read(EXCERPT) == (ROOT / EXCERPT).read_text()


def test_with_a_book_it_is_copied_out_of_the_book(graph: Project) -> None:
    chapter = (ROOT / "examples/chapters/ch34_layer_norm.mg").read_text()
    with_book(graph, chapter.replace("[[1, 2, 4, 8]]", "[[1, 3, 9, 27]]"))
    graph.doit("excerpt")
    copied = graph.read(EXCERPT)
    assert copied.startswith("# Copied out of part34/programs/01_layer_norm_backward.mg by")
    assert "let h = [[1, 3, 9, 27]]" in copied


def test_a_statement_that_is_not_in_the_book_is_named_with_its_file(graph: Project) -> None:
    with_book(graph, (ROOT / EXCERPT).read_text().replace("def sigma", "def sigmoid"))
    assert (
        "part34/programs/01_layer_norm_backward.mg: error: there is no def or let named 'sigma'; "
        "did you mean 'sigmoid'?"
    ) in graph.doit("excerpt", status=2)


def test_a_file_that_is_not_in_the_book_is_a_configuration_error(graph: Project) -> None:
    with_book(graph, "")
    (graph.root / IN_BOOK).unlink()
    assert (
        "excerpt:h34_layer_norm: part34/**/01_layer_norm_backward.mg should match one file in "
        "book, not no file"
    ) in graph.doit("excerpt", status=3)


def test_another_compiler_differentiates_builds_and_runs(graph: Project) -> None:
    """The bundled compiler as a command of its own stands for the book's."""
    compiler = graph.root / "bin" / "mgc"
    compiler.parent.mkdir()
    log = graph.root / "asked"
    script = f'#!/bin/sh\necho "$1" >> "{log}"\nexec "{sys.executable}" -m mgc "$@"\n'
    compiler.write_text(script)
    compiler.chmod(0o755)
    graph.write("pipeline.yaml", f"{PIPELINE}compiler: {compiler}\n")
    graph.doit("output")
    assert log.read_text().split() == ["mlir", "build"]
    assert '"h": [[0.26921, -0.896826, 0.874121, -0.246505]]' in graph.read(
        "generated/h34_layer_norm_grad.json"
    )
