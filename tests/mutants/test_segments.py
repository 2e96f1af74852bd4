"""Which segments a change is in, and which are begun: nothing that was executed may differ."""

import ast
from collections.abc import Iterator

import pytest

from mutants.segments import NOTE, Reading, Segment, changed

MODULE = '''"""A module."""
from __future__ import annotations

LIMIT = 3

def outer(x, y=1):
    """Two lines."""
    if x > LIMIT:
        return -1
    elif x == 2:
        return [inner(each) for each in range(y) if each]
    while y > 5 and x:
        y -= 1
    total = inner(x) if y else 0
    return total + LIMIT

def inner(x):
    match x:
        case 1 if LIMIT == 3:
            return 10
        case 2:
            return 20
    return x + LIMIT

class Holder:
    size = 2

    def method(self):
        return lambda: self.size
'''

CALLS = (
    "None",
    "outer(9)",
    "outer(2, 0)",
    "outer(2, 3)",
    "outer(0, 0)",
    "outer(0, 7)",
    "outer(1, 7)",
    "inner(1)",
    "inner(2)",
    "Holder().method()",
    "Holder().method()()",
)

CHANGES = (
    ("LIMIT = 3", "LIMIT = 4"),
    ("y=1", "y=2"),
    ("x > LIMIT", "x >= LIMIT"),
    ("return -1", "return -2"),
    ("x == 2", "x == 3"),
    ("inner(each)", "inner(each + 1)"),
    ("if each]", "if not each]"),
    ("range(y)", "range(y + 1)"),
    ("y > 5", "y > 6"),
    ("and x", "and not x"),
    ("y -= 1", "y -= 2"),
    ("inner(x) if", "inner(-x) if"),
    ("if y else 0", "if y else 1"),
    ("total + LIMIT", "total"),
    ("    return total + LIMIT\n", ""),
    ("    while y", "    x += 1\n    while y"),
    ("if LIMIT == 3", "if LIMIT == 2"),
    ("return 10", "return 11"),
    ("case 2:", "case 3:"),
    ("return 20", "pass"),
    ("return x + LIMIT", "return x - LIMIT"),
    ("size = 2", "size = 3"),
    ("lambda: self.size", "lambda: self"),
    ("def inner(x):\n", "def inner(x):\n    return 0\n"),
    ("            return 20\n    return x + LIMIT", "            return 20"),
)


def begun_by(call: str, text: str) -> tuple[set[int], set[int], object]:
    """Return the segments begun on import and by a call, and what the call returns."""
    begun: set[int] = set()
    names: dict = {NOTE: begun.add}
    tree = ast.parse(text)
    tree.body = [each for each in tree.body if "mutants" not in ast.unparse(each)]
    exec(compile(tree, "a.py", "exec"), names)  # noqa: S102 - the module above
    loading = set(begun)
    begun.clear()
    result = eval(call, names)  # noqa: S307 - a call above
    return loading, begun, result


def result_of(call: str, text: str) -> object:
    names: dict = {}
    exec(text, names)  # noqa: S102 - the module above
    result = eval(call, names)  # noqa: S307 - a call above
    return "a function" if callable(result) else result


@pytest.mark.parametrize("call", CALLS)
def test_a_marked_module_does_the_same(call: str) -> None:
    _, text = Reading().marked(MODULE.encode())
    result = begun_by(call, text)[2]
    assert ("a function" if callable(result) else result) == result_of(call, MODULE)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_what_begins_no_changed_segment_goes_the_same_way(old: str, new: str, call: str) -> None:
    assert MODULE.count(old) == 1, old
    other = MODULE.replace(old, new)
    before, text = Reading().marked(MODULE.encode())
    found = changed(before, Reading().segments(other.encode()))
    assert len(found) == 1
    loading, begun, _ = begun_by(call, text)
    if found.isdisjoint(loading | begun):
        assert result_of(call, other) == result_of(call, MODULE)


@pytest.mark.parametrize(
    ("old", "new", "reaching"),
    [
        ("return -1", "return -2", {"outer(9)"}),
        ("inner(each)", "inner(each + 1)", {"outer(2, 3)"}),
        ("and x", "and not x", {"outer(0, 7)", "outer(1, 7)"}),
        ("if y else 0", "if y else 1", {"outer(0, 0)"}),
        ("return 10", "return 11", {"inner(1)", "outer(1, 7)", "outer(2, 3)"}),
        ("if LIMIT == 3", "if LIMIT == 2", {"inner(1)", "outer(1, 7)", "outer(2, 3)"}),
        ("self.size", "self", {"Holder().method()()"}),
    ],
)
def test_a_change_reaches_only_what_begins_its_segment(
    old: str, new: str, reaching: set[str]
) -> None:
    before, text = Reading().marked(MODULE.encode())
    found = changed(before, Reading().segments(MODULE.replace(old, new).encode()))
    assert {call for call in CALLS if begun_by(call, text)[1] & found} == reaching


@pytest.mark.parametrize(
    ("old", "new"), [("Two lines.", "Other words."), ("\ndef inner", "\n# why\ndef inner")]
)
def test_comments_and_docstrings_change_nothing(old: str, new: str) -> None:
    before, _ = Reading().marked(MODULE.encode())
    after = Reading().segments(MODULE.replace(old, new).encode())
    assert changed(before, after) == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("y=1", "y=2"),
        ("size = 2", "size = 3"),
        ("def inner", "@staticmethod\ndef inner"),
        ("class Holder", "class Holder(dict)"),
    ],
)
def test_what_happens_on_import_is_begun_on_import(old: str, new: str) -> None:
    before, text = Reading().marked(MODULE.encode())
    found = changed(before, Reading().segments(MODULE.replace(old, new).encode()))
    assert found & begun_by("None", text)[0]


def test_a_copy_that_is_read_after_others_has_the_segments_that_it_has_alone() -> None:
    copies = Reading()
    for old, new in (*CHANGES, ("LIMIT = 3", "LIMIT = 3; LIMIT = 4"), ("x + LIMIT", "x + LIMIT")):
        other = MODULE.replace(old, new).encode()
        before, _ = Reading().marked(MODULE.encode())
        assert changed(before, copies.segments(other)) == changed(before, Reading().segments(other))


def test_what_is_written_in_one_line_is_told_apart() -> None:
    before, _ = Reading().marked(b"a = 1; b = 2")
    copies = Reading()
    assert changed(before, copies.segments(b"a = 1; b = 2")) == set()
    assert changed(before, copies.segments(b"b = 2; a = 1")) == {0}


def test_segments_of_several_modules_have_numbers_of_their_own() -> None:
    reading = Reading()
    numbers = [list(_numbers(reading.marked(MODULE.encode())[0])) for _ in range(2)]
    assert len({*numbers[0], *numbers[1]}) == 2 * len(numbers[0])


def _numbers(segments: tuple[Segment, ...]) -> Iterator[int]:
    for segment in segments:
        yield segment.number
        for hole in segment.holes:
            yield from _numbers(hole)
