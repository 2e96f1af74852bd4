import pytest

from ground_truth.extract import extract
from mgc.diagnostics import Diagnostic

PROGRAM = """\
# A program.

# Doubles.
# It is linear.
def double(m: tensor[1x2]) = m + m
def twice(m: tensor[1x2]) = double(double(m))
let a = [[1, 2]]  # the input

# Unrelated to what is below.

let b = twice(a)
print b
# Directly above.
let c = b * a
"""

SHADOWING = """\
let p = [[1, 2]]
let grown = p + p
print grown
let p = p - 0.1 * grown
let grown = p + p
let last = grown * 2
"""


def test_statements_come_in_the_order_of_the_source() -> None:
    assert extract(PROGRAM, ["b", "a", "twice", "double"], "p.mg") == (
        "# Doubles.\n"
        "# It is linear.\n"
        "def double(m: tensor[1x2]) = m + m\n"
        "def twice(m: tensor[1x2]) = double(double(m))\n"
        "let a = [[1, 2]]  # the input\n"
        "\n"
        "let b = twice(a)\n"
    )


def test_only_the_comment_directly_above_comes_with_a_statement() -> None:
    copied = extract(PROGRAM, ["double", "twice", "a", "b", "c"], "p.mg")
    assert copied.endswith("let b = twice(a)\n# Directly above.\nlet c = b * a\n")
    assert "Unrelated" not in copied
    assert "A program" not in copied


def test_every_missing_name_is_told_with_the_file() -> None:
    with pytest.raises(Diagnostic) as caught:
        extract(PROGRAM, ["a", "doubel", "zzz"], "book/p.mg")
    assert str(caught.value) == (
        "book/p.mg: error: there is no def or let named 'doubel'; did you mean 'double'?, nor 'zzz'"
    )


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (["a", "b"], "p.mg:11: error: 'b' is to be copied and uses 'twice' of line 6"),
        (["a", "b", "twice"], "p.mg:6: error: 'twice' is to be copied and uses 'double' of line 5"),
        (["double", "twice", "b"], "p.mg:11: error: 'b' is to be copied and uses 'a' of line 7"),
    ],
)
def test_what_a_copied_statement_uses_has_to_be_copied(names: list[str], fault: str) -> None:
    with pytest.raises(Diagnostic) as caught:
        extract(PROGRAM, names, "p.mg")
    assert str(caught.value).startswith(fault)


def test_the_first_of_several_lets_of_a_name_is_copied() -> None:
    assert extract(SHADOWING, ["grown", "p"], "p.mg") == "let p = [[1, 2]]\nlet grown = p + p\n"


def test_a_copy_never_uses_another_let_than_the_program_does() -> None:
    with pytest.raises(Diagnostic) as caught:
        extract(SHADOWING, ["p", "grown", "last"], "p.mg")
    assert str(caught.value).startswith(
        "p.mg:6: error: 'last' is to be copied and uses 'grown' of line 5, which is not"
    )


def test_a_parameter_of_a_def_is_no_let() -> None:
    program = "let m = [[1, 2]]\ndef double(m: tensor[1x2]) = m + m\n"
    assert extract(program, ["double"], "p.mg") == "def double(m: tensor[1x2]) = m + m\n"


def test_a_def_and_a_let_of_one_name_are_both_copied() -> None:
    program = "def loss(m: tensor[1x1]) = m\nlet m = [[1]]\nlet loss = loss(m)\n"
    assert extract(program, ["loss", "m"], "p.mg") == program


def test_a_text_that_is_no_program_is_an_error_in_the_file() -> None:
    with pytest.raises(Diagnostic) as caught:
        extract("let a = [[1]]\nlet b = a +\n", ["a"], "book/p.mg")
    assert str(caught.value).startswith("book/p.mg:2: error: ")


def test_line_ends_of_another_kind_do_not_matter() -> None:
    names = ["double", "twice", "a", "b"]
    assert extract(PROGRAM.replace("\n", "\r\n"), names, "p.mg") == extract(PROGRAM, names, "p.mg")
