"""Copies of autograd in which one thing is wrong."""

import shutil
from pathlib import Path

from checks.subject import ROOT


def copied(folder: Path) -> Path:
    """Copy the package into a folder; return the folder."""
    shutil.copytree(
        ROOT / "autograd", folder / "autograd", ignore=shutil.ignore_patterns("__pycache__")
    )
    return folder


def changed(folder: Path, file: str, right: str, wrong: str) -> Path:
    """Copy the package and change one place in a file of it."""
    path = copied(folder) / "autograd" / file
    text = path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong))
    return folder


def with_wrong_mul(folder: Path) -> Path:
    """Copy the package, with each factor's own value in its gradient."""
    return changed(folder, "rules.py", "return ct * y, ct * x\n", "return ct * x, ct * y\n")
