"""The task that keeps pages in step with the listings.

A page is written by a person and filled here, so it is no artifact: it has no one maker. The task
always looks at every page, and writes one only where a listing in it is stale.
"""

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from doit.exceptions import BaseFail, TaskError, TaskFailed

from pipeline.listing import INDEX, Listing
from pipeline.markers import PageError, Place, State, checked, filled

COMMAND = "doit listings"


@dataclass(frozen=True)
class Page:
    """A page as it was read, with the state of each place in it."""

    file: str
    content: bytes
    states: Sequence[tuple[Place, State]]

    def lines(self, state: State) -> list[str]:
        """Return FILE:LINE and the listing's name of each place in a state."""
        return [
            f"{self.file}:{place.start}: listing '{place.name}'"
            for place, found in self.states
            if found is state
        ]


def filling(listings: Sequence[Listing], pages: Sequence[str]) -> dict[str, object]:
    """Return the task that fills the pages, or fails where they are stale if the run is CI's.

    A page may lie outside the project. One that was edited by hand between marks is refused, and
    then none is written.
    """
    return {
        "basename": "listings",
        "doc": "Bring the listings in the pages up to date; in CI, fail where one is not.",
        "actions": [(fill, [list(listings), list(pages)])],
        "file_dep": [INDEX, *(file for listing in listings for file in listing.files)],
        "uptodate": [False],
        "verbosity": 2,  # what is rewritten in somebody's page is said in every run
    }


def fill(listings: Sequence[Listing], pages: Sequence[str]) -> BaseFail | None:
    """Fill the pages; the action of the task."""
    blocks = {listing.name: listing.block() for listing in listings}
    read: list[Page] = []
    wrong: list[str] = []
    for file in pages:
        try:
            read.append(_page(file, blocks))
        except OSError as error:
            return TaskError(f"the page {file} cannot be read: {error.strerror}")
        except PageError as error:
            wrong.append(str(error))
    wrong += [] if wrong else _unused(read, blocks)
    wrong += [
        f"{line} was edited by hand; edit what it is made from, or, to discard the edit, delete "
        f"the lines between its marks and run: {COMMAND}"
        for page in read
        for line in page.lines(State.EDITED)
    ]
    if wrong:
        return TaskFailed("\n".join(wrong))
    if os.environ.get("CI"):
        stale = [f"{line} is stale" for page in read for line in page.lines(State.STALE)]
        return TaskFailed("\n".join([*stale, f"run: {COMMAND}"])) if stale else None
    return _written(read, blocks)


def _page(file: str, blocks: Mapping[str, str]) -> Page:
    """Read a page; raises OSError, or PageError."""
    content = Path(file).read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"{file}:{line}: this line is not UTF-8"
        raise PageError(message) from error
    return Page(file, content, checked(file, text, blocks))


def _unused(pages: Sequence[Page], names: Mapping[str, str]) -> list[str]:
    used = {place.name for page in pages for place, _ in page.states}
    return [
        f"no page shows listing '{name}'; add `<!-- listing: {name} -->` and `<!-- /listing -->` "
        f"to one of {', '.join(page.file for page in pages)}"
        for name in names
        if name not in used
    ]


def _written(pages: Sequence[Page], blocks: Mapping[str, str]) -> BaseFail | None:
    """Write the pages that are stale, and say which listings were."""
    for page in pages:
        stale = page.lines(State.STALE)
        if not stale:
            continue
        text = filled(page.content.decode(), page.states, blocks)
        try:
            _replace(Path(page.file), page.content, text.encode())
        except OSError as error:
            return TaskError(f"the page {page.file} cannot be written: {error.strerror}")
        sys.stdout.write("".join(f"{_over_the_bar()}{line} brought up to date\n" for line in stale))
    return None


def _over_the_bar() -> str:
    """Return what takes the progress bar off the line of a terminal; it is drawn again below."""
    drawn = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return "\r\x1b[K" if drawn else ""


def _replace(page: Path, before: bytes, after: bytes) -> None:
    """Write a page in one step, in the mode that it has; OSError if it changed meanwhile."""
    page = page.resolve()  # a link stays one
    fresh = page.with_name(f".{page.name}.{os.getpid()}")
    try:
        with fresh.open("xb") as stream:
            os.fchmod(stream.fileno(), stat.S_IMODE(page.stat().st_mode))
            stream.write(after)
        if page.read_bytes() != before:
            raise OSError(None, f"it was saved meanwhile; run: {COMMAND}")
        fresh.replace(page)
    finally:
        fresh.unlink(missing_ok=True)
