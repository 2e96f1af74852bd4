"""Pages with listings: what is filled, what is refused, and what CI says."""

import stat
from pathlib import Path

import pytest
from doit.exceptions import TaskError, TaskFailed

from pipeline.listing import Listing
from pipeline.markers import DIGEST_LENGTH
from pipeline.pages import fill
from tests.pipeline.doit_project import Project

A = Listing("first", "a.mg", ".mg", "mg")
B = Listing("second", "b.json")
BOTH = [A, B]
EMPTY = """\
# Title
<!-- listing: first -->
<!-- /listing -->
Between.
<!-- listing: second -->
<!-- /listing -->
"""
FILLED = """\
# Title
<!-- listing: first sha256:DIGEST -->

```mg
let a
```

<!-- /listing -->
Between.
<!-- listing: second sha256:DIGEST -->

| b |

<!-- /listing -->
"""


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    folder = Path("generated/listings")
    folder.mkdir(parents=True)
    (folder / "first.mg").write_text("let a\n")
    (folder / "second.md").write_text("| b |\n")
    written = tmp_path / "page.md"
    written.write_text(EMPTY)
    return written


def without_digests(text: str) -> str:
    before, *after = text.split("sha256:")
    return before + "".join(f"sha256:DIGEST{part[DIGEST_LENGTH:]}" for part in after)


def refused(page: str | None = None) -> list[str]:
    if page is not None:
        Path("page.md").write_text(page)
    before = Path("page.md").read_bytes()
    result = fill(BOTH, ["page.md"])
    assert isinstance(result, TaskFailed)
    assert Path("page.md").read_bytes() == before
    return result.message.splitlines()


def test_an_empty_place_is_filled(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fill(BOTH, ["page.md"]) is None
    assert without_digests(page.read_text()) == FILLED
    assert capsys.readouterr().out == (
        "page.md:2: listing 'first' brought up to date\n"
        "page.md:5: listing 'second' brought up to date\n"
    )


def test_on_a_terminal_the_bar_gives_way_to_what_was_filled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    fill(BOTH, ["page.md"])
    assert capsys.readouterr().out.startswith("\r\x1b[Kpage.md:2: listing 'first'")


def test_a_page_that_is_current_is_left_alone(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(BOTH, ["page.md"])
    capsys.readouterr()
    before = page.stat()
    assert fill(BOTH, ["page.md"]) is None
    assert (page.stat().st_ino, page.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert capsys.readouterr().out == ""


def test_only_what_is_stale_is_rewritten(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(BOTH, ["page.md"])
    capsys.readouterr()
    Path("generated/listings/second.md").write_text("| c |\n")
    assert fill(BOTH, ["page.md"]) is None
    assert without_digests(page.read_text()) == FILLED.replace("| b |", "| c |")
    assert capsys.readouterr().out == "page.md:10: listing 'second' brought up to date\n"


def test_an_edit_by_hand_is_refused_until_it_is_discarded(page: Path) -> None:
    fill(BOTH, ["page.md"])
    edited = page.read_text().replace("let a", "let z")
    [line] = refused(edited)
    assert line.startswith("page.md:2: listing 'first' was edited by hand; ")
    assert line.endswith("delete the lines between its marks and run: doit listings")
    page.write_text(edited.replace("\n```mg\nlet z\n```\n", ""))
    assert fill(BOTH, ["page.md"]) is None
    assert without_digests(page.read_text()) == FILLED


def test_an_edit_is_told_from_a_stale_text(page: Path) -> None:
    """Even where both have happened to one page, and then neither is written."""
    fill(BOTH, ["page.md"])
    Path("generated/listings/second.md").write_text("| c |\n")
    [line] = refused(page.read_text().replace("let a", "let z"))
    assert "'first' was edited by hand" in line


def test_text_in_a_place_that_was_never_filled_is_not_thrown_away() -> None:
    [line] = refused(EMPTY.replace("-->\n<!-- /", "-->\nmine\n<!-- /", 1))
    assert line.startswith("page.md:2: listing 'first' was edited by hand")


def test_the_right_text_with_the_wrong_digest_is_only_stale(page: Path) -> None:
    fill(BOTH, ["page.md"])
    good = page.read_text()
    page.write_text(good.replace("sha256:", "sha256:0", 1))
    assert fill(BOTH, ["page.md"]) is None
    assert page.read_text() == good


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "listing: first",
            "listing: firts",
            "page.md:2: there is no listing 'firts'; did you mean 'first'?",
        ),
        (
            "listing: first",
            "listing: zzz",
            "page.md:2: there is no listing 'zzz'; there are first, second",
        ),
        (
            "<!-- /listing -->\nBetween.",
            "Between.",
            (
                "page.md:4: listing 'second' starts inside 'first', which starts on line 2; "
                "end that one first: <!-- /listing -->"
            ),
        ),
        (
            "<!-- /listing -->\nBetween.\n<!-- listing: second -->\n<!-- /listing -->",
            "",
            "page.md:2: listing 'first' has no end; add <!-- /listing -->",
        ),
        (
            "Between.",
            "<!-- /listing -->",
            "page.md:4: this ends a listing, but none has started",
        ),
        (
            "Between.",
            "  <!-- listing:second-->",
            (
                "page.md:4: '<!-- listing:second-->' is no mark; write `<!-- listing: NAME -->` "
                "or `<!-- /listing -->` on a line of its own"
            ),
        ),
        (
            "<!-- listing: second -->\n<!-- /listing -->\n",
            "",
            (
                "no page shows listing 'second'; add `<!-- listing: second -->` and "
                "`<!-- /listing -->` to one of page.md"
            ),
        ),
    ],
)
def test_a_mistake_in_the_marks(old: str, new: str, message: str) -> None:
    assert old in EMPTY
    assert refused(EMPTY.replace(old, new)) == [message]


def test_marks_in_code_are_text(page: Path) -> None:
    block = "~~~\n<!-- listing: nothing -->\n```\n~~~\n"
    example = f"```inline``` code\n{block}Write `<!-- listing: NAME -->`.\n"
    page.write_text(example + EMPTY)
    assert fill(BOTH, ["page.md"]) is None
    assert without_digests(page.read_text()) == example + FILLED


def test_a_page_may_lie_elsewhere_and_keeps_its_mode_and_its_line_ends(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    book = tmp_path_factory.mktemp("book")
    chapter, link = book / "chapter.md", book / "link.md"
    chapter.write_bytes(EMPTY.replace("\n", "\r\n").encode())
    chapter.chmod(0o640)
    link.symlink_to(chapter)
    assert fill(BOTH, [str(link)]) is None
    text = chapter.read_bytes().decode()
    assert without_digests(text) == FILLED.replace("\n", "\r\n")
    assert stat.S_IMODE(chapter.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(book.iterdir()) == [chapter, link]
    assert fill(BOTH, [str(link)]) is None
    assert chapter.read_bytes().decode() == text


def test_nothing_is_written_if_one_of_the_pages_is_wrong() -> None:
    Path("other.md").write_text("<!-- listing: first -->\n")
    result = fill(BOTH, ["page.md", "other.md"])
    assert isinstance(result, TaskFailed)
    assert Path("page.md").read_text() == EMPTY


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "the page absent.md cannot be read: "), (b"a\n\xff\n", "absent.md:2: this line is")],
)
def test_a_page_that_cannot_be_read(content: bytes | None, message: str) -> None:
    if content is not None:
        Path("absent.md").write_bytes(content)
    result = fill(BOTH, ["absent.md"])
    assert isinstance(result, TaskFailed if content else TaskError)
    assert result.message.startswith(message)


def test_a_page_that_was_saved_meanwhile_is_kept(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = EMPTY + "saved\n"
    monkeypatch.setattr("pipeline.pages.filled", lambda *_: page.write_text(fresh) and "lost")
    result = fill(BOTH, ["page.md"])
    assert isinstance(result, TaskError)
    assert "it was saved meanwhile; run: doit listings" in result.message
    assert page.read_text() == fresh
    assert [path.name for path in page.parent.iterdir()] == ["generated", "page.md"]


def test_ci_fails_where_a_listing_is_stale_and_writes_nothing(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(BOTH, ["page.md"])
    monkeypatch.setenv("CI", "true")
    assert fill(BOTH, ["page.md"]) is None
    Path("generated/listings/second.md").write_text("| c |\n")
    assert refused(page.read_text()) == [
        "page.md:10: listing 'second' is stale",
        "run: doit listings",
    ]


TASKS = """
from pipeline.listing import Listing, index, write_copy
from pipeline.pages import filling

LISTINGS = [Listing("text", "a.txt", ".txt", "text")]

def task_listing():
    for each in LISTINGS:
        yield one(name=each.task, make=write_copy, inputs=(each.source,), targets=each.files,
                  config={"section": ""})
    yield artifact(index(LISTINGS))

def task_listings():
    yield filling(LISTINGS, ["docs/page.md"])
"""


@pytest.mark.parametrize("jobs", ["0", "2"])
def test_the_task_fills_a_page_whose_source_changed(project: Project, jobs: str) -> None:
    project.dodo(TASKS)
    project.write("a.txt", "one")
    project.write("docs/page.md", "<!-- listing: text -->\n<!-- /listing -->\n")
    line = "docs/page.md:1: listing 'text' brought up to date\n"
    assert line in project.doit("-n", jobs, "listings")
    assert "```text\none\n```" in project.read("docs/page.md")
    assert '"task": "listing:text"' in project.read("generated/listings/index.json")
    assert line not in project.doit("-n", jobs, "listings")
    project.write("a.txt", "two")
    assert line in project.doit("-n", jobs, "listings")
    assert "```text\ntwo\n```" in project.read("docs/page.md")
    project.write("docs/page.md", project.read("docs/page.md").replace("two", "three"))
    assert "was edited by hand" in project.doit("-n", jobs, "listings", status=1)
