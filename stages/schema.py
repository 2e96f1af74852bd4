"""What pipeline.yaml may say."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from cost.limits import Limit
from pipeline.config import Unique

VERSION = 1
NAME = re.compile(r"[A-Za-z0-9_]+")
LISTING = re.compile(r"\w[\w.-]*")
LET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _is_known_version(version: int) -> str | None:
    return None if version == VERSION else f"is {version}; this project reads version {VERSION}"


def _is_file_name(name: str) -> str | None:
    if NAME.fullmatch(name):
        return None
    return f"is '{name}'; it names files, so only letters, digits and _ may be in it"


def _is_file(path: str) -> str | None:
    if Path(path).is_file():
        return None
    near = [str(each) for each in Path(path).parent.glob(f"*{Path(path).suffix}")]
    close = get_close_matches(path, near, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"is '{path}', which is no file{hint}"


def _is_let(name: str) -> str | None:
    return None if LET.fullmatch(name) else f"is '{name}', which cannot be the name of a let"


def _are_different(names: Sequence[str]) -> str | None:
    if not names:
        return "is empty; name at least one let"
    repeated = [name for name in names if names.count(name) > 1]
    return f"names {repeated[0]} twice" if repeated else None


def _is_folder(path: str) -> str | None:
    return None if Path(path).is_dir() else f"is '{path}', which is no folder"


def _is_command(path: str) -> str | None:
    if shutil.which(path):
        return None
    return f"is '{path}', which is no program that can be run; give its path"


def _is_print(number: int) -> str | None:
    return None if number >= 0 else f"is {number}; prints are counted from 0"


def _has_a_cost(program: "Program") -> str | None:
    if program.limits and not program.cost:
        return "has 'limits' but not 'cost: true', so nothing is measured"
    return None


def _has_one_origin(program: "Program") -> str | None:
    if bool(program.source) == bool(program.chapter):
        return "needs either 'source', a file, or 'chapter', a chapter program to copy it out of"
    if program.chapter and not program.in_book:
        return "has a 'chapter' but not 'in_book', the pattern of its file in the book's repository"
    return None


@dataclass(frozen=True)
class Program:
    """A program to differentiate, and the lets to differentiate it with respect to.

    It is a file, `source`, or is copied out of a chapter program, `chapter`; `in_book` is the
    pattern of the file that it is copied out of instead where there is a checkout of the book's
    repository. `loss` is the number of the print that is the loss, counted from 0.
    """

    name: Annotated[str, _is_file_name]
    wrt: Annotated[tuple[Annotated[str, _is_let], ...], _are_different]
    source: Annotated[str, _is_file] = ""
    chapter: Annotated[str, _is_file_name] = ""
    in_book: str = ""
    loss: Annotated[int, _is_print] = 0
    cost: bool = False
    limits: tuple[Limit, ...] = ()

    @property
    def file(self) -> str:
        """The program's file, which doit makes if it is copied."""
        return self.source or f"examples/{self.name}.mg"


def _is_listing_name(name: str) -> str | None:
    if LISTING.fullmatch(name):
        return None
    return f"is '{name}'; it names files, so only letters, digits, _ . and - may be in it"


@dataclass(frozen=True)
class Section:
    """A listing that is a named section of a file; `language` is what its fence says."""

    name: Annotated[str, _is_listing_name]
    file: Annotated[str, _is_file]
    section: Annotated[str, _is_listing_name]
    language: str


def _are_different_pages(pages: Sequence[str]) -> str | None:
    """A page that is named twice would be filled twice."""
    repeated = [page for page in pages if pages.count(page) > 1]
    return f"names {repeated[0]} twice" if repeated else None


@dataclass(frozen=True)
class Listings:
    """What a book shows: the `pages` to keep in step, here or elsewhere; nothing without any."""

    pages: Annotated[tuple[Annotated[str, _is_file], ...], _are_different_pages] = ()
    sections: Annotated[tuple[Section, ...], Unique("name")] = ()


@dataclass(frozen=True)
class Pipeline:
    """The whole file.

    `chapters` are the chapter programs to write; `book` is a checkout of the book's repository to
    copy out of instead; `compiler` is an mgc command to use in place of the bundled one;
    `listings` says which pages show what was made.
    """

    version: Annotated[int, _is_known_version]
    programs: Annotated[
        tuple[Annotated[Program, _has_one_origin, _has_a_cost], ...], Unique("name")
    ]
    chapters: tuple[Annotated[str, _is_file_name], ...] = ()
    book: Annotated[str, _is_folder] = ""
    compiler: Annotated[str, _is_command] = ""
    listings: Listings = Listings()
