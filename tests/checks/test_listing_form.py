"""What the form of a listing holds, and what it leaves out."""

from pathlib import Path

import pytest

from checks.check import Draw, Setting
from checks.properties.listing_form import check, form_of
from checks.subject import Subject
from checks.verdict import Finding
from tests.checks.wrong_copies import changed


def found(folder: Path) -> Finding:
    return check.run(Setting(Subject(folder), Draw()))


def test_lets_and_prints_are_kinds_and_comments_are_whole() -> None:
    text = "# a  b\nlet x = [[1.0]]\nlet v1 = (x * x)\nprint v1\nprint ones12\n# c\nprint v1\n"
    assert form_of(text) == ["# a  b", "let x v", "print v ones", "# c", "print v", ""]


@pytest.mark.parametrize(("end", "parts"), [("", []), ("\n", [""]), ("\n\n", ["", ""])])
def test_the_end_is_told(end: str, parts: list[str]) -> None:
    assert form_of(f"print v1{end}") == ["print v", *parts]


def test_a_line_of_no_known_kind_is_whole() -> None:
    assert form_of("let 1 = 2\nlet x =\n") == ["let 1 = 2", "let x =", ""]


@pytest.mark.parametrize(
    ("right", "wrong", "parts"),
    [
        (
            'self.let(shared, "m")',
            "shared.op",
            "'let g ones g g g g g', expected 'let g ones g m g g g g'",
        ),
        (
            " and value.op is not ops.BROADCAST]",
            "]",
            "'let g ones g ones g m g g g', expected 'let g ones g ones g g g g'",
        ),
        (
            '"\\n".join(self.lines) + "\\n"',
            '"\\n".join(self.lines)',
            "'nothing', expected ''",
        ),
    ],
)
def test_what_a_reader_sees_is_seen(tmp_path: Path, right: str, wrong: str, parts: str) -> None:
    finding = found(changed(tmp_path, "emit.py", right, wrong))
    assert (finding.passed, finding.cause) == (False, "value")
    assert finding.detail.endswith(f": {parts}")


def test_other_numbers_and_operands_the_other_way_round_are_the_same_form(tmp_path: Path) -> None:
    folder = changed(tmp_path, "rules.py", "return ct * y, ct * x\n", "return y * ct, x * ct\n")
    emit = folder / "autograd" / "emit.py"
    emit.write_text(emit.read_text().replace("self._counter = 0", "self._counter = 7"))
    assert found(folder).passed
