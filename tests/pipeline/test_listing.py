"""Listings: sections, tables and the index."""

import json
from pathlib import Path

import pytest

from pipeline.errors import MakeError
from pipeline.listing import Listing, index, section, tidy, write_copy, write_index, write_table
from pipeline.spec import Job

SOURCE = """\
first
    # --8<-- [start:inner]
    def f(x):
        # --8<-- [start:body]
        return x
        # --8<-- [end:body]
    # --8<-- [end:inner]
last
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def job(inputs: tuple[str, ...] = (), config: dict[str, object] | None = None) -> Job:
    return Job(inputs, (Path("out.md"), Path("out.txt")), config or {}, Path("log"))


def test_a_section_is_dedented_and_without_the_marks_of_others() -> None:
    assert section("a.py", SOURCE, "inner") == "def f(x):\n    return x"
    assert section("a.py", SOURCE, "body") == "return x"


@pytest.mark.parametrize(
    ("old", "new", "name", "message"),
    [
        ("first", "first", "bodi", "a.py has no section 'bodi'; did you mean 'body'?"),
        ("first", "first", "zzz", "a.py has no section 'zzz'; it has: body, inner"),
        (
            "last",
            "--8<-- [start:body]",
            "inner",
            "a.py:8: section 'body' starts on line 4 already",
        ),
        (
            "last",
            "--8<-- [end:body]",
            "inner",
            "a.py:8: section 'body' ends here but has not been started",
        ),
        (
            "# --8<-- [end:body]",
            "",
            "inner",
            "a.py:4: section 'body' has no end; add `[end:body]`",
        ),
    ],
)
def test_a_section_that_is_not_there_once_is_an_error(
    old: str, new: str, name: str, message: str
) -> None:
    with pytest.raises(MakeError) as caught:
        section("a.py", SOURCE.replace(old, new), name)
    assert str(caught.value) == message


def test_a_text_is_kept_without_what_an_editor_would_remove() -> None:
    assert tidy("\n  data = \n[[1]]\t\n\n\n") == "\n  data =\n[[1]]\n"


def test_a_text_with_the_folder_in_it_is_refused(folder: Path) -> None:
    with pytest.raises(MakeError, match="would name the folder"):
        tidy(f"error in {folder}/x.mg")


@pytest.mark.parametrize(("name", "text"), [("body", "return x\n"), ("", SOURCE)])
def test_a_file_is_copied_whole_or_in_part(name: str, text: str) -> None:
    Path("a.py").write_text(SOURCE)
    write_copy(Job(("a.py",), (Path("out.mg"),), {"section": name}, Path("log")))
    assert Path("out.mg").read_text() == text


def test_a_table_is_written_as_markdown_and_as_text() -> None:
    rows = [["`x * y`,\nas it is", "_a_|<b>", "1,024"], ["a_b & [c]", "", " 3e-10"]]
    write_table(job(), ("what", "plain", "size"), rows)
    assert Path("out.md").read_text() == (
        "| what | plain | size |\n"
        "| --- | --- | --: |\n"
        "| `x * y`,<br>as it is | \\_a\\_\\|&lt;b> | 1,024 |\n"
        "| a_b &amp; \\[c\\] |  | 3e-10 |\n"
    )
    lines = Path("out.txt").read_text().splitlines()
    assert [line.split() for line in lines if "─" not in line] == [
        ["out"],
        [],
        ["what", "plain", "size"],
        ["x", "*", "y,", "_a_|<b>", "1,024"],
        ["as", "it", "is"],
        ["a_b", "&", "[c]", "3e-10"],
    ]


def test_a_text_is_shown_in_a_fence_longer_than_its_own(folder: Path) -> None:
    listing = Listing("a", "a.md", ".md", "markdown")
    (folder / "generated/listings").mkdir(parents=True)
    Path(listing.files[0]).write_text("```\nx\n```\n")
    assert listing.block() == "````markdown\n```\nx\n```\n````\n"


def test_a_table_is_shown_as_it_is() -> None:
    table = Listing("a", "a.json")
    assert table.files == ("generated/listings/a.md", "generated/listings/a.txt")
    Path("generated/listings").mkdir(parents=True)
    Path(table.files[0]).write_text("| a |\n")
    assert table.block() == "| a |\n"


def test_the_index_lists_every_file() -> None:
    Path("generated/listings").mkdir(parents=True)
    Path("generated/listings/a.mg").write_text("let a\nprint a\n")
    spec = index([Listing("a", "a.mg", ".mg", "mg")])
    write_index(Job(spec.inputs, (Path("index.json"),), spec.config, Path("log")))
    assert json.loads(Path("index.json").read_text()) == [
        {
            "name": "a",
            "file": "generated/listings/a.mg",
            "sha256": "180e699f1cc3532b3555ca89ca19bc4197ce7bf4e245d84dfc42a0a42154410a",
            "lines": 2,
            "source": "a.mg",
            "task": "listing:a",
        }
    ]
