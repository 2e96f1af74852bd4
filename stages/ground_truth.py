"""The ground truth: chapter programs from their generator, and the programs copied out of them."""

import sys
from pathlib import Path

from doit.exceptions import InvalidTask

from pipeline.spec import Artifact, Command
from stages.schema import Program

SECONDS = 60


def chapter(name: str) -> Artifact:
    """Write a chapter program from its mathematics and data."""
    target = _chapter_file(name)
    return Artifact(
        name=f"chapter:{name}",
        doc=f"Write {target}.",
        make=Command(
            argv=(sys.executable, "-m", "ground_truth", "chapter", name),
            timeout=SECONDS,
            stdout=target,
        ),
        inputs=(),
        targets=(target,),
        code=("ground_truth", "mgc"),
    )


def excerpt(program: Program, book: str) -> Artifact:
    """Copy a program out of its chapter, or out of the book's repository if there is one."""
    folder, file = (
        (book, _in_book(program, book)) if book else (".", _chapter_file(program.chapter))
    )
    return Artifact(
        name=f"excerpt:{program.name}",
        doc=f"Copy {program.file} out of {file}.",
        make=Command(
            argv=(sys.executable, "-m", "ground_truth", "extract", program.name, folder, file),
            timeout=SECONDS,
            stdout=program.file,
        ),
        inputs=(str(Path(folder) / file),),
        targets=(program.file,),
        code=("ground_truth", "mgc"),
    )


def _chapter_file(name: str) -> str:
    return f"examples/chapters/{name}.mg"


def _in_book(program: Program, book: str) -> str:
    """Return the file of the book's repository, relative to it; InvalidTask unless there is one."""
    found = sorted(Path(book).glob(program.in_book))
    if len(found) == 1:
        return str(found[0].relative_to(book))
    what = ", ".join(map(str, found)) if found else "no file"
    message = (
        f"excerpt:{program.name}: {program.in_book} should match one file in {book}, not {what}"
    )
    raise InvalidTask(message)
