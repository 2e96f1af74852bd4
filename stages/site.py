"""The site: README.md, CONTRIBUTING.md and docs/ as pages to read in a browser.

mkdocs writes a folder, and what is in it is mkdocs' to say; so the artifact is an archive of it,
the same for the same pages, and `site` unpacks that.
"""

import io
import json
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from pipeline.errors import MakeError
from pipeline.layout import BUILD, ROOMS
from pipeline.markers import PageError, places
from pipeline.process import run
from pipeline.spec import Artifact, Job

SECONDS = 300
SETTINGS = "mkdocs.yml"
VERSIONS = "requirements.lock"
ARCHIVE = str(BUILD / "site.zip")
FOLDER = BUILD / "site"
STYLE = "docs/site.css"
FIRST, LAST = "README.md", "CONTRIBUTING.md"
DECISIONS = "docs/adr/"

# The date goes into the pages; the notice about mkdocs' future goes nowhere that anybody reads.
ENVIRONMENT = ("SOURCE_DATE_EPOCH=0", "NO_MKDOCS_2_WARNING=1", "LC_ALL=C.UTF-8")


def pages() -> list[str]:
    """Return the files of the pages, in the order of the navigation."""
    docs = sorted(map(str, Path("docs").glob("*.md")))
    decisions = sorted(map(str, Path(DECISIONS).glob("*.md")))
    decisions.sort(key=lambda page: Path(page).name != "README.md")
    return [FIRST, *docs, LAST, *decisions]


def archive() -> Artifact:
    """Build the site."""
    return Artifact(
        name="archive:site",
        doc=f"Build the pages of docs/, and put them into {ARCHIVE}.",
        make=write_archive,
        inputs=(SETTINGS, VERSIONS, STYLE, *pages()),
        targets=(ARCHIVE,),
        code=("pipeline",),
    )


def unpacking() -> dict[str, object]:
    """Return the task that lays the site out in its folder."""
    return {
        "basename": "site",
        "doc": f"Build the site in {FOLDER}, to be opened at index.html.",
        "actions": [(unpack, [])],
        "file_dep": [ARCHIVE],
        "uptodate": [False],
    }


def write_archive(job: Job) -> None:
    """Make the target of `archive`; MakeError for a broken link or a listing that is not there."""
    settings, _, style, *files = job.inputs
    require_listings(files)
    with tempfile.TemporaryDirectory(prefix="site-") as name:
        folder = Path(name)
        for file in (style, *files):
            (folder / "pages" / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / "pages" / file)
        navigation = json.dumps(navigated(files))
        (folder / SETTINGS).write_text(f"{Path(settings).read_text()}\nnav: {navigation}\n")
        _build(folder, job.log)
        job.targets[0].write_bytes(packed(folder / "site"))


def require_listings(files: Iterable[str]) -> None:
    """Raise MakeError, with file and line, for a place without its listing."""
    for file in files:
        text = Path(file).read_text()
        lines = text.split("\n")
        try:
            found = places(file, text)
        except PageError as error:
            raise MakeError(str(error).splitlines()[0]) from error
        for place in found:
            if not any(lines[place.start : place.end - 1]):
                message = f"{file}:{place.start}: listing '{place.name}' is not filled in"
                raise MakeError(f"{message}; run: doit listings")


def navigated(files: Sequence[str]) -> Sequence[object]:
    """Return mkdocs' navigation: a page by the name of its file, a decision by its own title."""
    plain = [
        {"Overview" if file == FIRST else Path(file).stem.replace("-", " ").capitalize(): file}
        for file in files
        if not file.startswith(DECISIONS)
    ]
    decisions = [file for file in files if file.startswith(DECISIONS)]
    return [*plain, {"Decisions": decisions}] if decisions else plain


def _build(folder: Path, log: Path) -> None:
    # Not --quiet: it would keep the warnings from being counted, and --strict counts them.
    command = (sys.executable, "-m", "mkdocs", "build", "--strict")
    where = ("--config-file", str(folder / SETTINGS), "--site-dir", str(folder / "site"))
    try:
        run(["env", *ENVIRONMENT, *command, *where], log, SECONDS)
    except MakeError as error:
        warnings = [line for line in log.read_text().splitlines() if line.startswith("WARNING")]
        message = warnings[0].partition("-")[2].strip() if warnings else str(error)
        raise MakeError(message) from error


def packed(folder: Path) -> bytes:
    """Return an archive of a folder's files that depends on their names and bytes alone."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archived:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())  # dated 1980
            archived.writestr(entry, path.read_bytes())
    return content.getvalue()


def unpack() -> None:
    """Replace the folder of the site by what is in the archive; the action of `site`."""
    room = ROOMS / "site"
    shutil.rmtree(room, ignore_errors=True)
    with zipfile.ZipFile(ARCHIVE) as archived:
        archived.extractall(room)
    shutil.rmtree(FOLDER, ignore_errors=True)
    room.replace(FOLDER)
