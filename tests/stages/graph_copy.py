"""The project's own graph in another folder, on programs of a test's choice."""

import shutil
from pathlib import Path

from tests.pipeline.doit_project import Project

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "pipeline", "stages", "cost", "checks", "mgc", "autograd", "ground_truth", "mutants",
)  # fmt: skip


def copy_of_the_graph(folder: Path, pipeline: str, small: str = "") -> Project:
    """Copy dodo.py and the packages; `small` is the text of a program in small.mg."""
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "dodo.py", folder)
    (folder / "pipeline.yaml").write_text(pipeline)
    (folder / "small.mg").write_text(small)
    return Project(folder)
