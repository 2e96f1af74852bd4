"""Listings: texts that a book shows, each kept in files of its own and listed in an index.

A listing is a whole file, a named section of one, or a text or table that a stage makes. A section
lies between two comments of its file, `--8<-- [start:NAME]` and `--8<-- [end:NAME]`.
"""

import io
import json
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import cast

from pipeline.digest import file_digest
from pipeline.errors import MakeError
from pipeline.spec import Artifact, Job
from pipeline.table import print_table

FOLDER = "generated/listings"
INDEX = f"{FOLDER}/index.json"
SECTION = re.compile(r"--8<-- \[(start|end):([\w.-]+)\]")
NUMBER = re.compile(r"\s*([-+]?[\d,.]+(e[-+]?\d+)?)?\s*")
SPECIAL = re.compile(r"[\\*\[\]|]|(?<!\w)_|_(?!\w)")
BACKTICKS = re.compile(r"`{3,}")


@dataclass(frozen=True)
class Listing:
    """What a page may show under a name; `source` tells a reader of the index where it is from.

    A text has a `suffix` and a `language`, which is written behind its fence. A table has neither:
    it is kept as Markdown, which is what a page shows, and as plain text.
    """

    name: str
    source: str
    suffix: str = ""
    language: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The files that hold it; the first is the one that pages show."""
        suffixes = (self.suffix,) if self.suffix else (".md", ".txt")
        return tuple(f"{FOLDER}/{self.name}{suffix}" for suffix in suffixes)

    @property
    def task(self) -> str:
        """The task that writes the files."""
        return f"listing:{self.name}"

    def block(self) -> str:
        """Return the Markdown that shows it, from its file."""
        text = Path(self.files[0]).read_text()
        if not self.suffix:
            return text
        fence = max(["``", *BACKTICKS.findall(text)], key=len) + "`"
        return f"{fence}{self.language}\n{text}{fence}\n"


def tidy(text: str) -> str:
    """Return a text without blanks at the ends of lines, which editors of pages remove.

    It ends in one newline. Raises MakeError for a text that names the folder of this checkout.
    """
    if (here := str(Path.cwd())) in text:
        message = f"the listing would name the folder {here}, which is another one elsewhere"
        raise MakeError(message)
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")) + "\n"


def section(file: str, text: str, name: str) -> str:
    """Return a named section of a file's text, dedented and without the marks of other sections.

    Raises MakeError, with the line, for a section that is not there, is there twice, or is not
    closed, and for an end without a start.
    """
    lines = text.split("\n")
    places = _sections(file, lines)
    if name not in places:
        close = get_close_matches(name, places, n=1)
        known = f"did you mean '{close[0]}'?" if close else f"it has: {', '.join(places) or 'none'}"
        message = f"{file} has no section '{name}'; {known}"
        raise MakeError(message)
    inside = [line for line in lines[places[name]] if not SECTION.search(line)]
    return textwrap.dedent("\n".join(inside))


def _sections(file: str, lines: Sequence[str]) -> dict[str, slice]:
    """Map the name of each section to its lines, those of the marks left out."""
    starts: dict[str, int] = {}
    places: dict[str, slice] = {}
    for number, line in enumerate(lines, start=1):
        for which, name in SECTION.findall(line):
            if which == "start" and name in starts:
                message = f"{file}:{number}: section '{name}' starts on line {starts[name]} already"
                raise MakeError(message)
            if which == "end" and (name not in starts or name in places):
                message = f"{file}:{number}: section '{name}' ends here but has not been started"
                raise MakeError(message)
            if which == "start":
                starts[name] = number
            else:
                places[name] = slice(starts[name], number - 1)
    for name in starts.keys() - places.keys():
        message = f"{file}:{starts[name]}: section '{name}' has no end; add `[end:{name}]`"
        raise MakeError(message)
    return places


def write_copy(job: Job) -> None:
    """Write the file that is the job's input, or the `section` of it that its settings name."""
    [file] = job.inputs
    text = Path(file).read_text()
    name = str(job.config["section"])
    job.targets[0].write_text(tidy(section(file, text, name) if name else text))


def write_table(job: Job, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table as Markdown and as plain text, the job's two targets.

    What stands between backticks in a cell is set as code, the rest as it is. A cell may have
    several lines.
    """
    markdown, plain = job.targets
    markdown.write_text(tidy(_markdown(columns, rows)))
    stream = io.StringIO()
    without_backticks = [[cell.replace("`", "") for cell in row] for row in rows]
    print_table(stream, Path(plain).stem, columns, without_backticks)
    plain.write_text(tidy(stream.getvalue()))


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; columns of numbers are set to the right."""
    rules = [
        "--:" if all(NUMBER.fullmatch(row[at]) for row in rows) else "---"
        for at in range(len(columns))
    ]
    return "".join(f"{_line(row)}\n" for row in [columns, rules, *map(_escaped, rows)])


def _line(cells: Sequence[str]) -> str:
    on_a_line = ("<br>".join(cell.strip().split("\n")) for cell in cells)
    return f"| {' | '.join(on_a_line)} |"


def _escaped(cells: Sequence[str]) -> list[str]:
    """Keep Markdown from reading anything into the text of cells."""
    return [
        "`".join(_escaped_part(part, number) for number, part in enumerate(cell.split("`")))
        for cell in cells
    ]


def _escaped_part(part: str, number: int) -> str:
    """Escape a part of a cell between two backticks, of which those with odd numbers are code."""
    if number % 2:
        return part.replace("|", r"\|")
    return SPECIAL.sub(r"\\\g<0>", part.replace("&", "&amp;").replace("<", "&lt;"))


def index(listings: Sequence[Listing]) -> Artifact:
    """List the listings, for a book that takes them from here."""
    return Artifact(
        name="listing:index",
        doc=f"Write {INDEX}.",
        make=write_index,
        inputs=tuple(file for listing in listings for file in listing.files),
        targets=(INDEX,),
        config={
            "listings": [
                [listing.name, file, listing.source, listing.task]
                for listing in listings
                for file in listing.files
            ]
        },
    )


def write_index(job: Job) -> None:
    """Make the target of `index`."""
    rows = [
        {
            "name": name,
            "file": file,
            "sha256": file_digest(file),
            "lines": len(Path(file).read_text().splitlines()),
            "source": source,
            "task": task,
        }
        for name, file, source, task in cast(
            "Sequence[tuple[str, str, str, str]]", job.config["listings"]
        )
    ]
    job.targets[0].write_text(f"{json.dumps(rows, indent=1)}\n")
