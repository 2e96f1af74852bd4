"""DOIT_CONFIG, checked: doit ignores a key that it does not know and stumbles over a wrong type."""

import sys
from collections.abc import Mapping
from dataclasses import is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from doit.cmd_run import Run
from doit.doit_cmd import DoitConfig
from doit.plugin import PluginDict

CONFIG_FILES = ("pyproject.toml", "doit.cfg")  # where doit looks for plugins besides packages
BUILT_IN = {
    "backend": ("dbm", "json", "sqlite3"),
    "reporter": ("console", "executed-only", "json", "zero", "error-only"),
}
CLASSES = ("reporter", "codec_cls", "check_file_uptodate")  # doit takes a class for these too
NO_OPTIONS: Mapping[str, type] = {
    "default_tasks": list,
    "minversion": str,
    "action_string_formatting": str,
    "schema": type,
}
WORDS = {str: "text", int: "a whole number", bool: "True or False", list: "a list of task names"}


def checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings for DOIT_CONFIG; where one is wrong, the exit status is 3.

    `schema` is the one key that is not doit's: the dataclass for `doit schema`. Each mistake is a
    line on stderr.
    """
    problems = [f"DOIT_CONFIG: {problem}\n" for problem in _problems(settings)]
    if problems:
        sys.stderr.write("".join(problems))
        sys.exit(3)
    return dict(settings)


def _problems(settings: Mapping[str, Any]) -> list[str]:
    options = {each["name"]: each["type"] for each in (*Run.base_options, *Run.cmd_options)}
    types: Mapping[str, type] = {**options, **NO_OPTIONS}
    problems: list[str] = []
    for key, value in settings.items():
        if key not in types:
            close = get_close_matches(key, types, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"the keys are {', '.join(types)}"
            problems.append(f"unknown key '{key}'; {hint}")
        elif wrong := _wrong(key, value, types[key]):
            problems.append(f"'{key}' {wrong}")
    return problems


def _wrong(key: str, value: object, wanted: type) -> str | None:
    """Return what is wrong with a value, None if nothing is."""
    if key == "schema":
        good = isinstance(value, type) and is_dataclass(value)
        return None if good else f"must be a dataclass, got {value!r}"
    if isinstance(value, type) and key in CLASSES:
        return None
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        return f"must be {WORDS[wanted]}, got {value!r}"
    if key == "num_process" and isinstance(value, int) and value < 0:
        return f"must be 0 or more, got {value}"
    if isinstance(value, list) and not all(isinstance(each, str) for each in value):
        return f"must be {WORDS[wanted]}, got {value!r}"
    return _unknown_plugin(key, str(value)) if key in BUILT_IN else None


def _unknown_plugin(key: str, name: str) -> str | None:
    """Return what is wrong with the name of a backend or reporter, looked up as doit does it."""
    if name in BUILT_IN[key]:
        return None
    plugins = PluginDict()
    plugins.add_plugins({}, key.upper())
    if name in plugins:  # as a rule; then the files need not be read once more
        return None
    config = DoitConfig()
    config.loads([file for file in CONFIG_FILES if Path(file).exists()])
    plugins.add_plugins(config.as_dict(), key.upper())
    if name in plugins:
        return None
    known = [*BUILT_IN[key], *plugins]
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"installed are {', '.join(known)}"
    return f"is '{name}', which is not installed; {hint}"
