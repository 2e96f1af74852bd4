"""What ruff, pyright and import-linter cannot say about the repository."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 50
NAMES_THAT_SAY_NOTHING = {"utils", "helpers", "common", "misc", "base", "core", "manager"}
DOCUMENTS = ["README.md", "CONTRIBUTING.md"]

FENCED_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
IN_BACKTICKS = re.compile(r"`([^`\n]+)`")
# With a folder, or at the top with the suffix of a file that this repository keeps there.
REPOSITORY_PATH = re.compile(r"[\w.*-]+/[\w.*/-]*|[\w-]+\.(?:py|toml|yaml|md|lock)")
HOME_PATH = re.compile(r"(?<![\w.~-])/(?:root|(?:home|Users)/\w+)\b")


def listed_by_git(*arguments: str) -> list[str]:
    run = subprocess.run(
        ["git", "ls-files", "-z", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    # A deleted file is listed until its deletion is staged.
    return sorted(path for path in run.stdout.split("\0")[:-1] if (ROOT / path).is_file())


# With the files that git would track: a new file is held to the rules before its commit.
PYTHON_FILES = listed_by_git("--cached", "--others", "--exclude-standard", "*.py", "*.pyi")


@pytest.mark.parametrize("path", PYTHON_FILES)
def test_a_file_can_be_read_in_one_sitting(path: str) -> None:
    assert len((ROOT / path).read_text().splitlines()) <= MAX_FILE_LINES


def functions(path: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse((ROOT / path).read_text(), path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", PYTHON_FILES)
def test_a_function_fits_on_a_screen(path: str) -> None:
    lengths = {
        f"{path}:{function.lineno} {function.name}": function.end_lineno - function.lineno + 1
        for function in functions(path)
        if function.end_lineno
    }
    too_long = {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION_LINES}
    assert too_long == {}


def test_a_name_says_what_it_holds() -> None:
    nameless = [
        path
        for path in PYTHON_FILES
        if NAMES_THAT_SAY_NOTHING & set(Path(path).with_suffix("").parts)
    ]
    assert nameless == []


def imported_modules(path: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / path).read_text(), path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_nothing_imports_the_task_graph() -> None:
    # import-linter takes packages only, and dodo.py is a module.
    importers = [
        path
        for path in PYTHON_FILES
        if any(module.split(".")[0] == "dodo" for module in imported_modules(path))
    ]
    assert importers == []


def named_paths(document: str) -> list[str]:
    prose = FENCED_BLOCK.sub("", document)
    return [name for name in IN_BACKTICKS.findall(prose) if REPOSITORY_PATH.fullmatch(name)]


def test_paths_are_found_in_a_document() -> None:
    prose = "`mgc/ops.py`, `tests/`, `dodo.py`, `examples/*.mg`, `ct / y`, `make test`, `/dev/null`"
    block = "\n```\n`old/path.py`\n```\n"
    assert named_paths(prose + block) == ["mgc/ops.py", "tests/", "dodo.py", "examples/*.mg"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_path_named_in_a_document_exists(document: str) -> None:
    names = named_paths((ROOT / document).read_text())
    absent = [name for name in names if not any(ROOT.glob(name.rstrip("/")))]
    # What git ignores is there only after it was built.
    assert [name for name in absent if not is_ignored(name)] == []


def is_ignored(path: str) -> bool:
    command = ["git", "check-ignore", "--quiet", path]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_no_tracked_text_holds_a_path_of_somebodys_home() -> None:
    contents = {path: (ROOT / path).read_bytes() for path in listed_by_git()}
    found = [
        f"{path}: {match[0]}"
        for path, content in contents.items()
        if b"\0" not in content
        for match in HOME_PATH.finditer(content.decode(errors="replace"))
    ]
    assert found == []
