"""Hypothesis profiles, and the `golden` fixture with its `--update-golden` flag."""

import difflib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
UPDATE_COMMAND = "make golden"

Golden = Callable[[Path, str], None]

# No deadline in either, and no complaint about slow drawing: the first example of a test pays for
# compiling its kernels, and a drawn program takes tens of milliseconds on a busy machine.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", PATIENT)
settings.register_profile("ci", PATIENT, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files instead of comparing with them; runs no other test",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError(
            "--update-golden would make every golden test pass, so CI refuses it"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--update-golden"):
        items[:] = [item for item in items if "golden" in getattr(item, "fixturenames", ())]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return a function that compares a text with a golden file, byte for byte.

    With `--update-golden` the file is written instead.
    """
    return _write if request.config.getoption("--update-golden") else _compare


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def _compare(path: Path, text: str) -> None:
    expected = path.read_bytes().decode() if path.exists() else ""
    if path.exists() and text == expected:
        return
    diff = difflib.unified_diff(
        _lines(expected),
        _lines(text),
        f"{_shown(path)} (golden{'' if path.exists() else ', missing'})",
        "this run",
        lineterm="",
    )
    report = "\n".join(diff)
    pytest.fail(f"{report}\n\nif this run is right: {UPDATE_COMMAND}", pytrace=False)


def _lines(text: str) -> list[str]:
    """Split at newlines only, and show a missing last one, so that unequal texts have a diff."""
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last} (no newline at the end)"] if last else lines


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
