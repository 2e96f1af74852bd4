"""The mistakes a pipeline.yaml can have, beyond those of any settings file."""

from pathlib import Path

import pytest

from pipeline.config import ConfigError, load
from stages.schema import Pipeline, Program

GOOD = """\
version: 1
programs:
  - name: worked
    source: examples/worked.mg
    wrt: [w, x]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("examples").mkdir()
    Path("examples/worked.mg").write_text("")


def read(text: str) -> Pipeline:
    Path("pipeline.yaml").write_text(text)
    return load(Path("pipeline.yaml"), Pipeline)


def test_a_good_file() -> None:
    assert read(GOOD) == Pipeline(1, (Program("worked", ("w", "x"), "examples/worked.mg"),))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version: 1", "version: 2", "1:10: 'version' is 2; this project reads version 1"),
        (
            "name: worked",
            "name: a/b",
            ("3:11: 'name' is 'a/b'; it names files, so only letters, digits and _ may be in it"),
        ),
        (
            "/worked.mg",
            "/workd.mg",
            (
                "4:13: 'source' is 'examples/workd.mg', which is no file;"
                " did you mean 'examples/worked.mg'?"
            ),
        ),
        (
            "examples/worked.mg",
            "nowhere/a.mg",
            ("4:13: 'source' is 'nowhere/a.mg', which is no file"),
        ),
        ("[w, x]", "[w, 1x]", "5:14: 'wrt[1]' is '1x', which cannot be the name of a let"),
        ("[w, x]", "[w, x, w]", "5:10: 'wrt' names w twice"),
        ("[w, x]", "[]", "5:10: 'wrt' is empty; name at least one let"),
        ("[w, x]", "w, x", "5:10: 'wrt' must be a list, got the text 'w, x'; write [w, x]"),
        (
            "source: examples/worked.mg",
            "loss: 1",
            (
                "3:5: 'programs[0]' needs either 'source', a file, or 'chapter', a chapter program "
                "to copy it out of"
            ),
        ),
        (
            "source: examples/worked.mg",
            "chapter: ch33_attention",
            (
                "3:5: 'programs[0]' has a 'chapter' but not 'in_book', the pattern of its file in "
                "the book's repository"
            ),
        ),
        ("wrt: [w, x]", "wrt: [w]\n    loss: -1", "6:11: 'loss' is -1; prints are counted from 0"),
        ("version: 1", "version: 1\nbook: absent", "2:7: 'book' is 'absent', which is no folder"),
        (
            "version: 1",
            "version: 1\ncompiler: absent",
            "2:11: 'compiler' is 'absent', which is no program that can be run; give its path",
        ),
        (
            "programs:",
            "programs:\n  - {name: worked, source: examples/worked.mg, wrt: [w]}",
            "4:11: 'name' worked is used on line 3 already",
        ),
    ],
)
def test_a_mistake(old: str, new: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(GOOD.replace(old, new))
    assert caught.value.report.splitlines()[0] == f"pipeline.yaml:{message}"


def test_the_repository_has_a_good_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    names = [program.name for program in load(Path("pipeline.yaml"), Pipeline).programs]
    assert "00_worked_example" in names
