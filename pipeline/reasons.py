"""Why an artifact is not up to date: what was recorded of it beside what is there now."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pipeline.artifact import Fresh
from pipeline.digest import file_digest
from pipeline.failures import last_failure

SHORT = 8
DIGEST_LENGTH = 64
LONGEST_VALUE = 60
BECAUSE = "because"  # another artifact would run, or may


@dataclass(frozen=True)
class Reason:
    """One reason to run: its kind, the file, key or task that it is about, and both values."""

    kind: str
    what: str = ""
    old: str | None = None
    new: str | None = None

    def __str__(self) -> str:
        values = "" if self.old is self.new is None else f"{_shown(self.old)} -> {_shown(self.new)}"
        if self.kind == BECAUSE:
            return f"{self.kind} {self.what}"
        return ": ".join(filter(None, [self.kind, self.what, values]))


def own_reasons(
    fresh: Fresh, record: Mapping[str, Any] | None, remade: Collection[str]
) -> list[Reason]:
    """Return the reasons in an artifact itself; none if it can only become too old.

    `record` is what doit remembers of its last good run; `remade` are the files that other
    artifacts would write first, whose bytes now say nothing.
    """
    spec = fresh.spec
    if record is None:
        return [*_without_a_record(fresh), *_missing_inputs(fresh, remade)]
    return [
        *_files("input", record["inputs"], spec.inputs, remade),
        *_files("target", record["targets"], spec.targets, ()),
        *_keys(record["key"], fresh.key),
    ]


def _without_a_record(fresh: Fresh) -> Iterator[Reason]:
    """Tell a failure from an artifact that is new, and from files whose making nobody recorded."""
    failure = last_failure(fresh.spec.name)
    missing = [target for target in fresh.spec.targets if not Path(target).exists()]
    if failure is not None:
        yield Reason("the last run failed", failure)
    elif len(missing) == len(fresh.spec.targets):
        yield Reason("never made")
    else:
        yield Reason("its files are here, but how they were made is not recorded")


def _missing_inputs(fresh: Fresh, remade: Collection[str]) -> Iterator[Reason]:
    for path in fresh.spec.inputs:
        if path not in remade and not Path(path).exists():
            yield Reason("input missing", path)


def _files(
    kind: str, recorded: Mapping[str, str], paths: Collection[str], remade: Collection[str]
) -> Iterator[Reason]:
    """Compare the files of one kind with their digests in the record."""
    for path in paths:
        if path in remade:
            continue
        now = file_digest(path) if Path(path).exists() else None
        if now is None:
            yield Reason(f"{kind} missing", path)
        elif path not in recorded:
            yield Reason(f"{kind} added", path)
        elif recorded[path] != now:
            verb = "edited" if kind == "target" else "changed"
            yield Reason(f"{kind} {verb}", path, recorded[path], now)
    for path in recorded:
        if path not in paths:
            yield Reason(f"{kind} dropped", path)


def _keys(recorded: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Reason]:
    """Compare all that decides the bytes besides the inputs: `code FOLDER`, `config` and so on."""
    for name in [*now, *(name for name in recorded if name not in now)]:
        old, new = recorded.get(name), now.get(name)
        if old == new:
            continue
        if name == "config" and old is not None and new is not None:
            yield from _settings("", json.loads(old), json.loads(new))
        elif name == "action" and old is not None and new is not None:
            yield _action(old, new)
        else:
            kind, _, what = name.partition(" ")
            yield Reason(f"{kind} changed", what, old or "nothing", new or "nothing")


def _settings(place: str, old: object, new: object) -> Iterator[Reason]:
    """Yield each setting that differs, named by its keys and positions: `limits.0.most`."""
    if any(isinstance(old, kind) and isinstance(new, kind) for kind in (dict, list)):
        was, now = _members(old), _members(new)
        for name in [*was, *(name for name in now if name not in was)]:
            inner = f"{place}.{name}" if place else name
            yield from _settings(inner, was.get(name, ABSENT), now.get(name, ABSENT))
    elif type(old) is not type(new) or old != new:
        yield Reason("setting changed", place, _json(old), _json(new))


class _Absent:
    """What stands for a setting that is not there."""


ABSENT = _Absent()


def _members(value: object) -> dict[str, object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value)
    items = cast("list[object]", value)
    return {str(position): item for position, item in enumerate(items)}


def _json(value: object) -> str:
    return "nothing" if value is ABSENT else json.dumps(value)


def _action(old: str, new: str) -> Reason:
    """Name what differs in an action, which is a command as JSON or `module:function digest`."""
    if old.startswith("[") and new.startswith("["):
        return Reason("command changed", "", *_difference(json.loads(old), json.loads(new)))
    (was, *code), (now, *new_code) = old.split(" ", 1), new.split(" ", 1)
    if was == now:
        return Reason("code changed", f"module {now.partition(':')[0]}", *code, *new_code)
    return Reason("action changed", "", was, now)


def _difference(old: list[str], new: list[str]) -> tuple[str, str]:
    """Return what two commands do not share at their starts and ends."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    was, now = (" ".join(map(str, each[start : len(each) - end])) for each in (old, new))
    return was or "nothing", now or "nothing"


def _shown(value: str | None) -> str:
    """Show a digest by its first digits, and of a long value the start; all in one line."""
    if value is None:
        return "nothing"
    value = " ".join(value.split())
    if len(value) == DIGEST_LENGTH and not set(value) - set("0123456789abcdef"):
        return value[:SHORT]
    return value if len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"
