"""Pages with listings in them, each between `<!-- listing: NAME -->` and `<!-- /listing -->`.

Filling writes a digest of the text into the first mark. It tells a text that somebody edited, which
is no longer the digest's, from one that is only old, which is.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

DIGEST_LENGTH = 8
START = re.compile(r"<!-- listing: ([\w.-]+)(?: sha256:([0-9a-f]+))? -->")
END = "<!-- /listing -->"
LIKE_A_MARK = re.compile(r"<!--\s*/?\s*listing\b")
INLINE_CODE = re.compile(r"`[^`]*`")
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")


class State(Enum):
    """What is known of a place by comparing it with its digest and with the listing."""

    CURRENT = "current"
    STALE = "stale"
    EDITED = "edited by hand"


class PageError(Exception):
    """The marks of a page are wrong; the message has a line for each, with file and line."""


@dataclass(frozen=True)
class Place:
    """A place for a listing: its name, the digest in its mark, and the lines that it takes.

    `start` and `end` are the numbers of its two marks, counted from 1.
    """

    name: str
    digest: str
    start: int
    end: int


def places(file: str, text: str) -> list[Place]:
    """Return the places of a page in order; what is in the page's own code is none.

    Raises PageError for a mark that is misspelt, not closed, nested or without a start.
    """
    found: list[Place] = []
    problems: list[str] = []
    opened: tuple[int, str, str] | None = None
    for number, line in _outside_code(text):
        start = START.fullmatch(line)
        if start and opened:
            problems.append(
                f"{file}:{number}: listing '{start[1]}' starts inside '{opened[1]}', which "
                f"starts on line {opened[0]}; end that one first: {END}"
            )
        elif start:
            opened = number, start[1], start[2] or ""
        elif line == END and opened:
            found.append(Place(opened[1], opened[2], opened[0], number))
            opened = None
        elif line == END:
            problems.append(f"{file}:{number}: this ends a listing, but none has started")
        else:
            problems.append(
                f"{file}:{number}: {line.strip()!r} is no mark; write `<!-- listing: NAME -->` "
                f"or `{END}` on a line of its own"
            )
    if opened:
        problems.append(f"{file}:{opened[0]}: listing '{opened[1]}' has no end; add {END}")
    if problems:
        raise PageError("\n".join(problems))
    return found


def _outside_code(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that look like marks, with their numbers, but for those in code."""
    fence = ""
    for number, line in enumerate(_lines(text), start=1):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        elif LIKE_A_MARK.search(INLINE_CODE.sub("", line)):
            yield number, line


def checked(file: str, text: str, blocks: Mapping[str, str]) -> list[tuple[Place, State]]:
    """Return the state of each place; `blocks` maps the names of the listings to their Markdown.

    Raises PageError for names that no listing has, besides what `places` raises it for.
    """
    found = places(file, text)
    unknown = [place for place in found if place.name not in blocks]
    if unknown:
        raise PageError("\n".join(_unknown(file, place, list(blocks)) for place in unknown))
    lines = _lines(text)
    return [(place, _state(place, lines, blocks[place.name])) for place in found]


def filled(text: str, states: Sequence[tuple[Place, State]], blocks: Mapping[str, str]) -> str:
    """Return the page with every place that is stale brought up to date."""
    lines = [f"{line}\n" for line in text.split("\n")]
    for place, state in reversed(states):
        if state is State.STALE:
            end_of_line = "\r\n" if lines[place.start - 1].endswith("\r\n") else "\n"
            body = _body(blocks[place.name])
            start = f"<!-- listing: {place.name} sha256:{digest(body)} -->"
            fresh = [f"{line}{end_of_line}" for line in [start, *body]]
            lines[place.start - 1 : place.end - 1] = fresh
    return "".join(lines).removesuffix("\n")


def digest(body: Sequence[str]) -> str:
    """Return the short digest of the lines between two marks."""
    return hashlib.sha256("\n".join(body).encode()).hexdigest()[:DIGEST_LENGTH]


def _state(place: Place, lines: Sequence[str], block: str) -> State:
    """Compare; a place that was emptied, or whose mark alone is not right, is only stale."""
    body = lines[place.start : place.end - 1]
    right_mark = digest(body) == place.digest
    if body == _body(block):
        return State.CURRENT if right_mark else State.STALE
    return State.EDITED if any(body) and not right_mark else State.STALE


def _body(block: str) -> list[str]:
    """Return the lines between the marks: Markdown wants an empty one next to a comment."""
    return ["", *_lines(block.rstrip("\n")), ""]


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.split("\n")]


def _unknown(file: str, place: Place, known: Sequence[str]) -> str:
    close = get_close_matches(place.name, known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(known)}"
    return f"{file}:{place.start}: there is no listing '{place.name}'; {hint}"
