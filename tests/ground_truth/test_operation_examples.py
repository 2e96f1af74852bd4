"""examples/m*.mg: between them they use every operation, and in the ways that they claim."""

import re
from pathlib import Path

import pytest

import mgc
from mgc import ops
from mgc.compile import compile_source
from mgc.ir import Apply
from mgc.literals import Literal
from mgc.parse import parse
from mgc.shapes import MATRIX_RANK
from mgc.syntax import Infix, Invoke, Let, Matrix, Print
from tests.ground_truth.reference import ROOT

PROGRAMS = sorted((ROOT / "examples").glob("m[0-9][0-9]_*.mg"))
NAMES = [path.stem for path in PROGRAMS]

# A matrix can only be permuted by transposing it; on other ranks, which the examples do not have,
# no operation works but reshape and permute.
UNUSED = {ops.PERMUTE}

PARAMETERS = re.compile(r"^# Parameters: (.+)$", re.MULTILINE)
DISTINCT = re.compile(
    r"^# No two parameters(?: but (?:the squares )?(\w+) and (\w+))? have the same shape\.$",
    re.MULTILINE,
)


def literals(source: str) -> dict[str, Literal]:
    return {
        statement.name: statement.expression[0].literal
        for statement in parse(source)
        if isinstance(statement, Let)
        and len(statement.expression) == 1
        and isinstance(statement.expression[0], Matrix)
    }


def parameters(source: str) -> list[str]:
    match = PARAMETERS.search(source)
    assert match, "no line says '# Parameters: ...'"
    return match[1].split(", ")


def applied(source: str) -> list[Apply]:
    module = compile_source(source, "example.mg")
    functions = [*module.functions.values(), module.main]
    return [each for function in functions for each in function.body if isinstance(each, Apply)]


def test_they_are_numbered_without_a_gap() -> None:
    assert [name[:3] for name in NAMES] == [f"m{number:02}" for number in range(1, 12)]


def test_together_they_use_every_operation() -> None:
    used = {each.op for path in PROGRAMS for each in applied(path.read_text())}
    assert set(ops.OPS) - used == UNUSED


@pytest.mark.parametrize("path", PROGRAMS, ids=NAMES)
def test_every_value_is_a_matrix(path: Path) -> None:
    assert {len(each.result.shape) for each in applied(path.read_text())} == {MATRIX_RANK}


@pytest.mark.parametrize("path", PROGRAMS, ids=NAMES)
def test_what_is_printed_is_1x1(path: Path) -> None:
    # The first print is the loss. The others are there only for ties, and could be losses too.
    assert {printed.shape for printed in mgc.run(path)} == {(1, 1)}


@pytest.mark.parametrize("path", PROGRAMS, ids=NAMES)
def test_it_says_which_lets_are_parameters(path: Path) -> None:
    source = path.read_text()
    assert source.startswith("# ")
    names = parameters(source)
    assert names
    assert set(names) <= set(literals(source))


@pytest.mark.parametrize("path", PROGRAMS, ids=NAMES)
def test_shapes_are_distinct_where_it_claims_so(path: Path) -> None:
    source = path.read_text()
    claim = DISTINCT.search(source)
    assert bool(claim) == ("have the same shape" in source)
    if claim is None:
        return
    shapes = {name: literals(source)[name].shape for name in parameters(source)}
    alike, other = claim.groups()
    if alike:
        assert shapes[alike] == shapes[other]
        del shapes[other]
    assert len(set(shapes.values())) == len(shapes)


@pytest.mark.parametrize("path", PROGRAMS, ids=NAMES)
def test_weights_tell_entries_and_directions_apart(path: Path) -> None:
    found = {name: each for name, each in literals(path.read_text()).items() if "weight" in name}
    assert found
    for name, literal in found.items():
        rows, columns = literal.shape
        assert len(set(literal.elements)) == len(literal.elements), name
        if rows == columns:
            turned = [
                literal.elements[row * columns + column]
                for column in range(columns)
                for row in range(rows)
            ]
            assert list(literal.elements) != turned, name


def test_the_ties_begin_with_the_example_that_fixes_the_convention() -> None:
    source = (ROOT / "examples" / "m10_ties.mg").read_text()
    assert literals(source)["m"] == Literal((2, 3), (1, 3, 3, 2, 2, 0))
    first = next(each for each in parse(source) if isinstance(each, Print))
    calls = [item.name for item in first.expression if isinstance(item, Invoke)]
    assert calls == ["row_max", "col_sum"]
    assert not [item for item in first.expression if isinstance(item, Infix)]
    assert mgc.run(source)[0][0, 0] == 5


@pytest.mark.parametrize(
    ("name", "ways", "by_row"),
    [("in_rows", [2, 3, 4, 1], True), ("in_columns", [1, 2, 3, 4], False)],
)
def test_ties_are_of_2_3_and_4_entries_both_ways(
    name: str, ways: list[int], *, by_row: bool
) -> None:
    literal = literals((ROOT / "examples" / "m10_ties.mg").read_text())[name]
    _, columns = literal.shape
    rows = [literal.elements[at : at + columns] for at in range(0, len(literal.elements), columns)]
    lines = rows if by_row else list(zip(*rows, strict=True))
    assert [line.count(max(line)) for line in lines] == ways
