"""The JSON Schema of a settings file, from the dataclasses that `pipeline.config` checks it with.

An editor can complete and check the file with it. What only a rule (`Annotated[X, rule]`) knows is
left to the run: a rule is a function, which a schema cannot hold.
"""

import inspect
import json
import typing
from dataclasses import MISSING, asdict, fields, is_dataclass
from typing import Annotated, Any

from pipeline.spec import Artifact, Job

DRAFT = "http://json-schema.org/draft-07/schema#"  # the newest that all editors know
NAMES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def json_schema(schema: type) -> dict[str, object]:
    """Return the JSON Schema of a dataclass, with those inside it as its definitions."""
    definitions: dict[str, object] = {}
    _define(schema, definitions)
    return {"$schema": DRAFT, "$ref": _place(schema), "definitions": definitions}


def json_text(schema: type) -> str:
    """Return the JSON Schema of a dataclass as the text of a file."""
    return f"{json.dumps(json_schema(schema), indent=1)}\n"


def schema_artifact(name: str, schema: type, target: str) -> Artifact:
    """Write the schema to a file, for `# yaml-language-server: $schema=FILE` in the settings."""
    return Artifact(
        name=name,
        doc=f"Write {target}, for editors.",
        make=write_schema,
        inputs=(),
        targets=(target,),
        config={"text": json_text(schema)},
    )


def write_schema(job: Job) -> None:
    """Make the target of `schema_artifact`."""
    job.targets[0].write_text(str(job.config["text"]))


def _define(schema: type, definitions: dict[str, object]) -> None:
    """Add a dataclass and those inside it; each is defined once."""
    if schema.__name__ in definitions:
        return
    definitions[schema.__name__] = None  # keeps the place, and ends a recursion
    types = typing.get_type_hints(schema, include_extras=True)
    properties = {each.name: _form(types[each.name], definitions) for each in fields(schema)}
    required: list[str] = []
    for each in fields(schema):
        if each.default is not MISSING:
            properties[each.name]["default"] = _plain(each.default)
        elif each.default_factory is MISSING:
            required.append(each.name)
    definitions[schema.__name__] = {
        "description": inspect.getdoc(schema),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _form(wanted: Any, definitions: dict[str, object]) -> dict[str, object]:  # noqa: ANN401 - a type form
    """Return the schema of one of the types that a field may have."""
    if typing.get_origin(wanted) is Annotated:
        return _form(typing.get_args(wanted)[0], definitions)
    if typing.get_origin(wanted) is tuple:
        return {"type": "array", "items": _form(typing.get_args(wanted)[0], definitions)}
    if is_dataclass(wanted):
        _define(typing.cast("type", wanted), definitions)
        return {"$ref": _place(wanted)}
    return {"type": NAMES[wanted]}


def _plain(value: object) -> object:
    """Return a default as JSON can write it."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _place(schema: Any) -> str:  # noqa: ANN401 - a type form
    return f"#/definitions/{schema.__name__}"
