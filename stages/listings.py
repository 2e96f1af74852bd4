"""The listings stage: what the book's chapter on automatic differentiation shows, from artifacts.

`listings` says what there is. The programs that the chapter walks through are named here; where
they are, and with respect to what they are differentiated, is in pipeline.yaml.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from doit.exceptions import InvalidTask

from pipeline import listing
from pipeline.layout import BUILD
from pipeline.listing import Listing, write_copy
from pipeline.spec import Artifact, Command
from stages import checks, cost, listing_commands, listing_tables, mutants
from stages.schema import Pipeline, Program

WORKED = "00_worked_example"
COMPARED = "h34_layer_norm"
DESCENDED = "h33_attention"
LARGEST = "h35_transformer_step1"

STEPS = 10
RATE = 3.0
SECONDS = 60

RULES = "autograd/rules.py"
PROGRAM = ".mg", "mg"
PRINTED = ".out", "text"


def listings(pipeline: Pipeline) -> list[Listing]:
    """Return the listings, in the order of the index; none if no page is to show any."""
    return [each for each, _ in _made(pipeline)]


def artifacts(pipeline: Pipeline) -> list[Artifact]:
    """Return what makes the listings, and their index.

    Raises InvalidTask if pipeline.yaml has no entry for a program that is shown.
    """
    made = _made(pipeline)
    return [*(spec for _, spec in made), listing.index(listings(pipeline))] if made else []


def descent(pipeline: Pipeline) -> list[Artifact]:
    """Return what writes the program that descends; nothing if no page is to show its losses."""
    if not pipeline.listings.pages:
        return []
    program = _program(pipeline, DESCENDED)
    target = _descent_file()
    options = ("--wrt", ",".join(program.wrt), "--loss", str(program.loss))
    descends = ("--descend", str(STEPS), "--lr", str(RATE))
    return [
        Artifact(
            name=f"descent:{DESCENDED}",
            doc=f"Write {target}, which takes {STEPS} steps at {RATE} of {program.file}.",
            make=Command(
                argv=(sys.executable, "-m", "autograd", program.file, *options, *descends),
                timeout=SECONDS,
                stdout=target,
            ),
            inputs=(program.file,),
            targets=(target,),
            code=("autograd", "mgc"),
        )
    ]


def _descent_file() -> str:
    return str(BUILD / "listings" / f"{DESCENDED}_descent.mg")


def _made(pipeline: Pipeline) -> list[tuple[Listing, Artifact]]:
    """Pair each listing with what makes it."""
    if not pipeline.listings.pages:
        return []
    return [*_copies(pipeline), *_tables(pipeline), *_commands(pipeline)]


def _copies(pipeline: Pipeline) -> list[tuple[Listing, Artifact]]:
    """Return the listings that are a file, or a section of one."""
    worked = _program(pipeline, WORKED).file
    files = [
        Listing("worked-example", worked, *PROGRAM),
        Listing("worked-example-gradient", f"generated/{WORKED}_grad.mg", *PROGRAM),
        Listing("worked-example-output", f"generated/{WORKED}_grad.out", *PRINTED),
    ]
    sections = [
        (Listing(each.name, each.file, Path(each.file).suffix, each.language), each.section)
        for each in pipeline.listings.sections
    ]
    return [
        (each, _copy(each, name)) for each, name in [*((file, "") for file in files), *sections]
    ]


def _copy(each: Listing, section: str) -> Artifact:
    return Artifact(
        name=each.task,
        doc=f"Copy {f'section {section} of ' if section else ''}{each.source}.",
        make=write_copy,
        inputs=(each.source,),
        targets=each.files,
        config={"section": section},
    )


def _tables(pipeline: Pipeline) -> list[tuple[Listing, Artifact]]:
    """Return the listings that are tables: of the rules, of the reports, and of what is run."""
    largest = _program(pipeline, LARGEST)
    texts = (largest.file, f"generated/{LARGEST}_grad.mg")
    wrt = {"wrt": list(largest.wrt), "loss": largest.loss}
    tables = listing_tables
    rows = [
        _table("rules", RULES, tables.write_rules),
        _table("check", checks.REPORT, tables.write_check),
        _table("mutate", mutants.REPORTS[0], tables.write_mutate),
        _table("mutate-score", mutants.REPORTS[0], tables.write_score),
        _table("cost", cost.REPORT[0], tables.write_cost),
        _table("descent", _descent_file(), tables.write_descent),
    ]
    sized, size = _table("transformer-size", largest.file, tables.write_size)
    return [*rows, (sized, replace(size, inputs=texts, config=wrt))]


def _table(name: str, source: str, make: "listing_tables.Maker") -> tuple[Listing, Artifact]:
    table = Listing(name, source)
    spec = Artifact(
        name=table.task,
        doc=f"Write {' and '.join(table.files)}, from {source}.",
        make=make,
        inputs=(source,),
        targets=table.files,
        code=("pipeline", "stages", "autograd", "mgc", "cost"),
    )
    return table, spec


def _commands(pipeline: Pipeline) -> list[tuple[Listing, Artifact]]:
    """Return the listings that are commands with what they print."""
    needed = (_program(pipeline, WORKED).file, _program(pipeline, COMPARED).file)
    return [
        (each, _transcript(each, commands, needed))
        for name, commands in listing_commands.TRANSCRIPTS.items()
        for each in [Listing(name, "commands", ".txt", "text")]
    ]


def _transcript(
    each: Listing, commands: Sequence[tuple[str, int]], needed: Sequence[str]
) -> Artifact:
    return Artifact(
        name=each.task,
        doc=f"Run {'; '.join(command for command, _ in commands)}.",
        make=listing_commands.write_transcript,
        inputs=tuple(needed),
        targets=each.files,
        code=("pipeline", "stages", "autograd", "mgc"),
        config={"commands": [list(command) for command in commands]},
    )


def _program(pipeline: Pipeline, name: str) -> Program:
    for program in pipeline.programs:
        if program.name == name:
            return program
    message = f"the listings show {name}, but pipeline.yaml names no such program; add it"
    raise InvalidTask(message)
