"""Rows of tables: a change in one is begun by what reads it, and by nothing else."""

import re
from pathlib import Path

import pytest

from checks.subject import ROOT
from mutants.reach import begun, marked

TOOL = '''"""A tool with a table."""
from types import SimpleNamespace

Table = dict[str, object]

VJPS: Table = {}
JVPS: Table = {}
ops = SimpleNamespace(A="a", B="b", C="c", D="d")


def vjp(row):
    def fill(function):
        VJPS[row] = function, function.__code__.co_varnames
        return function
    return fill


def declare(table, row, entry):
    table[row] = entry


@vjp(ops.A)
def d_a(x):
    return x


@vjp(ops.B)
def d_b(x):
    return -x


declare(VJPS, ops.C, str("nothing"))


def scale():
    return 2


@vjp(ops.D)
def d_d(x):
    return x * scale()


def wanted(row):
    return VJPS[row][1]


def called(row, x):
    return VJPS[row][0](x)
'''

CALLS = (
    "wanted('a')",
    "wanted('b')",
    "called('a', 3)",
    "called('b', 3)",
    "called('d', 3)",
    "VJPS.get('c')",
    "VJPS.get('e')",
    "'b' in VJPS",
    "sorted(VJPS)",
    "list(map(str, VJPS.values()))[2]",
    "len(VJPS)",
    "scale()",
)

A, B, D = "def d_a(x)", "def d_b(x)", "def d_d(x)"
ROWS = {
    "another parameter": (A, "def d_a(y)", {"wanted('a')", "called('a', 3)"}),
    "another declaration": ('str("nothing")', 'str("none")', {"VJPS.get('c')"}),
    "another body": ("return -x", "return 0", {"called('b', 3)"}),
    "a rule for a declaration": (
        'declare(VJPS, ops.C, str("nothing"))',
        "@vjp(ops.C)\ndef d_c(x):\n    return x",
        {"VJPS.get('c')"},
    ),
}
"""Changes in a row, and the calls that read it and not all rows."""

ELSEWHERE = {
    "a row more": ("def scale", '@vjp("e")\ndef d_e(x):\n    return x\n\n\ndef scale'),
    "another row": ("@vjp(ops.B)\ndef", '@vjp("e")\ndef'),
    "a row twice": ("@vjp(ops.B)\ndef", "@vjp(ops.A)\ndef"),
    "a default": (A, "def d_a(x, y=print())"),
    "a second decorator": ("@vjp(ops.A)", "@print\n@vjp(ops.A)"),
    "a statement between": ("@vjp(ops.D)", "print()\n\n\n@vjp(ops.D)"),
    "what fills rows": ("VJPS[row] = function, ", "VJPS[row] = 0, "),
}
"""Changes that do more when the module is imported than fill a row otherwise."""


def differing(
    tmp_path: Path, text: str, tool: str = TOOL
) -> tuple[set[int], frozenset[int], dict[str, set[int]]]:
    """Return the segments in which a tool differs, those begun on import, and those of calls."""
    for name, content in (("original", tool), ("copy", text)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool.py").write_text(content)
    with marked(tmp_path / "original", tmp_path / "original") as (folder, original):
        names: dict = {}
        begun()
        exec((folder / "tool.py").read_text(), names)  # noqa: S102 - the tool above
        loading = begun()
        reached: dict[str, set[int]] = {}
        for call in CALLS:
            eval(call, names)  # noqa: S307 - a call above
            reached[call] = set(begun())
    changed = original.changed_in(tmp_path / "copy")
    assert changed is not None
    return changed, loading, reached


@pytest.mark.parametrize("change", ROWS)
def test_a_changed_row_is_begun_by_what_reads_it(change: str, tmp_path: Path) -> None:
    old, new, reading = ROWS[change]
    assert TOOL.count(old) == 1
    changed, loading, reached = differing(tmp_path, TOOL.replace(old, new))
    assert changed
    assert changed.isdisjoint(loading)
    found = {call for call in CALLS if not changed.isdisjoint(reached[call])}
    reading_all = set() if change == "another body" else {"sorted(VJPS)", CALLS[9]}
    assert found == reading | reading_all


def test_rows_may_be_filled_in_any_order(tmp_path: Path) -> None:
    first, second, rest = map(TOOL.index, ("@vjp(ops.A)", "@vjp(ops.B)", "declare(VJPS"))
    swapped = TOOL[:first] + TOOL[second:rest] + TOOL[first:second] + TOOL[rest:]
    assert differing(tmp_path, swapped)[0] == set()


@pytest.mark.parametrize("change", ELSEWHERE)
def test_whatever_else_happens_on_import_is_begun_on_import(change: str, tmp_path: Path) -> None:
    old, new = ELSEWHERE[change]
    assert TOOL.count(old) == 1
    changed, loading, _ = differing(tmp_path, TOOL.replace(old, new))
    assert not changed.isdisjoint(loading)


def test_a_rule_that_is_used_by_its_name_is_more_than_a_row(tmp_path: Path) -> None:
    tool = TOOL.replace("scale()\n\n\ndef wanted", "d_b(x)\n\n\ndef wanted")
    assert tool != TOOL
    changed, loading, _ = differing(tmp_path, tool.replace(B, "def d_b(y)"), tool)
    assert not changed.isdisjoint(loading)


def test_no_module_of_autograd_uses_a_rule_by_its_name() -> None:
    texts = {file: file.read_text() for file in (ROOT / "autograd").rglob("*.py")}
    rules = [
        line.partition("def ")[2].partition("(")[0]
        for text in texts.values()
        for line in text.splitlines()
        if line.startswith(("def d_", "def t_"))
    ]
    assert len(rules) > 40
    for rule in rules:
        assert sum(len(re.findall(rf"\b{rule}\b", text)) for text in texts.values()) == 1, rule
