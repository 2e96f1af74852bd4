"""How two files differ: the first line that does, and a short unified diff."""

import difflib
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

MOST_LINES = 30
LONGEST_LINE = 160


@dataclass(frozen=True)
class Difference:
    """Where two files differ, as `from line 3 on`, and the diff from the old to the new one."""

    where: str
    diff: str


def difference(old: Path, new: Path, old_name: str, new_name: str) -> Difference | None:
    """Compare two files by their bytes; None if they are equal. A missing file differs."""
    for path, name in ((old, old_name), (new, new_name)):
        if not path.is_file():
            return Difference("as a whole", f"{name} does not exist")
    before, after = old.read_bytes(), new.read_bytes()
    if before == after:
        return None
    try:
        texts = before.decode().splitlines(keepends=True), after.decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        return _of_bytes(before, after)
    pairs = enumerate(zip_longest(*texts), start=1)
    line = next(number for number, (was, now) in pairs if was != now)
    lines = list(difflib.unified_diff(*texts, old_name, new_name, n=1))
    shown = [_short(each) for each in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"… {len(lines) - MOST_LINES} more lines")
    return Difference(f"from line {line} on", "\n".join(shown))


def _of_bytes(before: bytes, after: bytes) -> Difference:
    """Name the first byte that differs; bytes count from 0."""
    pairs = enumerate(zip_longest(before, after))
    at = next(place for place, (was, now) in pairs if was != now)
    return Difference(
        f"from byte {at} on", f"binary: {len(before)} bytes, rebuilt {len(after)} bytes"
    )


def _short(line: str) -> str:
    """Show the end of a line in the text, and no more of it than a terminal has room for."""
    text = line.removesuffix("\n")
    if text == line and line[:1] in "+- " and not line.startswith(("+++", "---")):
        text += "  (no newline at the end)"
    return text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"
