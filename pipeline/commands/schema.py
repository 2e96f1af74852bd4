"""`doit schema`: the JSON Schema of the settings file, for editors."""

from collections.abc import Mapping
from typing import ClassVar

from doit.exceptions import InvalidCommand

from pipeline.commands.command import PluginCommand
from pipeline.json_schema import json_text

SCHEMA = {
    "name": "schema",
    "long": "",  # dodo.py says it: there is nothing to choose on the command line
    "default": None,
    "help": "the dataclass that the settings are read into",
}


class Schema(PluginCommand):
    """The command; the dataclass is `schema` in DOIT_CONFIG."""

    name = "schema"
    doc_purpose = "print the JSON Schema of the settings file"
    doc_usage = ""
    doc_description = "DOIT_CONFIG names the dataclass of the settings: 'schema': Settings."
    cmd_options: ClassVar[tuple[Mapping[str, object], ...]] = (SCHEMA,)

    def _execute(  # pyright: ignore[reportIncompatibleMethodOverride] - doit looks at the names
        self, schema: type | None
    ) -> int:
        if schema is None:
            raise InvalidCommand("DOIT_CONFIG has no 'schema', the dataclass of the settings")
        self.outstream.write(json_text(schema))
        return 0
