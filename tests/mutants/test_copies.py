import json
import shutil
import stat
from pathlib import Path

import pytest

from mutants.copies import (
    copy_of,
    distinct_copies,
    prove_unchanged,
    read_package,
    tree_hash,
    write_copy,
)
from mutants.spec import Kind, Mutant, MutantError

MODULE = '''\
"""A module."""


def double(value: float) -> float:
    """Return twice the value."""
    return value * 2.0


def half(value: float) -> float:
    """Return half the value."""
    return value / 2.0
'''

Replaced = tuple[str, str]


def mutant(replaced: Replaced = ("2.0", "3.0"), kind: Kind = "hand", name: str = "m01") -> Mutant:
    return Mutant(name, "a test", kind, "inner/numbers.py", "double", *replaced)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "autograd"
    (folder / "inner" / "__pycache__").mkdir(parents=True)
    (folder / "__init__.py").write_text('"""A package."""\n')
    (folder / "inner" / "__init__.py").write_text("")
    (folder / "inner" / "numbers.py").write_text(MODULE)
    (folder / "inner" / "__pycache__" / "numbers.pyc").write_bytes(b"compiled")
    return folder


def test_a_copy_is_whole_and_read_only(package: Path, tmp_path: Path) -> None:
    write_copy(mutant(), package, tmp_path / "copies" / "m01")
    folder = tmp_path / "copies" / "m01"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {
        "autograd/__init__.py",
        "autograd/inner/__init__.py",
        "autograd/inner/numbers.py",
        "mutant.diff",
        "manifest.json",
    }
    for name in files:
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o444
    assert (folder / "autograd/inner/numbers.py").read_text() == MODULE.replace("* 2.0", "* 3.0")
    assert [path.name for path in folder.parent.iterdir()] == ["m01"]
    assert stat.S_IMODE((package / "__init__.py").stat().st_mode) != 0o444


def test_the_diff_and_the_manifest_say_what_was_done(package: Path, tmp_path: Path) -> None:
    write_copy(mutant(), package, tmp_path / "m01")
    diff = (tmp_path / "m01" / "mutant.diff").read_text().splitlines()
    assert diff[:2] == ["--- a/autograd/inner/numbers.py", "+++ b/autograd/inner/numbers.py"]
    assert [line for line in diff[2:] if line[0] in "+-"] == [
        "-    return value * 2.0",
        "+    return value * 3.0",
    ]
    manifest = json.loads((tmp_path / "m01" / "manifest.json").read_text())
    assert {name: manifest[name] for name in ("id", "title", "kind")} == {
        "id": "m01",
        "title": "a test",
        "kind": "hand",
    }
    assert manifest["base_hash"] == tree_hash(package)
    assert manifest["copy_hash"] == tree_hash(tmp_path / "m01" / "autograd")
    assert manifest["copy_hash"] != manifest["base_hash"]


def test_a_copy_takes_the_place_of_what_is_there(package: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m01"
    folder.mkdir()
    (folder / "old").write_text("")
    write_copy(mutant(), package, folder)
    write_copy(mutant(("2.0", "4.0")), package, folder)
    assert "* 4.0" in (folder / "autograd/inner/numbers.py").read_text()
    assert not (folder / "old").exists()


def test_a_mutant_that_does_not_apply_leaves_what_is_there(package: Path, tmp_path: Path) -> None:
    write_copy(mutant(), package, tmp_path / "m01")
    before = tree_hash(tmp_path / "m01" / "autograd")
    with pytest.raises(MutantError, match="matches 0 times"):
        write_copy(mutant(("5.0", "6.0")), package, tmp_path / "m01")
    assert tree_hash(tmp_path / "m01" / "autograd") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["autograd", "m01"]


def test_hashes_do_not_depend_on_where_a_package_is(package: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(package, moved, ignore=shutil.ignore_patterns("__pycache__"))
    assert tree_hash(moved) == tree_hash(package)
    assert copy_of(mutant(), read_package(moved)).ast_hash == (
        copy_of(mutant(), read_package(package)).ast_hash
    )
    (moved / "inner" / "more.py").write_text("")
    assert tree_hash(moved) != tree_hash(package)


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        (("value * 2.0", "value * 2.0"), "the copy is the same as the original"),
        (("value * 2.0", "value * 2.00"), "the copy means the same as the original"),
        (("return value * 2.0", "# why\nreturn value * 2.0"), "means the same as the original"),
        (('"""Return twice the value."""', '"""Twice."""'), "means the same as the original"),
    ],
)
def test_what_changes_nothing_is_an_error(package: Path, replaced: Replaced, message: str) -> None:
    files = read_package(package)
    with pytest.raises(MutantError, match=f"m01: .*{message}"):
        copy_of(mutant(replaced), files)
    if "the same as the original" not in message or "means" in message:
        harmless = copy_of(mutant(replaced, "harmless"), files)
        assert harmless.ast_hash == copy_of(mutant(replaced, "harmless"), files).ast_hash


def test_an_unknown_file_is_an_error(package: Path) -> None:
    files = read_package(package)
    del files["inner/numbers.py"]
    with pytest.raises(MutantError, match=r"m01: the package has no inner/numbers\.py"):
        copy_of(mutant(), files)


def test_a_folder_without_a_package_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MutantError, match="there is no package in"):
        read_package(tmp_path)


def test_two_mutants_that_mean_the_same_are_an_error(package: Path) -> None:
    files = read_package(package)
    twice = [mutant(), mutant(("value * 2.0", "value * 3.0"), name="m02")]
    with pytest.raises(MutantError, match="m02: the copy means the same as that of m01"):
        distinct_copies(twice, files)
    with pytest.raises(MutantError, match="m01: another mutant has this id"):
        distinct_copies([mutant(), mutant(("2.0", "4.0"))], files)
    comments = [
        mutant(("return value * 2.0", f"# {each}\nreturn value * 2.0"), "harmless", f"h{each}")
        for each in "12"
    ]
    assert len(distinct_copies(comments, files)) == 2


def test_a_changed_original_is_noticed_however_the_run_ends(package: Path) -> None:
    with prove_unchanged(package) as before:
        assert before == tree_hash(package)
    with pytest.raises(MutantError, match="was changed"), prove_unchanged(package):
        (package / "__init__.py").write_text("x = 1\n")
    with pytest.raises(MutantError, match="was changed"):
        _interrupted(package)


def _interrupted(package: Path) -> None:
    with prove_unchanged(package):
        (package / "__init__.py").write_text("x = 2\n")
        raise KeyboardInterrupt
