"""A small project in a temporary folder, for real runs of doit."""

from pathlib import Path

import pytest

from tests.pipeline.doit_project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return an empty project folder."""
    return Project(tmp_path)
