import ast
from collections import Counter
from pathlib import Path

import pytest

from mutants import operators
from mutants.copies import copy_of, distinct_copies, read_package, tree_hash
from mutants.hand_written import MUTANTS
from mutants.operators import generated, operator_of
from mutants.slow import SLOW
from mutants.spec import MODULES, Mutant, MutantError

PACKAGE = Path(__file__).resolve().parents[2] / "autograd"

OPERATORS = {
    "accumulation", "comparison", "condition", "constant", "drop-factor", "drop-statement",
    "drop-term", "negate", "other-name", "swap-opcode", "swap-operands", "unwrap", "wrong-axis",
}  # fmt: skip


@pytest.fixture(scope="module")
def all_generated() -> list[Mutant]:
    return generated(PACKAGE)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a package of which only the module of rules has functions."""
    monkeypatch.setattr(operators, "EQUIVALENTS", {})  # they are of autograd
    for name in MODULES:
        (tmp_path / name).write_text('"""Nothing."""\n')
    (tmp_path / "__init__.py").write_text("")
    return tmp_path


def write_rules(package: Path, *functions: str) -> None:
    head = "from mgc import ops\nfrom autograd.expression import *\n"
    (package / "rules.py").write_text("\n\n".join([head, *functions]))


MUL = """\
@vjp(ops.MUL)
def d_mul(ct: Value, x: Value, y: Value) -> Cotangents:
    return ct * y, ct * x
"""

EXP = """\
@vjp(ops.EXP)
def d_exp(ct: Value, out: Value) -> Cotangents:
    return ct * out
"""


def test_every_operator_gives_some(all_generated: list[Mutant]) -> None:
    counts = Counter(map(operator_of, all_generated))
    assert counts.keys() == OPERATORS
    assert len(all_generated) > 300


def test_all_apply_and_differ_from_each_other_and_from_the_hand_written(
    all_generated: list[Mutant],
) -> None:
    before = tree_hash(PACKAGE)
    known = [*MUTANTS, *SLOW, *all_generated]
    assert len(distinct_copies(known, read_package(PACKAGE))) == len(known)
    assert tree_hash(PACKAGE) == before


def test_ids_are_deterministic(all_generated: list[Mutant]) -> None:
    assert generated(PACKAGE) == all_generated


def test_ids_do_not_change_with_other_functions(package: Path) -> None:
    write_rules(package, EXP)
    alone = generated(package, ())
    write_rules(package, MUL, EXP)
    both = generated(package, ())
    assert [each for each in both if each.scope == "rule:exp"] == alone
    assert {each.scope for each in both} == {"rule:mul", "rule:exp"}


def test_what_is_made_of_a_rule(package: Path) -> None:
    write_rules(package, EXP)
    files = read_package(package)
    lines = {
        each.id: copy_of(each, files).changed.decode().splitlines()[-1].strip()
        for each in generated(package, ())
    }
    assert lines == {
        "g-rule-exp--drop-factor-1": "return out",
        "g-rule-exp--drop-factor-2": "return ct",
        "g-rule-exp--swap-opcode-1": "return ct / out",
        "g-rule-exp--swap-opcode-2": "return ct + out",
        "g-rule-exp--other-name-2": "return ct * x",
        "g-rule-exp--other-name-1": "return x * out",
        "g-rule-exp--negate-1": "return -(ct * out)",
    }


def test_taken_ones_are_left_out(package: Path) -> None:
    write_rules(package, EXP)
    taken = Mutant("m01", "t", "hand", "rules.py", "rule:exp", "ct * out", "ct / out")
    ids = {each.id for each in generated(package, [taken])}
    assert len(ids) == len(generated(package, ())) - 1
    assert "g-rule-exp--swap-opcode-1" not in ids


def test_messages_annotations_docstrings_and_types_are_left_alone(package: Path) -> None:
    text = '''\
if TYPE_CHECKING:
    LIMIT = 0

def checked(count: Literal[0] = 0) -> Literal[1]:
    """Return 0."""
    number: Literal[0] = count
    assert number != 1
    writer.comment("0" if number else "1")
    where = "a" if number else f"{number + 1}"
    if number:
        raise ValueError(where, number + 1)
    return zip(number, strict=True)
'''
    (package / "names.py").write_text(text)
    write_rules(package)
    made = generated(package, ())
    assert [each.pattern for each in made] == ["raise ValueError(where, number + 1)"]


def test_a_loop_is_left_with_what_ends_it(package: Path) -> None:
    text = (
        "def count(n):\n    i = n\n    while i:\n        i -= 1\n        n.add(i)\n    return n\n"
    )
    (package / "names.py").write_text(text)
    write_rules(package)
    assert not [each for each in generated(package, ()) if operator_of(each) == "drop-statement"]


def test_no_statement_is_dropped_that_gives_a_name_its_value(package: Path) -> None:
    loop = ["def f(n):", "    for i in n:", "        a = i", "        a = -a", "        n.add(a)"]
    text = "\n".join([*loop, "    return n", ""])
    (package / "names.py").write_text(text)
    write_rules(package)
    dropped = [m.pattern for m in generated(package, ()) if operator_of(m) == "drop-statement"]
    assert dropped == ["a = -a", "n.add(a)"]


def test_an_equivalent_one_has_its_reason(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rules(package, EXP)
    monkeypatch.setattr(operators, "EQUIVALENTS", {"g-rule-exp--negate-1": "because"})
    reasons = {each.id: each.reason for each in generated(package, ())}
    assert reasons.pop("g-rule-exp--negate-1") == "because"
    assert set(reasons.values()) == {""}
    monkeypatch.setattr(operators, "EQUIVALENTS", {"g-no-such": "because"})
    with pytest.raises(MutantError, match="g-no-such: said to be equivalent, but not generated"):
        generated(package, ())


def test_copies_parse(all_generated: list[Mutant]) -> None:
    files = read_package(PACKAGE)
    for each in all_generated[::7]:
        ast.parse(copy_of(each, files).changed)
