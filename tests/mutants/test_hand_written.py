import ast
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mutants.copies import copy_of, distinct_copies, read_package, write_copy
from mutants.hand_written import CONTROLS, HARMLESS, MUTANTS, WRONG
from mutants.meaning import top_level
from mutants.slow import SLOW
from mutants.spec import Mutant

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "autograd"
ORIGINAL = read_package(PACKAGE)

ALL = (*MUTANTS, *SLOW)

each_mutant = pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.id)


def test_all_apply_and_differ() -> None:
    assert [copy.mutant for copy in distinct_copies(ALL, ORIGINAL)] == list(ALL)


def test_the_numbers_have_no_gap() -> None:
    numbers = [mutant.id.partition("-")[0] for mutant in WRONG]
    counts = Counter(name[0] for name in numbers)
    assert list(counts) == ["m", "f", "o"]
    wanted = [f"{letter}{n:02}" for letter in counts for n in range(1, counts[letter] + 1)]
    assert numbers == wanted
    assert len(HARMLESS) >= 5
    assert len(SLOW) == 3
    assert len(CONTROLS) == 2


@each_mutant
def test_kind_and_words(mutant: Mutant) -> None:
    assert re.fullmatch(r"[mfohsc]\d\d(-[a-z]+)+", mutant.id)
    kinds = {"m": "hand", "f": "hand", "o": "hand", "h": "harmless", "s": "slow", "c": "control"}
    assert mutant.kind == kinds[mutant.id[0]]
    assert mutant.title
    assert not mutant.title.endswith(".")


@pytest.mark.parametrize("mutant", [each for each in ALL if each.scope != "module"])
def test_the_diff_is_within_the_scope(mutant: Mutant) -> None:
    copy = copy_of(mutant, ORIGINAL)
    before = ORIGINAL[mutant.file]
    texts = _top_level_texts(before)
    others = [text for text in texts if text not in _top_level_texts(copy.changed)]
    assert len(others) == 1
    assert _name_in(mutant.scope) in others[0].decode()
    assert 1 <= copy.diff.count("\n@@") <= 2


def test_the_copies_can_be_imported_but_for_one(tmp_path: Path) -> None:
    for mutant in ALL:
        write_copy(mutant, PACKAGE, tmp_path / mutant.id)
    program = (
        "import importlib, os, sys, traceback\n"
        "import mgc.compile\n"
        "for name in sys.argv[2:]:\n"
        "    pid = os.fork()\n"
        "    if not pid:\n"
        "        sys.path.insert(0, os.path.join(sys.argv[1], name))\n"
        "        try:\n"
        "            import autograd.descend, autograd.forward, autograd.optimize.descend\n"
        "            home = os.path.join(sys.argv[1], name, 'autograd')\n"
        "            assert os.path.dirname(autograd.__file__) == home\n"
        "        except BaseException as error:\n"
        "            print(name, repr(error), flush=True)\n"
        "        os._exit(0)\n"
        "    os.waitpid(pid, 0)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path, *(mutant.id for mutant in ALL)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=tmp_path,
    )
    assert run.stdout == "c01-import-fails RuntimeError('this copy cannot be imported')\n"


def _top_level_texts(source: bytes) -> list[bytes]:
    return [text for _, text in top_level(source, ast.parse(source))]


def _name_in(scope: str) -> str:
    name = scope.partition("(")[0].rpartition(":")[2].rpartition(".")[2]
    return name.upper() if ":" in scope else name


def test_copies_have_a_diff_of_the_package() -> None:
    copy = copy_of(MUTANTS[0], ORIGINAL)
    assert copy.diff.startswith("--- a/autograd/rules.py\n+++ b/autograd/rules.py\n@@ ")
