"""A YAML file is parsed once, and never is another tree taken for its own."""

import json
from pathlib import Path

import pytest

from pipeline import yaml_tree
from pipeline.layout import DIGESTS
from pipeline.yaml_tree import Node, RememberedTree, YamlError, parse

TEXT = """\
a: [1, "two", {b: no}]
c: |
  three
  four
"""
KEPT = DIGESTS / "yaml.file.json"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def parse_remembered(text: str) -> Node | None:
    tree = RememberedTree("file")
    root = tree.parse(text)
    tree.keep()
    return root


def refuses(text: str) -> Node:
    raise AssertionError(text)


def test_a_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = parse_remembered(TEXT)
    monkeypatch.setattr(yaml_tree, "parse", refuses)
    assert parse_remembered(TEXT) == first


def test_what_is_remembered_is_what_is_parsed() -> None:
    parse_remembered(TEXT)
    assert parse_remembered(TEXT) == parse(TEXT)


def test_another_text_is_parsed() -> None:
    parse_remembered(TEXT)
    changed = parse_remembered(TEXT.replace("two", "2"))
    assert changed == parse(TEXT.replace("two", "2"))


def test_a_damaged_memory_is_replaced() -> None:
    parse_remembered(TEXT)
    KEPT.write_text("{")
    assert parse_remembered(TEXT) == parse(TEXT)
    assert json.loads(KEPT.read_text())["root"][0] == "mapping"


def test_nodes_have_their_places() -> None:
    root = parse(TEXT)
    assert root is not None
    (_, numbers), (key, text) = root.pairs
    two = numbers.items[1]
    assert (two.tag, two.style, two.text) == ("str", '"', "two")
    assert (two.line, two.column, two.length) == (1, 8, 5)
    assert (key.line, key.column, text.tag, text.length) == (2, 1, "str", 1)


@pytest.mark.parametrize("text", ["a: &x [1]\nb: *x\n", "&x [*x]\n"])
def test_aliases_are_not_remembered(text: str) -> None:
    root = parse_remembered(text)
    assert root is not None
    assert not KEPT.exists()


def test_a_list_inside_of_itself_is_one_node() -> None:
    root = parse("&x [*x]")
    assert root is not None
    assert root.items[0] is root


@pytest.mark.parametrize(
    ("text", "place"), [("a: [", (1, 5)), ("a: b: c", (1, 5)), ("a\nb: \x07", (2, 4))]
)
def test_what_is_not_yaml_has_a_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(YamlError, match="not YAML") as caught:
        parse_remembered(text)
    assert (caught.value.line, caught.value.column) == place


def test_an_empty_text_has_no_root() -> None:
    assert parse_remembered("# nothing\n") is None


def test_what_is_not_found_good_is_not_remembered() -> None:
    RememberedTree("file").parse(TEXT)
    assert not DIGESTS.exists()
