"""Reading IR text: from the bundled compiler, from another one, and from nobody."""

from __future__ import annotations

import contextlib
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mgc import ir_parse
from mgc.compile import compile_source
from mgc.diagnostics import Diagnostic
from mgc.interpret import interpret
from mgc.ir import Apply
from mgc.ir_parse import parse_ir
from mgc.ir_text import ir_text
from mgc.specialize import specialize
from tests.mgc.near_misses import IR_TEXTS, near_misses
from tests.mgc.raise_sites import unreached

GOOD = """\
func.func @f(%a: tensor<?x2xf64>, %b: tensor<2x2xf64>) -> tensor<?x2xf64> {
  %t1 = mg.matmul %a, %b : tensor<?x2xf64>, tensor<2x2xf64> -> tensor<?x2xf64>
  func.return %t1 : tensor<?x2xf64>
}
func.func @main() -> i32 {
  %t1 = mg.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %t2 = tensor.cast %t1 : tensor<2x2xf64> to tensor<?x2xf64>
  %t3 = func.call @f(%t2, %t1) : (tensor<?x2xf64>, tensor<2x2xf64>) -> tensor<?x2xf64>
  %t4 = mg.permute %t1 {permutation = array<i64: 1, 0>} : tensor<2x2xf64> -> tensor<2x2xf64>
  %t5 = mg.scalar %t4 {op = "add", value = 2.0 : f64, reversed = false} : tensor<2x2xf64> -> \
tensor<2x2xf64>
  %t6 = mg.reduce %t5 {axis = 1 : i64, kind = "sum"} : tensor<2x2xf64> -> tensor<2x1xf64>
  %t7 = mg.broadcast %t6 : tensor<2x1xf64> -> tensor<2x2xf64>
  %t8 = mg.transpose %t7 : tensor<2x2xf64> to tensor<2x2xf64>
  mg.print %t8 : tensor<2x2xf64>
  %zero = arith.constant 0 : i32
  func.return %zero : i32
}
"""
NINES = "9" * 5000

# A piece of the text above, what stands there instead, and the error: line and cause.
FAULTS = [
    ("%t1 = mg.matmul", "%t1 = mg.addmul", "2: IR: there is no operation mg.addmul {}"),
    ("%t1 = mg.matmul", "%a = mg.matmul", "2: IR: %a is defined twice"),
    ("mg.matmul %a, %b", "mg.matmul %a, %c", "2: IR: %c is not defined"),
    ("mg.matmul %a, %b", "mg.matmul %a", "2: IR: 1 operands but 2 types"),
    ("mg.matmul %a, %b", "mg.matmul %b, %b",
     "2: IR: %b is a tensor<2x2xf64>, not a tensor<?x2xf64>"),
    ("mg.matmul %a, %b : tensor<?x2xf64>, tensor<2x2xf64>", "mg.matmul %a : tensor<?x2xf64>",
     "2: IR: matmul takes 2 operands, not 1"),
    ("tensor<2x2xf64> -> tensor<?x2xf64>\n  func", "tensor<2x2xf64> -> tensor<?x3xf64>\n  func",
     "2: IR: matmul gives ?x2, not ?x3"),
    ("%b: tensor<2x2xf64>) ->", "%b: tensor<2x2xf64>) -> i32 {  ", None),
    ("%b: tensor<2x2xf64>)", "%a: tensor<2x2xf64>)", "1: IR: %a is defined twice"),
    ("%b: tensor<2x2xf64>)", "b: tensor<2x2xf64>)",
     "1: IR: a parameter is written %NAME: TYPE, not 'b: tensor<2x2xf64>'"),
    ("%b: tensor<2x2xf64>)", "%b: tensor<0x2xf64>)",
     "1: IR: a size in tensor<0x2xf64> is neither a positive integer nor ?"),
    ("%b: tensor<2x2xf64>)", "%b: tensor<2?x2xf64>)",
     "1: IR: a size in tensor<2?x2xf64> is neither a positive integer nor ?"),
    ("%b: tensor<2x2xf64>)", f"%b: tensor<{NINES}x2xf64>)", None),
    ("func.func @f(", "func @f(", "1: IR: `func.func @NAME(...) -> TYPE {` is wanted here"),
    ("func.func @f(", "func.func @main(", "1: IR: @main, and no other function, returns i32"),
    ("func.return %t1 : tensor<?x2xf64>", "func.return %b : tensor<2x2xf64>",
     "3: IR: @f returns another type than it declares"),
    ("func.return %t1", "func.return %t9", "3: IR: %t9 is not defined"),
    ("  func.return %t1 : tensor<?x2xf64>\n", "", "3: IR: @f ends without func.return"),
    ("  func.return %t1 : tensor<?x2xf64>\n", "  func.return %t1 : tensor<?x2xf64>\n" * 2,
     "4: IR: a statement after func.return"),
    ("@main() -> i32", "@main() -> tensor<2x2xf64>",
     "5: IR: @main, and no other function, returns i32"),
    ("@main() -> i32", "@g() -> i32", "5: IR: @main, and no other function, returns i32"),
    ("@main()", "@main(%a: tensor<2x2xf64>)", "5: IR: @main has no parameters"),
    ("[3.0, 4.0]]>", "[3.0]]>", "6: IR: the rows of a constant differ in length"),
    ("[3.0, 4.0]]>", "[3.0, x]]>",
     "6: IR: a constant is written dense<[[1.0, 2.0], [3.0, 4.0]]>"),
    (", [3.0, 4.0]]>", "]>", "6: IR: a 1x2 constant of type tensor<2x2xf64>"),
    ("tensor<2x2xf64> to tensor<?x2xf64>", "tensor<2x2xf64> to tensor<?x3xf64>",
     "7: IR: tensor<2x2xf64> cannot be a tensor<?x3xf64>"),
    ("func.call @f(", "func.call @g(", "8: IR: @g is not a function defined before this one"),
    ("func.call @f(", "func.call @main(",
     "8: IR: @main is not a function defined before this one"),
    ("@f(%t2, %t1) : (tensor<?x2xf64>, ", "@f(%t1, %t1) : (tensor<2x2xf64>, ",
     "8: IR: @f takes (tensor<?x2xf64>, tensor<2x2xf64>)"),
    ("tensor<2x2xf64>) -> tensor<?x2xf64>\n  %t4", "tensor<2x2xf64>) -> tensor<2x2xf64>\n  %t4",
     "8: IR: @f returns tensor<?x2xf64>"),
    ("array<i64: 1, 0>", "array<i64: 1, 1>",
     "9: IR: permute: (1, 1) does not name each of the 2 axes of 2x2 once"),
    ("array<i64: 1, 0>", f"array<i64: {NINES}, 0>", None),
    ('"add"', '"pow"',
     '10: IR: there is no operation mg.scalar {op = "pow", value = 2.0 : f64, reversed = false}'),
    ("value = 2.0", "value = two", None),
    ("axis = 1", "axis = 2",
     '11: IR: there is no operation mg.reduce {axis = 2 : i64, kind = "sum"}'),
    ("-> tensor<2x1xf64>", "-> tensor<1x2xf64>", "11: IR: row_sum gives 2x1, not 1x2"),
    ("%t6 : tensor<2x1xf64> -> tensor<2x2xf64>", "%t6 : tensor<2x1xf64> -> tensor<3x3xf64>",
     "12: IR: broadcast: 2x1 does not stretch to 3x3"),
    ("%t6 : tensor<2x1xf64> -> tensor<2x2xf64>", "%t6 : tensor<2x1xf64> -> tensor<2x2x2xf64>",
     "12: IR: broadcast: 2x1 does not stretch to 2x2x2"),
    ("%t7 : tensor<2x2xf64> to", "%t7 : tensor<2x2xf64> ->",
     "13: IR: there is no operation mg.transpose {}"),
    ("mg.print %t8", "mg.print %t8, %t8",
     "14: IR: this is no statement of the IR: mg.print %t8, %t8 : tensor<2x2xf64>"),
    ("mg.print %t8 : tensor<2x2xf64>", "mg.print %t8 : tensor<2x3xf64>",
     "14: IR: %t8 is a tensor<2x2xf64>, not a tensor<2x3xf64>"),
    ("func.return %zero : i32", "func.return %t8 : tensor<2x2xf64>",
     "16: IR: @main returns another type than it declares"),
    ("  func.return %zero : i32\n", "", "16: IR: @main ends without func.return"),
    ("i32\n}\n", "i32\n", "5: IR: the '{' of @main is never closed"),
    ("i32\n}\n", "i32\n}\n}\n", "18: IR: `func.func @NAME(...) -> TYPE {` is wanted here"),
    (GOOD, GOOD[: GOOD.index("func.func @main")], "5: IR: the text has no function @main"),
    (GOOD, GOOD[: GOOD.index("func.func @main")] + GOOD, "5: IR: the function @f is already there"),
    (GOOD, "", "1: IR: the text has no function @main"),
]  # fmt: skip


@cache
def fault(old: str, new: str) -> Diagnostic:
    assert GOOD.count(old) == 1
    with pytest.raises(Diagnostic) as caught:
        parse_ir(GOOD.replace(old, new))
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "message"),
    FAULTS,
    ids=[f"{number}: {new[:30]!a}" for number, (_, new, _) in enumerate(FAULTS)],
)
def test_a_fault_in_ir_text(old: str, new: str, message: str | None) -> None:
    error = fault(old, new)
    assert str(error).splitlines() == [str(error)]
    if message is not None:
        assert str(error) == f"<input>:{message} (column 1)".replace(": IR:", ": error: IR:", 1)


def test_every_place_that_reports_a_fault_is_reached() -> None:
    assert unreached(ir_parse, [fault(old, new) for old, new, _ in FAULTS]) == []


def test_the_text_that_the_faults_start_from_is_good() -> None:
    assert ir_text(parse_ir(GOOD)) == GOOD


@pytest.mark.parametrize(
    "other",
    [
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\n\n"),
        GOOD.replace("  ", ""),
        GOOD.replace("  ", "\t\t"),
        GOOD.removesuffix("\n"),
        GOOD.replace("[[1.0, 2.0]", "[[1, 2.0e0]"),
        GOOD.replace("value = 2.0", "value = 0x4000000000000000"),
    ],
)
def test_another_printer_may_space_and_spell_differently(other: str) -> None:
    assert other != GOOD
    assert ir_text(parse_ir(other)) == GOOD


def test_names_of_another_printer_are_kept() -> None:
    other = GOOD.replace("%t", "%arg-$.")
    assert ir_text(parse_ir(other)) == other


def test_a_value_that_is_not_finite_is_read_by_its_bits() -> None:
    text = GOOD.replace("[[1.0, 2.0]", "[[0x7FF0000000000000, 0xFFF8000000000001]")
    assert ir_text(parse_ir(text)) == text


def test_spans_are_lines_of_the_text() -> None:
    body = parse_ir(GOOD).main.body
    assert [statement.span.line for statement in body] == list(range(6, 15))
    assert isinstance(body[0], Apply)
    assert body[0].attributes["literal"].elements == (1.0, 2.0, 3.0, 4.0)


@pytest.mark.parametrize(
    "source",
    [
        "let a = [[1]]\nprint " + " + ".join(["a"] * 20_000),
        "print [[" + ", ".join(["0.5"] * 50_000) + "]]",
        "def f0(a: tensor[1x1]) = a\n"
        + "".join(f"def f{n + 1}(a: tensor[1x1]) = f{n}(a)\n" for n in range(5000)),
    ],
    ids=["sum", "literal", "defs"],
)
def test_a_large_text_is_read_back_to_itself(source: str) -> None:
    text = ir_text(compile_source(source, "a.mg"))
    assert ir_text(parse_ir(text)) == text


LONG = 200_000


@pytest.mark.parametrize(
    "line",
    [
        "%" + "a" * LONG,
        "%a = mg." + "a" * LONG,
        "%a = mg.add %b" + ", %b" * LONG,
        "%a = mg.add %b : tensor<" + "1" * LONG,
        "%a = mg.add %b : tensor<" + "1x" * LONG,
        "%a = mg.add %b : " + "tensor<1xf64>, " * LONG,
        "%a = mg.add %b {" + "a" * LONG,
        "%a = mg.constant dense<[" + "[" * LONG,
        "%a = mg.constant dense<[" + "]" * LONG,
        "%a = mg.constant dense<[[" + "1" * LONG + "]]> : tensor<1xf64",
        "%a = mg.constant dense<[[" + "1, " * LONG + "]]> : tensor<1x1xf64>",
        "%a = mg.constant dense<[[" + "1" * LONG + "x]]> : tensor<1x1xf64>",
        "%a = mg.constant dense<[" + "[1], " * LONG + "]> : tensor<1x1xf64>",
        "%a = func.call @f(" + "a" * LONG,
        "%a = func.call @f() : (" + "(" * LONG,
        "%a = tensor.cast %" + "a" * LONG,
        "mg.print %" + "a" * LONG,
        "func.return %" + "a" * LONG + " : tensor<1x1xf64>",
        " " * LONG + "x" + " " * LONG,
    ],
    ids=lambda line: f"{line[:30].strip()}...{line[-4:]}",
)
def test_a_long_near_miss_is_refused(line: str) -> None:
    """The patterns never go back over what they matched: otherwise this would take hours."""
    with pytest.raises(Diagnostic):
        parse_ir(GOOD.replace("  mg.print", f"{line}\n  mg.print"))


@pytest.mark.parametrize("head", ["func.func @f(" + "a" * LONG, "func.func @" + "f" * LONG])
def test_a_long_near_miss_of_a_function_is_refused(head: str) -> None:
    with pytest.raises(Diagnostic):
        parse_ir(head)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(Diagnostic):
        parse_ir(text)


@given(near_misses(st.sampled_from([GOOD, *IR_TEXTS])))
def test_ir_text_with_a_slip_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(Diagnostic):
        module = parse_ir(text)
        specialize(module, "a.mlir")
        assert ir_text(parse_ir(ir_text(module))) == ir_text(module)


def test_what_is_read_means_the_same() -> None:
    (printed,) = interpret(parse_ir(GOOD))
    # The row sums of (a transposed) + 2 are 8 and 10; a column of them stretched, transposed.
    assert printed.tolist() == [[8.0, 10.0], [8.0, 10.0]]
