"""Statements and expressions: what binds to what, how deep they nest, and what is no program."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from checks.random_programs import programs
from mgc.compile import compile_source
from mgc.diagnostics import Diagnostic
from mgc.parse import parse
from mgc.specialize import specialize
from mgc.syntax import Def, Expression, Infix, Invoke, Let, Matrix, Name, Negate, Number, Print
from tests.mgc.near_misses import PROGRAMS, near_misses


def postfix(expression: Expression) -> str:
    """Write the items in the order of evaluation; `~` is the unary minus."""
    words: list[str] = []
    for item in expression:
        match item:
            case Name():
                words.append(item.text)
            case Number():
                words.append(f"{item.value:g}")
            case Matrix():
                words.append("[]")
            case Negate():
                words.append("~")
            case Infix():
                words.append(item.symbol)
            case Invoke():
                words.append(f"{item.name}{item.arity}{list(item.integers) or ''}")
    return " ".join(words)


@pytest.mark.parametrize(
    ("expression", "order"),
    [
        ("2 * a @ b", "2 a * b @"),
        ("a @ b * 2", "a b @ 2 *"),
        ("a / b / c", "a b / c /"),
        ("a - b - c", "a b - c -"),
        ("a + b * c", "a b c * +"),
        ("a * b + c", "a b * c +"),
        ("a + b @ c - d", "a b c @ + d -"),
        ("(a + b) * c", "a b + c *"),
        ("a * (b + c)", "a b c + *"),
        ("-a * b", "a ~ b *"),
        ("a * -b", "a b ~ *"),
        ("a @ -b @ c", "a b ~ @ c @"),
        ("-a + b", "a ~ b +"),
        ("a - -b", "a b ~ -"),
        ("a--b", "a b ~ -"),
        ("---a", "a ~ ~ ~"),
        ("-(a + b)", "a b + ~"),
        ("-exp(a)", "a exp1 ~"),
        ("((a))", "a"),
        ("-2", "2 ~"),
        ("f(a, b + c) * d", "a b c + f2 d *"),
        ("f()", "f0"),
        ("f(g(a), -b)", "a g1 b ~ f2"),
        ("a + [[1, 2]] @ b", "a [] b @ +"),
        ("reshape(a * b, 2, 3)", "a b * reshape1[(2, 3)]"),
        ("permute(a, 1, 0) + b", "a permute1[(1, 0)] b +"),
        ("contract(a, (0, 1), b + c, ())", "a b c + contract2[(0, 1), ()]"),
        ("contract(contract(a, (), b, ()), (1), c, (0))",
         "a b contract2[(), ()] c contract2[(1,), (0,)]"),
        ("exp (a)", "a exp1"),
        ("a*2.5e-1@b", "a 0.25 * b @"),
    ],
)  # fmt: skip
def test_what_binds_to_what(expression: str, order: str) -> None:
    (statement,) = parse(f"print {expression}")
    assert isinstance(statement, Print)
    assert postfix(statement.expression) == order


def test_statements_stand_one_on_a_line_with_comments_and_blank_lines() -> None:
    source = "# first\n\n  let a=2 # two\r\n\t\nprint(a)\ndef f(x:tensor[?x3],y:tensor[1x2])=x#"
    let, print_, def_ = parse(source)
    assert isinstance(let, Let)
    assert isinstance(print_, Print)
    assert isinstance(def_, Def)
    assert [(each.span.line, each.span.column) for each in (let, print_, def_)] == [
        (3, 3),
        (5, 1),
        (6, 1),
    ]
    assert (let.name, postfix(let.expression), postfix(print_.expression)) == ("a", "2", "a")
    assert [(each.name, each.shape) for each in def_.parameters] == [
        ("x", (None, 3)),
        ("y", (1, 2)),
    ]


@pytest.mark.parametrize("name", ["_", "a", "A9_", "relu", "tensor", "main", "t1", "definite"])
def test_a_name_is_reserved_only_if_it_is_a_keyword(name: str) -> None:
    module = compile_source(f"let {name} = [[1]]\nprint {name}", "a.mg")
    assert len(module.main.body) == 2


def test_nothing_is_a_program() -> None:
    assert list(parse("")) == []
    assert list(parse("  \n#\n \N{NO-BREAK SPACE}\n")) == []


# ---- large and long


@pytest.mark.parametrize(
    ("source", "statements"),
    [
        ("print " + "(" * 10_000 + "[[1]]" + ")" * 10_000, 2),
        ("print " + "-(" * 10_000 + "[[1]]" + ")" * 10_000, 10_002),
        ("print " + "-" * 10_000 + "[[1]]", 10_002),
        ("let s = " + "-" * 10_001 + "1\nprint s * [[1]]", 3),
        ("print " + "exp(" * 10_000 + "[[1]]" + ")" * 10_000, 10_002),
        ("let a = [[1]]\nprint " + " + ".join(["a"] * 20_000), 20_001),
        ("let s = " + " + ".join(["1"] * 20_000) + "\nprint s * [[1]]", 3),
        ("print " + "[[1]] + (" * 10_000 + "[[1]]" + ")" * 10_000, 20_002),
        (" " * 1_000_000, 0),
        ("print" + " " * 1_000_000 + "[[1]]" + "\t" * 1_000_000 + "# end", 2),
        ("print " + "[" + ", ".join(["[1, -2]"] * 20_000) + "]", 2),
        ("print [[" + ", ".join(["0.5"] * 50_000) + "]]", 2),
        ("\n" * 100_000 + "print [[1]]", 2),
    ],
    ids=lambda case: case[:20] if isinstance(case, str) else None,
)
def test_a_large_program_compiles(source: str, statements: int) -> None:
    assert len(compile_source(source, "a.mg").main.body) == statements


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("print " + "(" * 10_000 + "[[1]]" + ")" * 9_999, "this '(' is never closed (column 7)"),
        ("print " + "(" * 10_000 + "[[1]]" + ")" * 10_001,
         "the statement should end before ')' (column 20012)"),
        ("print " + "(" * 10_000,
         "an expression is wanted, not the end of the line (column 10007)"),
        ("print " + "f(" * 10_000 + "2" + ")" * 10_000,
         ("unknown function 'f': no built-in function and no earlier def has that name "
          "(column 20005)")),
        (" " * 1_000_000 + "x",
         "a statement starts with def, let or print, not 'x' (column 1000001)"),
        ("print" + " " * 1_000_000 + "*", "an expression is wanted, not '*' (column 1000006)"),
    ],
    ids=lambda case: case[:20],
)  # fmt: skip
def test_a_fault_in_a_large_program_is_one_line(source: str, message: str) -> None:
    with pytest.raises(Diagnostic) as caught:
        compile_source(source, "a.mg")
    assert str(caught.value) == f"a.mg:1: error: {message}"


DIGITS = "9" * 5000


@pytest.mark.parametrize(
    "source",
    [
        f"let s = {DIGITS}",
        f"let s = 1e{DIGITS}",
        f"print [[{DIGITS}]]",
        f"print [[1, -{DIGITS}]]",
        f"print reshape([[1]], {DIGITS}, 1)",
        f"print reshape([[1]], 1, {DIGITS})",
        f"print permute([[1]], {DIGITS}, 0)",
        f"print permute([[1]], 0, {DIGITS})",
        f"print contract([[1]], ({DIGITS}), [[1]], (0))",
        f"print contract([[1]], (0), [[1]], (0, {DIGITS}))",
        f"def f(a: tensor[{DIGITS}x1]) = a",
        f"def f(a: tensor[1x{DIGITS}]) = a",
        f"let {DIGITS} = [[1]]",
        f"print a{DIGITS}",
        f"{DIGITS}",
    ],
    ids=lambda source: source.replace(DIGITS, "9..."),
)
def test_a_number_of_5000_digits_is_refused_wherever_it_stands(source: str) -> None:
    with pytest.raises(Diagnostic) as caught:
        compile_source(source, "a.mg")
    assert len(str(caught.value)) < len(DIGITS) + 100


def test_a_number_of_5000_digits_may_be_small() -> None:
    (statement,) = parse(f"print 1e-{DIGITS} + 0.{DIGITS}")
    assert isinstance(statement, Print)
    assert postfix(statement.expression) == "0 1 +"


# ---- arbitrary text


def compile_and_specialize(source: str) -> None:
    """Raise nothing but Diagnostic; that one is the point of an error, so it passes."""
    with contextlib.suppress(Diagnostic):
        specialize(compile_source(source, "a.mg"), "a.mg")


@given(st.text())
@example("print \ud800")
@example("let a = [[1]]\nprint a\n\x00")
def test_any_text_compiles_or_is_refused(text: str) -> None:
    compile_and_specialize(text)


@given(st.text(alphabet="abx012.eE+-*/@()[],=:?# \tdeflprintsorhcu\n"))
def test_any_text_of_the_characters_of_programs_compiles_or_is_refused(text: str) -> None:
    compile_and_specialize(f"let a = [[1, 2]]\nprint {text}")


@given(near_misses(st.sampled_from(PROGRAMS)))
def test_a_program_with_a_slip_compiles_or_is_refused(text: str) -> None:
    compile_and_specialize(text)


@given(near_misses(programs().map(lambda program: program.source)))
def test_a_drawn_program_with_a_slip_compiles_or_is_refused(text: str) -> None:
    compile_and_specialize(text)
