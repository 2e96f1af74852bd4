"""The nodes of a YAML file, each with its place; they are kept, so that no run parses it again."""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from pipeline.digest import read_remembered, replace_text
from pipeline.layout import DIGESTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yaml.nodes import Node as YamlNode

Kind = Literal["scalar", "list", "mapping"]
KINDS: "Mapping[str, Kind]" = {
    "ScalarNode": "scalar",
    "SequenceNode": "list",
    "MappingNode": "mapping",
}


class YamlError(Exception):
    """A text is not YAML; line and column count from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        """Take the place and what is wrong there."""
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass
class Node:
    """A value and where it is written; lines and columns count from 1.

    `text` is that of a scalar, `items` those of a list, and `pairs` those of a mapping.
    """

    kind: Kind
    tag: str
    style: str
    line: int
    column: int
    length: int
    text: str
    items: "list[Node]"
    pairs: "list[tuple[Node, Node]]"


def parse(text: str) -> Node | None:
    """Return the root, None for a text without a value; raises YamlError."""
    root = _composed(text)
    return None if root is None else _node(root, {})


class RememberedTree:
    """Parses the same text of a file only once, if it has been found good since."""

    def __init__(self, name: str) -> None:
        """Take the name of the file."""
        self._kept = DIGESTS / f"yaml.{name}.json"
        self._new: tuple[str, Node] | None = None

    def parse(self, text: str) -> Node | None:
        """Do what `parse` does."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        match read_remembered(self._kept):
            case {"text": known, "root": root} if known == digest:
                return _from_json(cast("list[Any]", root))
        root = parse(text)
        if root is not None:
            self._new = digest, root
        return root

    def keep(self) -> None:
        """Remember the tree, unless it has aliases, which as JSON would be longer or endless."""
        if self._new is None:
            return
        digest, root = self._new
        if _is_plain(root):
            replace_text(self._kept, json.dumps({"text": digest, "root": _as_json(root)}))


def _composed(text: str) -> "YamlNode | None":
    """Return PyYAML's root; raises YamlError."""
    import yaml  # noqa: PLC0415 - 25 ms that a run with a known file can spare

    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        row, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise YamlError(row, column, f"not YAML: {error.problem}") from error
    except yaml.reader.ReaderError as error:
        before = text[: error.position].split("\n")
        what = f"not YAML: the character #x{ord(text[error.position]):04x} is not allowed"
        raise YamlError(len(before), len(before[-1]) + 1, what) from error


def _node(node: "YamlNode", known: dict[int, Node]) -> Node:
    """Return our form of a node; an alias gives the same node again, even inside of itself."""
    if id(node) in known:
        return known[id(node)]
    start, end = node.start_mark, node.end_mark
    made = Node(
        kind=KINDS[type(node).__name__],
        tag=node.tag.removeprefix("tag:yaml.org,2002:"),
        style=getattr(node, "style", None) or "",  # None for a plain scalar
        line=start.line + 1,
        column=start.column + 1,
        length=max(1, end.column - start.column) if end.line == start.line else 1,
        text="",
        items=[],
        pairs=[],
    )
    known[id(node)] = made
    if made.kind == "scalar":
        made.text = node.value
    elif made.kind == "list":
        made.items += [_node(item, known) for item in node.value]
    else:
        made.pairs += [(_node(key, known), _node(value, known)) for key, value in node.value]
    return made


def _is_plain(root: Node) -> bool:
    """Say whether each node is in one place only."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            return False
        seen.add(id(node))
        waiting += [*node.items, *(each for pair in node.pairs for each in pair)]
    return True


def _as_json(node: Node) -> list[Any]:
    items = [_as_json(item) for item in node.items]
    pairs = [[_as_json(key), _as_json(value)] for key, value in node.pairs]
    place = (node.line, node.column, node.length)
    return [node.kind, node.tag, node.style, *place, node.text, items, pairs]


def _from_json(content: list[Any]) -> Node:
    *simple, items, pairs = content
    return Node(
        *simple,
        items=[_from_json(item) for item in items],
        pairs=[(_from_json(key), _from_json(value)) for key, value in pairs],
    )
