from pathlib import Path

import pytest

from mutants.baseline import baseline_of
from mutants.reach import changed_functions, python_files, reached
from tests.mutants.fake_suite import RIGHT, Suite

MODULE = '''"""A module."""

LIMIT = 3

def outer(x, y=1):
    """Two lines."""
    return [inner(x) for _ in range(y)]

def inner(x):
    return x + LIMIT

class Holder:
    size = 2

    def method(self):
        return lambda: self.size
'''


def changed(old: str, new: str) -> dict[str, list[tuple[int, int]]] | None:
    assert old in MODULE
    after = MODULE.replace(old, new)
    return changed_functions({"a.py": MODULE.encode()}, {"a.py": after.encode()})


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("Two lines.", "Other words.", []),
        ("return x + LIMIT", "return x - LIMIT", [(9, 10)]),
        ("inner(x) for", "inner(x + 1) for", [(5, 7)]),
        ("lambda: self.size", "lambda: self", [(15, 16)]),
        ("\ndef inner", "\n# why\ndef inner", []),
    ],
)
def test_a_changed_body_is_its_function(old: str, new: str, lines: list[tuple[int, int]]) -> None:
    assert changed(old, new) == {"a.py": lines}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("y=1", "y=2"),
        ("size = 2", "size = 3"),
        ("def inner", "@staticmethod\ndef inner"),
        ("class Holder", "class Holder(dict)"),
        ("def inner(x):\n    return x + LIMIT\n", ""),
    ],
)
def test_a_change_of_what_happens_on_import_may_reach_everything(old: str, new: str) -> None:
    assert changed(old, new) is None


def test_another_file_may_reach_everything() -> None:
    assert changed_functions({"a.py": b""}, {"a.py": b"", "b.py": b""}) is None


def test_what_is_executed_is_noted_also_inside_functions(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(MODULE)
    names: dict = {}
    with reached(tmp_path) as loading:
        exec(compile(MODULE, str(file), "exec"), names)  # noqa: S102 - the module above
    with reached(tmp_path) as one:
        names["inner"](1)
    with reached(tmp_path) as other:
        names["Holder"]().method()()
    assert ("a.py", 12) in loading.functions
    assert one.functions == {("a.py", 9)}
    assert other.functions == {("a.py", 15), ("a.py", 16)}
    assert one.meets({"a.py": [(9, 10)]})
    assert not one.meets({"a.py": [(5, 7)], "b.py": [(9, 10)]})


def test_only_calls_that_execute_what_changed_are_made_again(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(RIGHT)
    original = baseline_of(Suite(), tmp_path).original
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "tool.py").write_text(RIGHT.replace("{x} - {", "{x} + {"))
    methods = {key.split("'")[1] for key in original.known_of(copy)}
    assert methods == {"gradient"}
    (copy / "tool.py").write_text(RIGHT.replace("2 * {x}", "3 * {x}"))
    assert original.known_of(copy) == {}
    (copy / "tool.py").write_text(f"{RIGHT}\nprint()\n")
    assert original.known_of(copy) == {}
    assert python_files(tmp_path).keys() == {"tool.py", "copy/tool.py"}
