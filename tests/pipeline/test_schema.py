"""The JSON Schema of the settings, which says what the check of the settings says."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from pipeline.config import ConfigError, Unique, load
from pipeline.json_schema import json_schema
from tests.pipeline.doit_project import HEAD, Project


def _is_short(text: str) -> str | None:
    return None if len(text) < 5 else "is long"


def _is_exact(item: "Item") -> str | None:
    return None if item.exact or item.bound else "is neither exact nor bounded"


@dataclass(frozen=True)
class Item:
    """One thing.

    `sizes` are in bytes.
    """

    name: Annotated[str, _is_short]
    sizes: tuple[int, ...] = ()
    bound: float = 1.0
    exact: bool = False


@dataclass(frozen=True)
class Settings:
    """All of it."""

    version: int
    items: Annotated[tuple[Annotated[Item, _is_exact], ...], Unique("name")]
    first: Item = Item("a", (1,))


SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "$ref": "#/definitions/Settings",
    "definitions": {
        "Settings": {
            "description": "All of it.",
            "type": "object",
            "properties": {
                "version": {"type": "integer"},
                "items": {"type": "array", "items": {"$ref": "#/definitions/Item"}},
                "first": {
                    "$ref": "#/definitions/Item",
                    "default": {"name": "a", "sizes": [1], "bound": 1.0, "exact": False},
                },
            },
            "required": ["version", "items"],
            "additionalProperties": False,
        },
        "Item": {
            "description": "One thing.\n\n`sizes` are in bytes.",
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "sizes": {"type": "array", "items": {"type": "integer"}, "default": []},
                "bound": {"type": "number", "default": 1.0},
                "exact": {"type": "boolean", "default": False},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    },
}


def test_the_schema_is_that_of_the_dataclasses() -> None:
    assert json.loads(json.dumps(json_schema(Settings))) == SCHEMA


JSON_TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def agrees(value: Any, schema: Any) -> bool:  # noqa: ANN401 - any JSON
    """Check a value as an editor does, as far as these schemas go."""
    if "$ref" in schema:
        return agrees(value, SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]])
    if not isinstance(value, JSON_TYPES[schema["type"]]):
        return False
    if isinstance(value, bool):
        return schema["type"] == "boolean"
    if schema["type"] == "array":
        return all(agrees(each, schema["items"]) for each in value)
    if schema["type"] != "object":
        return True
    known = schema["properties"]
    return (
        set(schema["required"]) <= set(value) <= set(known)
        and all(agrees(each, known[key]) for key, each in value.items())
    )  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        {"version": 1, "items": []},
        {"version": 1, "items": [{"name": "a", "sizes": [1], "bound": 0.5, "exact": True}]},
        {"version": 1, "items": [{"name": "a", "bound": 1}]},
        {"version": 1, "items": [], "first": {"name": "b"}},
        {"version": 1, "items": [], "first": {}},
        {"version": 1.5, "items": []},
        {"version": True, "items": []},
        {"version": 1},
        {"version": 1, "items": {}},
        {"version": 1, "items": [{}]},
        {"version": 1, "items": ["a"]},
        {"version": 1, "items": [{"name": 1}]},
        {"version": 1, "items": [{"name": "a", "colour": "red"}]},
        {"version": 1, "items": [{"name": "a", "sizes": ["1"]}]},
        {"version": 1, "items": [{"name": "a", "exact": 1}]},
    ],
)
def test_the_schema_and_the_check_agree(tmp_path: Path, value: object) -> None:
    path = tmp_path / "pipeline.yaml"
    path.write_text(json.dumps(value))
    try:
        load(path, Settings)
        good = True
    except ConfigError:
        good = False
    assert agrees(value, SCHEMA) == good


TASKS = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Settings:
    "All."
    size: int

DOIT_CONFIG["schema"] = Settings

def task_editor():
    from pipeline.json_schema import schema_artifact
    yield artifact(schema_artifact("editor:schema", Settings, "out/schema.json"))
"""


def test_the_command_and_the_artifact_write_the_same(project: Project) -> None:
    project.dodo(TASKS)
    project.doit()
    assert project.doit("schema") == project.read("out/schema.json")
    assert json.loads(project.read("out/schema.json"))["definitions"]["Settings"]["required"]
    project.dodo(TASKS.replace("size: int", "size: int\n    name: str = ''"))
    assert re.search("1 made, 0 up to date\n$", project.doit())
    assert '"name"' in project.read("out/schema.json")


def test_without_a_dataclass_there_is_one_line(project: Project) -> None:
    project.dodo("def task_x():\n    return {'actions': []}\n", head=HEAD)
    assert project.doit("schema", status=3) == (
        "ERROR: DOIT_CONFIG has no 'schema', the dataclass of the settings\n"
    )
