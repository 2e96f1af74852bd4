from collections.abc import Callable

import pytest

import mgc
from ground_truth.chapters import CHAPTERS
from ground_truth.excerpts import EXCERPTS, Excerpt, excerpt_program
from mgc.compile import compile_source
from mgc.interpret import interpret
from mgc.parse import parse
from mgc.syntax import Let, Matrix
from tests.ground_truth.reference import ROOT, Array, deviation, reference

# Of 16 digits some four go to rounding in sums of hundreds of terms; what is seen is 1e-15.
TOLERANCE = 1e-12

REFERENCES = {"h33_attention": "h33", "h34_layer_norm": "h34", "h35_transformer_step1": "h35"}


def interpreted(source: str) -> list[Array]:
    return interpret(compile_source(source, "excerpt.mg"))


def text(name: str) -> str:
    return (ROOT / "examples" / f"{name}.mg").read_text()


def extracted(excerpt: Excerpt) -> str:
    file = CHAPTERS[excerpt.chapter].path
    return excerpt_program(excerpt, (ROOT / file).read_text(), file)


def test_every_excerpt_has_a_reference() -> None:
    assert list(EXCERPTS) == list(REFERENCES)


@pytest.mark.parametrize("name", REFERENCES)
def test_the_excerpts_are_fresh(name: str) -> None:
    assert text(name) == extracted(EXCERPTS[name]), (
        f"python -m ground_truth extract {name} > examples/{name}.mg"
    )


@pytest.mark.parametrize("name", REFERENCES)
def test_an_excerpt_says_where_it_is_from(name: str) -> None:
    first = text(name).splitlines()[0]
    chapter = EXCERPTS[name].chapter
    assert first.startswith(f"# Copied out of examples/chapters/{chapter}.mg by ")
    assert f"`python -m ground_truth extract {name}`" in first


@pytest.mark.parametrize("run", [mgc.run, interpreted])
@pytest.mark.parametrize("name", REFERENCES)
def test_an_excerpt_prints_the_loss_and_the_gradients(
    name: str, run: Callable[[str], list[Array]]
) -> None:
    expected = reference(REFERENCES[name])
    assert list(EXCERPTS[name].gradients) == list(expected.grads)
    loss, *gradients = run(text(name))
    assert deviation(loss, [[expected.loss]]) < TOLERANCE
    for gradient, wanted in zip(gradients, expected.grads.values(), strict=True):
        assert deviation(gradient, wanted) < TOLERANCE


@pytest.mark.parametrize(("name", "elements"), [("h33_attention", 48), ("h34_layer_norm", 4)])
def test_the_gradients_of_an_excerpt_have_as_many_elements_as_the_book_says(
    name: str, elements: int
) -> None:
    assert sum(gradient.size for gradient in mgc.run(text(name))[1:]) == elements


def test_the_gradients_of_the_transformer_have_648_elements() -> None:
    assert sum(gradient.size for gradient in mgc.run(text("h35_transformer_step1"))[1:]) == 648


@pytest.mark.parametrize("name", REFERENCES)
def test_what_an_excerpt_differentiates_are_literals_of_it(name: str) -> None:
    literals = {
        statement.name: statement.expression[0].literal
        for statement in parse(text(name))
        if isinstance(statement, Let) and isinstance(statement.expression[0], Matrix)
    }
    for parameter, wanted in reference(REFERENCES[name]).params.items():
        elements = [element for row in wanted for element in row]
        assert repr(list(literals[parameter].elements)) == repr(elements)


def test_an_excerpt_of_chapter_35_has_nothing_of_a_later_step() -> None:
    names = [each.name for each in parse(text("h35_transformer_step1")) if isinstance(each, Let)]
    assert [name for name in names if name.endswith("_2")] == []
    assert len(names) == len(set(names))
