import ast
import difflib

import pytest

from mutants.pattern import mutated
from mutants.spec import Mutant, MutantError

RULES = '''\
"""Rules."""

from __future__ import annotations

from autograd.expression import Value, ge, transpose, zero
from autograd.rule_table import VJPS, Cotangents, Zero, declare, vjp
from mgc import ops


@vjp(ops.MUL)
def d_mul(ct: Value, x: Value, y: Value) -> Cotangents:
    """out = x * y."""
    return ct * y, ct * x  # the other factor


declare(VJPS, ops.GE, Zero("a comparison is flat"))


@vjp(ops.EXP)
def d_exp(ct: Value, out: Value) -> Cotangents:
    """out = exp(x)."""
    return ct * out


@vjp(ops.ROW_MAX)
def d_row_max(ct: Value, x: Value, out: Value) -> Cotangents:
    """out = the maximum of each row."""
    mask = ge(x, out)
    return mask * (ct / mask)


class Writer:
    def let(self, text: str) -> None:
        if text:
            self.text = text
        self.count = 1


def walk(steps, loss):
    received = {loss: []}
    for step in steps:
        received[step] = step + loss
        received[loss] = step - loss
    return received
'''


def mutant(scope: str, pattern: str, replacement: str, **more: object) -> Mutant:
    return Mutant("m00-test", "a test", "hand", "rules.py", scope, pattern, replacement, **more)  # type: ignore[arg-type]


def applied(source: str, *specified: str, **more: object) -> str:
    return mutated(source.encode(), mutant(*specified, **more)).decode()


def changed_lines(source: str, *specified: str, **more: object) -> list[str]:
    after = applied(source, *specified, **more)
    lines = difflib.ndiff(source.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


def test_only_the_pattern_is_spliced() -> None:
    assert changed_lines(RULES, "rule:mul", "ct * y, ct * x", "ct * x, ct * y") == [
        "-     return ct * y, ct * x  # the other factor",
        "+     return ct * x, ct * y  # the other factor",
    ]


def test_a_rule_asks_for_what_its_replacement_names() -> None:
    assert changed_lines(RULES, "rule:exp", "ct * out", "ct * x") == [
        "- def d_exp(ct: Value, out: Value) -> Cotangents:",
        "+ def d_exp(ct: Value, out: Value, x: Value) -> Cotangents:",
        "-     return ct * out",
        "+     return ct * x",
    ]


def test_a_row_that_declares_is_a_scope() -> None:
    after = applied(
        RULES, "rule:ge", "declare(VJPS, ops.GE, Zero(_Why))", "declare(VJPS, ops.GE, Zero('')) "
    )
    assert "Zero('')" in after


def test_brackets_are_added_where_they_are_needed() -> None:
    after = applied(RULES, "rule:mul", "y", "y + x")
    assert "return ct * (y + x), ct * x" in after


def test_what_a_metavariable_stands_for_stays_together() -> None:
    assert changed_lines(RULES, "rule:row_max", "mask * (_A)", "_A * mask") == [
        "-     return mask * (ct / mask)",
        "+     return (ct / mask) * mask",
    ]


def test_a_dropped_statement_takes_its_line_along() -> None:
    assert changed_lines(RULES, "walk", "received[step] = _Sum", "") == [
        "-         received[step] = step + loss"
    ]


def test_an_emptied_block_passes() -> None:
    assert changed_lines(RULES, "Writer.let", "self.text = text", "") == [
        "-             self.text = text",
        "+             pass",
    ]


def test_statements_are_indented_and_keep_comments() -> None:
    after = applied(RULES, "Writer.let", "self.text = text", "# why\nself.text = text * 2")
    assert "            # why\n            self.text = text * 2\n" in after


def test_whole_functions_are_moved() -> None:
    after = applied(
        RULES,
        "module",
        "@vjp(ops.EXP)\ndef _Exp(): ...\n@vjp(ops.ROW_MAX)\ndef _Max(): ...",
        "_Max\n\n\n_Exp",
    )
    names = [node.name for node in ast.parse(after).body if isinstance(node, ast.FunctionDef)]
    assert names == ["d_mul", "d_row_max", "d_exp", "walk"]
    assert sorted(after.splitlines()) == sorted(RULES.splitlines())


def test_all_matches_or_one_of_them() -> None:
    both = applied(RULES, "rule:mul", "ct", "-ct", count=2)
    assert "return -ct * y, -ct * x" in both
    second = applied(RULES, "rule:mul", "ct", "-ct", count=2, occurrence=1)
    assert "return ct * y, -ct * x" in second


REFACTORED = {
    "parameters and locals renamed": lambda text: (
        text.replace("mask", "attaining").replace("steps", "line").replace("step", "each")
        .replace("received", "got").replace("loss", "goal")
    ),
    "rules reordered": lambda text: (
        text[: text.index("@vjp(ops.MUL)")]
        + text[text.index("@vjp(ops.ROW_MAX)") : text.index("class Writer")]
        + text[text.index("@vjp(ops.MUL)") : text.index("@vjp(ops.ROW_MAX)")]
        + text[text.index("class Writer") :]
    ),
    "parameters reordered": lambda text: text.replace(
        "ct: Value, x: Value, y: Value", "x: Value, y: Value, ct: Value"
    ),
    "comments and docstrings": lambda text: (
        text.replace("    return", "    # a remark\n    return").replace("out = x", "x")
    ),
    "annotations": lambda text: text.replace("mask =", "mask: Value =").replace(
        "received =", "received: dict[object, object] ="
    ),
    "other quotes": lambda text: text.replace('"', "'"),
    "wrapped": lambda text: text.replace(
        "return ct * y, ct * x", "return (\n        ct\n        * y,\n        ct * x,\n    )"
    ).replace("ge(x, out)", "ge(\n        x,\n        out,\n    )"),
    "functions renamed": lambda text: text.replace("d_mul", "times").replace("d_row_max", "top"),
    "code added above": lambda text: text.replace("class Writer", "LIMIT = 1\n\n\nclass Writer"),
}  # fmt: skip


@pytest.mark.parametrize("refactored", REFACTORED.values(), ids=REFACTORED.keys())
def test_patterns_survive_refactoring(refactored) -> None:  # noqa: ANN001 - a lambda above
    source = refactored(RULES)
    assert source != RULES
    for specified in (
        ("rule:mul(ct, x, y)", "ct * y, ct * x", "ct * x, ct * y"),
        ("rule:row_max(ct, x, out)", "mask = ge(x, out)", "mask = ge(out, x)"),
        ("walk(steps, loss)", "received[step] = step + loss", "received[step] = loss"),
        ("Writer.let(self, text)", "self.count = 1", "self.count = 2"),
    ):
        after = applied(source, *specified)
        assert ast.dump(ast.parse(after)) != ast.dump(ast.parse(source))


def test_renamed_names_stay_renamed_in_the_replacement() -> None:
    source = REFACTORED["parameters and locals renamed"](RULES)
    pattern = "received[step] = step + loss"
    after = applied(source, "walk(steps, loss)", pattern, "received[step] = loss - step")
    assert "got[each] = goal - each" in after


def test_a_name_that_is_still_there_means_itself() -> None:
    with pytest.raises(MutantError, match="matches 0 times"):
        applied(RULES, "rule:mul", "x * y", "x")


@pytest.mark.parametrize(
    ("specified", "message"),
    [
        (("rule:mul", "ct / y", "ct"), r"m00-test \(rules.py, rule:mul\): .* matches 0 times"),
        (("rule:mul", "ct", "x"), "matches 2 times, and not 1"),
        (("rule:div", "ct", "x"), "there must be one rule:div, but there are 0"),
        (("Writer.print", "text", "''"), "there must be one Writer.print, but there are 0"),
        (("row:mul", "ct", "x"), "'row:' is not one of"),
        (("walk(steps)", "steps", "loss"), "matches 1 times, and not 1|must be"),
        (("walk(a, b, c)", "a", "b"), "the parameters are steps, loss, and not a, b, c"),
        (("rule:mul", "", "x"), "the pattern is empty"),
        (("rule:mul", "ct *", "x"), "is no Python"),
        (("rule:mul", "ct * y", "ct *"), "is no Python"),
        (("rule:mul", "ct * y", "ct * nobody"), "reads 'nobody', which nothing binds"),
        (("walk", "step + loss", "_Other"), "the pattern has no _Other"),
        (("Writer.let", "if text:\n    _Body", "_Body\nreturn"), None),
        (("rule:mul", "return ct * y, ct * x", "return ct\n# no more"), None),
    ],
)
def test_what_does_not_apply_is_an_error(specified: tuple[str, ...], message: str | None) -> None:
    if message is None or specified[0] == "walk(steps)":
        applied(RULES, *specified)
    else:
        with pytest.raises(MutantError, match=message):
            applied(RULES, *specified)


def test_a_scope_that_is_there_twice_is_an_error() -> None:
    twice = RULES + "\n\ndef walk():\n    return 1\n"
    with pytest.raises(MutantError, match="there must be one walk, but there are 2"):
        applied(twice, "walk", "1", "2")


def test_statements_on_one_line_are_an_error() -> None:
    source = RULES.replace("        self.count = 1", "        self.count = 1; self.last = 2")
    with pytest.raises(MutantError, match="more of it would change"):
        applied(source, "Writer.let", "self.count = 1", "")
