"""Settings: a YAML file read into frozen dataclasses, with every mistake found in one pass.

The dataclasses are the schema. A field is `str`, `int`, `float`, `bool`, a dataclass, or a
`tuple[X, ...]` of these; it is optional if it has a default. `Annotated[X, rule]` adds a rule:
a function from a good value to None or to what is wrong with it.
"""

import functools
import sys
import typing
from collections.abc import Callable, Hashable, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

from pipeline.scalars import ScalarError, describe, scalar
from pipeline.yaml_tree import Node, RememberedTree, YamlError, parse

T = TypeVar("T")
Rule = Callable[[Any], str | None]
Parser = Callable[[str], Node | None]


@dataclass(frozen=True)
class Unique:
    """A rule for a tuple of dataclasses: no two have the same value in this field."""

    field: str


@dataclass(frozen=True)
class Problem:
    """One mistake: where it is (lines and columns count from 1), what, and how long the text is."""

    line: int
    column: int
    message: str
    length: int = 1


class ConfigError(Exception):
    """All the mistakes of a settings file; `report` is the text to show."""

    def __init__(self, path: Path, text: str, problems: Sequence[Problem]) -> None:
        """Take the mistakes found in the text of the file."""
        ordered = sorted(problems, key=lambda problem: (problem.line, problem.column))
        lines = text.splitlines()
        self.report = "\n".join(_shown(path, lines, problem) for problem in ordered)
        super().__init__(self.report)


def load(path: Path, schema: type[T], parser: Parser = parse) -> T:
    """Read the settings; raises ConfigError."""
    text, root = _parse(path, parser)
    checker = _Checker()
    value = checker.value(root, schema, path.name)
    if checker.problems:
        raise ConfigError(path, text, checker.problems)
    return typing.cast("T", value)


def load_or_exit(path: Path, schema: type[T]) -> T:
    """Read the settings for a dodo.py: mistakes go to stderr and the exit status is 3."""
    tree = RememberedTree(path.name)
    try:
        settings = load(path, schema, tree.parse)
    except ConfigError as error:
        sys.stderr.write(f"{error.report}\n")
        sys.exit(3)
    tree.keep()
    return settings


def _parse(path: Path, parser: Parser) -> tuple[str, Node]:
    """Return the text of a file and its YAML nodes, which know their lines and columns."""
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        _fail(path, "", Problem(1, 1, "the file does not exist"))
    except OSError as error:
        _fail(path, "", Problem(1, 1, f"the file cannot be read: {error.strerror}"))
    except UnicodeDecodeError as error:
        before = error.object[: error.start].split(b"\n")
        problem = Problem(len(before), len(before[-1]) + 1, "this byte is not UTF-8")
        _fail(path, error.object.decode(errors="replace"), problem)
    try:
        root = parser(text)
    except YamlError as error:
        _fail(path, text, Problem(error.line, error.column, str(error)))
    if root is None:
        _fail(path, text, Problem(1, 1, "the file is empty"))
    return text, root


def _fail(path: Path, text: str, problem: Problem) -> NoReturn:
    raise ConfigError(path, text, [problem])


def _shown(path: Path, lines: Sequence[str], problem: Problem) -> str:
    """Return the message with the offending line and a mark below it."""
    message = f"{path.name}:{problem.line}:{problem.column}: {problem.message}"
    if problem.line > len(lines):
        return message
    line = lines[problem.line - 1].expandtabs(1)
    room = max(1, len(line) - problem.column + 1)
    margin = f"{problem.line:5} | "
    mark = " " * (problem.column - 1) + "^" * min(problem.length, room)
    return f"{message}\n{margin}{line}\n{'':5} | {mark}"


class _Invalid:
    """What stands for a value that a problem was reported for."""


INVALID = _Invalid()


class _Checker:
    """Turns nodes into values and collects the problems."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def value(self, node: Node, wanted: Any, label: str) -> object:  # noqa: ANN401 - a type form
        """Return the node's value in the wanted type, or INVALID; label names it in messages."""
        if typing.get_origin(wanted) is Annotated:
            plain, *rules = typing.get_args(wanted)
            return self._ruled(node, self.value(node, plain, label), rules, label)
        if typing.get_origin(wanted) is tuple:
            return self._sequence(node, typing.get_args(wanted)[0], label)
        if isinstance(wanted, type) and is_dataclass(wanted):
            return self._mapping(node, wanted, label)
        try:
            return scalar(node, wanted, label)
        except ScalarError as error:
            return self._report(node, str(error))

    def _report(self, node: Node, message: str) -> _Invalid:
        self.problems.append(Problem(node.line, node.column, message, node.length))
        return INVALID

    def _ruled(
        self, node: Node, value: object, rules: Sequence[Rule | Unique], label: str
    ) -> object:
        """Apply the rules to a value that has the right type."""
        for rule in rules:
            if value is INVALID:
                break
            if isinstance(rule, Unique):
                value = self._unique(node, value, rule.field)
            elif (wrong := rule(value)) is not None:
                value = self._report(node, f"'{label}' {wrong}")
        return value

    def _unique(self, node: Node, value: object, field: str) -> object:
        """Report each item whose field repeats that of an earlier one."""
        first: dict[Hashable, int] = {}
        for item, inner in zip(typing.cast("tuple[object, ...]", value), node.items, strict=True):
            at = next((place for key, place in inner.pairs if key.text == field), inner)
            found = getattr(item, field)
            line = first.setdefault(found, at.line)
            if line != at.line:
                value = self._report(at, f"'{field}' {found} is used on line {line} already")
        return value

    def _sequence(self, node: Node, wanted: object, label: str) -> object:
        if node.kind != "list":
            fix = f"; write [{node.text}]" if node.text else ""
            return self._report(node, f"'{label}' must be a list, got {describe(node)}{fix}")
        items = [self.value(item, wanted, f"{label}[{i}]") for i, item in enumerate(node.items)]
        return INVALID if INVALID in items else tuple(items)

    def _mapping(self, node: Node, schema: type, label: str) -> object:
        if node.kind != "mapping":
            keys = ", ".join(each.name for each in fields(schema))
            message = f"'{label}' must be a mapping with the keys {keys}, got {describe(node)}"
            return self._report(node, message)
        types = _types(schema)
        places = self._keys(node, list(types))
        values = {key: self.value(place, types[key], key) for key, place in places.items()}
        values |= self._absent(node, schema, places)
        return INVALID if INVALID in values.values() else schema(**values)

    def _keys(self, node: Node, known: Sequence[str]) -> dict[str, Node]:
        """Return the node of each known key; report those that are unknown or come twice."""
        places: dict[str, Node] = {}
        lines: dict[str, int] = {}
        for key, place in node.pairs:
            if key.kind != "scalar":
                self._report(key, f"a key must be a word, got {describe(key)}")
                continue
            name = key.text
            if name in lines:
                self._report(key, f"duplicate key '{name}'; the first is on line {lines[name]}")
                continue
            lines[name] = key.line
            if name in known:
                places[name] = place
                continue
            close = get_close_matches(name, [each for each in known if each not in places], n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"the keys are {', '.join(known)}"
            self._report(key, f"unknown key '{name}'; {hint}")
            if close:
                places[close[0]] = place
        return places

    def _absent(self, node: Node, schema: type, places: dict[str, Node]) -> dict[str, object]:
        """Report the required keys that are not there."""
        absent: dict[str, object] = {}
        for each in fields(schema):
            if each.name not in places and _is_required(each):
                absent[each.name] = self._report(node, f"missing key '{each.name}'")
        return absent


@functools.cache
def _types(schema: type) -> dict[str, Any]:
    """Return the types of the fields of a dataclass, with their rules."""
    return typing.get_type_hints(schema, include_extras=True)


def _is_required(field: "Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING
