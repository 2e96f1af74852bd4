"""What README.md and CONTRIBUTING.md show is what happens."""

import shutil
from pathlib import Path

from tests.conftest import ROOT, Golden
from tests.documents import replayed
from tests.test_architecture import listed_by_git


def test_the_tour_shows_the_real_output(golden: Golden) -> None:
    document = ROOT / "README.md"
    golden(document, replayed(document.read_text(), ROOT))


def test_adding_an_operation_works_as_described(golden: Golden, tmp_path: Path) -> None:
    """In a copy, which is a repository of its own so that patches apply to it alone."""
    for path in listed_by_git("--cached", "--others", "--exclude-standard"):
        copy = tmp_path / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, copy)
    (tmp_path / ".git").mkdir()
    document = ROOT / "CONTRIBUTING.md"
    golden(document, replayed(document.read_text(), tmp_path))
