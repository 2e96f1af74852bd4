"""The listings of the book's chapter: what each is made of, and that what is committed is fresh."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from doit.exceptions import InvalidTask

from autograd import rules
from autograd.rule_table import Cotangents, Refused, Rule, Zero
from mgc import ops
from pipeline.config import ConfigError, load
from pipeline.errors import MakeError
from pipeline.pages import fill
from pipeline.spec import Artifact, Command, Job
from stages import listing_commands, listing_tables
from stages.listings import artifacts, descent, listings
from stages.schema import Listings, Pipeline, Program
from tests.conftest import ROOT


def d_two(ct: float, x: float) -> tuple[float, float]:
    """2 x: twice the same; not this."""
    half = ct / 2
    both = half + x
    return both * half, -ct


def d_loop(ct: float) -> float:
    """2 x."""
    for _ in range(2):
        ct += 1
    return ct


def d_bare(ct: float) -> float:
    return ct


def row_of(op: ops.Op, function: Callable[..., object]) -> list[str]:
    rule: Callable[..., Cotangents] = function  # type: ignore[assignment] - a stand-in
    return listing_tables.rule_row(op, Rule(rule, ()))


def test_a_row_of_the_rules_is_what_the_rule_says() -> None:
    where = "where `both = half + x`,\n`half = ct / 2`"
    assert row_of(ops.MUL, d_two) == [
        "`mul`",
        "`2 x`:\ntwice the same; not this",
        f"`both * half`,\n{where}",
        f"`-ct`,\n{where}",
    ]


def test_an_operation_without_a_rule_says_why() -> None:
    row = listing_tables.rule_row
    assert row(ops.GE, Zero("it is flat"))[2:] == ["zero: it is flat", ""]
    assert row(ops.PERMUTE, Refused("of its axes"))[2:] == ["refused: of its axes", ""]


@pytest.mark.parametrize(
    ("op", "function", "message"),
    [
        (ops.NEG, d_loop, "d_loop of test_listings.py does more than assign and return"),
        (ops.NEG, d_bare, "d_bare of test_listings.py has no docstring"),
        (ops.NEG, d_two, "d_two of test_listings.py does not end in a return of 1 values"),
    ],
)
def test_a_rule_that_a_cell_cannot_show_is_an_error(
    op: ops.Op, function: Callable[..., object], message: str
) -> None:
    with pytest.raises(MakeError, match=message):
        row_of(op, function)


def test_every_operation_has_a_row() -> None:
    names = [listing_tables.rule_row(op, entry)[0] for op, entry in rules.VJPS.items()]
    assert names == [f"`{op.name}`" for op in ops.OPS]


def check(id_: str, program: str, worst: float, *, passed: bool = True) -> dict[str, object]:
    found = {"passed": passed, "elements": 600, "worst": worst, "tolerance": 1e-12}
    return {"id": id_, "title": f"{id_} holds", "program": program, **found}


def test_checks_are_added_up_and_the_nearest_to_failing_is_shown() -> None:
    report = {
        "checks": [
            check("a", "p", 3.14e-15),
            check("b", "kinks", 0.0),
            check("a", "q", 2.5e-12, passed=False),
        ]
    }
    assert listing_tables.check_rows(report) == [
        ["`a`", "a holds", "2 programs", "1,200", "2e-12", "1e-12", "1 failed"],
        ["`b`", "b holds", "kinks", "600", "0", "1e-12", "passed"],
    ]


def mutant(kind: str, status: str, killed_by: list[str], *, by_value: bool) -> dict[str, object]:
    found = {"status": status, "killed_by": killed_by, "by_value": by_value}
    return {"id": f"{kind}1", "title": "it is wrong", "kind": kind, **found}


SCORE = {"wrong": 3, "killed": 2, "by_value": 1, "by_refusal": 1, "by_crash": 0, "explained": 0}
MUTATE = {
    "baseline": "pass",
    "mutants": [
        mutant("hand", "killed", ["a", "b", "c", "d", "e"], by_value=True),
        mutant("hand", "killed", ["a"], by_value=False),
        mutant("hand", "survived", [], by_value=False),
        mutant("generated", "killed", ["a"], by_value=True),
        mutant("harmless", "survived", [], by_value=False),
    ],
    "score": {**SCORE, "by_kind": {"hand": SCORE}},
}


def test_mutants_by_hand_are_listed_and_all_are_counted() -> None:
    assert listing_tables.mutate_rows(MUTATE) == [
        ["`hand1`", "it is wrong", "caught by a value", "`a`, `b`, `c` and 2 more"],
        ["`hand1`", "it is wrong", "caught, by no value", "`a`"],
        ["`hand1`", "it is wrong", "survived", ""],
        ["`harmless1`", "(harmless) it is wrong", "passes, as it should", ""],
    ]
    numbers = ["3", "2", "1", "1", "0", "0"]
    assert listing_tables.score_rows(MUTATE) == [["hand", *numbers], ["all", *numbers]]


def test_a_run_that_ended_with_the_original_is_no_listing(tmp_path: Path) -> None:
    report = tmp_path / "mutate.json"
    report.write_text('{"baseline": "fail", "mutants": [], "score": {}}')
    job = Job((str(report),), (tmp_path / "a.md", tmp_path / "a.txt"), {}, tmp_path / "log")
    with pytest.raises(MakeError, match="autograd itself fails its checks; run: doit check"):
        listing_tables.write_mutate(job)


HEADER = "Unranked Memref base@ = 0x1 rank = 2 offset = 0 sizes = [1, 1] strides = [1, 1] data = \n"


def test_a_descent_is_shown_with_the_loss_on_both_sides_of_a_step() -> None:
    printed = "".join(f"{HEADER}[[{loss}]]\n" for loss in (2.0, 1.5, 1.234567891))
    assert listing_tables.descent_rows(printed) == [["1", "2", "1.5"], ["2", "1.5", "1.23457"]]


@pytest.mark.parametrize("printed", ["nothing", f"{HEADER}[[1]]\n", f"{HEADER}[[nan]]\n"])
def test_what_is_no_descent_is_an_error(printed: str) -> None:
    with pytest.raises(MakeError, match="the descent"):
        listing_tables.descent_rows(printed)


def test_the_size_of_a_program_counts_what_a_reader_counts() -> None:
    text = "# é let\ndef f() = [[1]]\nlet a = f()\nprint a\n"
    assert listing_tables.size_row("x", text) == ["x", "1", "1", "4", "45"]


def transcript(tmp_path: Path, commands: list[tuple[str, int]]) -> str:
    target = tmp_path / "transcript.txt"
    log = tmp_path / "log"
    config = {"commands": commands}
    listing_commands.write_transcript(
        Job(("examples/00_worked_example.mg",), (target,), config, log)
    )
    return target.read_text()


def test_commands_run_in_a_folder_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MGC", "/nowhere")
    commands = [("ls; echo $MGC$COLUMNS", 0), ("mgc run examples/00_worked_example.mg; false", 1)]
    assert transcript(tmp_path, commands) == (
        "$ ls; echo $MGC$COLUMNS\nbin\nexamples\n80\n"
        "$ mgc run examples/00_worked_example.mg; false\n"
        "Unranked Memref base@ = 0x… rank = 2 offset = 0 sizes = [1, 1] strides = [1, 1] data =\n"
        "[[26]]\n"
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("false", "`false` did not end with exit status 0; its output is in the log"),
        ("pwd", "a command prints the folder that it ran in, "),
    ],
)
def test_commands_that_make_no_listing(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(MakeError) as caught:
        transcript(tmp_path, [(command, 0)])
    assert str(caught.value).startswith(message)


SETTINGS = """\
version: 1
listings:
  pages: [page.md]
  sections:
    - {name: part, file: page.md, section: s, language: text}
programs: []
"""


def repository() -> Pipeline:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return load(Path("pipeline.yaml"), Pipeline)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("page.md]", "pag.md]", "3:11: 'pages[0]' is 'pag.md', which is no file; did you mean"),
        ("page.md]", "page.md, page.md]", "3:10: 'pages' names page.md twice"),
        ("name: part", "name: a/b", "5:14: 'name' is 'a/b'; it names files, so only letters"),
        ("file: page.md", "file: x.md", "5:26: 'file' is 'x.md', which is no file"),
        ("}", "}\n    - {name: part, file: page.md, section: t, language: text}", "6:14: 'name'"),
    ],
)
def test_a_mistake_in_the_settings(
    old: str, new: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.md").touch()
    assert old in SETTINGS
    Path("pipeline.yaml").write_text(SETTINGS.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        load(Path("pipeline.yaml"), Pipeline)
    assert caught.value.report.startswith(f"pipeline.yaml:{message}")


def test_without_pages_there_are_no_listings() -> None:
    pipeline = Pipeline(1, (Program("a", ("w",), "a.mg"),))
    assert (listings(pipeline), artifacts(pipeline), descent(pipeline)) == ([], [], [])


def test_a_program_that_is_shown_has_to_be_there() -> None:
    pipeline = Pipeline(1, (Program("a", ("w",), "a.mg"),), listings=Listings(("page.md",)))
    message = "the listings show h33_attention, but pipeline.yaml names no such program; add it"
    with pytest.raises(InvalidTask, match=message):
        descent(pipeline)


@pytest.mark.parametrize("spec", artifacts(repository()), ids=lambda spec: spec.name)
def test_a_listing_is_fresh(
    spec: Artifact, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    inputs = spec.inputs
    if spec.name == "listing:descent":
        inputs = (descended(tmp_path),)
    targets = tuple(tmp_path / Path(target).name for target in spec.targets)
    assert not isinstance(spec.make, Command)
    spec.make(Job(inputs, targets, spec.config, tmp_path / "log"))
    for target, fresh in zip(spec.targets, targets, strict=True):
        stale = f"{target} is stale; run: doit listings"
        assert Path(target).read_text() == fresh.read_text(), stale


def descended(folder: Path) -> str:
    """Write the program that descends, which is not committed."""
    [spec] = descent(repository())
    assert isinstance(spec.make, Command)
    run = subprocess.run([sys.executable, *spec.make.argv[1:]], check=True, capture_output=True)
    (folder / "descent.mg").write_bytes(run.stdout)
    return str(folder / "descent.mg")


def test_the_pages_show_every_listing_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("CI", "true")
    pipeline = repository()
    result = fill(listings(pipeline), pipeline.listings.pages)
    assert result is None, result and result.message


# Addresses, absolute paths, processors and dates.
WHEN_OR_WHERE = r"0x[0-9a-f]{6,}|(?<![\w.)/-])/[a-z]+/\w|AMD|Intel|glibc|\b20\d\d-"


def test_no_listing_says_when_or_where_it_was_made() -> None:
    for path in sorted((ROOT / "generated/listings").iterdir()):
        text = path.read_text()
        assert str(ROOT) not in text
        assert not re.search(WHEN_OR_WHERE, text), path
