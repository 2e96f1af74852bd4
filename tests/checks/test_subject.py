"""A subject is the autograd of a folder, and no other."""

import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import autograd
import autograd.rules
from checks.programs import Program, listed_programs
from checks.subject import ROOT, VARIABLE, Refusal, Subject, WrongSubject
from mgc.compile import compile_source
from mgc.ir_text import ir_text
from mgc.literals import Literal
from tests.checks.wrong_copies import changed, copied, with_wrong_mul

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = "let w = [[3, 4]]\nprint row_sum(w * w)\n"


def test_it_is_this_repositorys_own_if_nothing_else_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert Subject().folder == ROOT


def test_the_environment_names_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(with_wrong_mul(tmp_path / "named")))
    assert Subject().folder == tmp_path / "named"
    assert Subject(copied(tmp_path / "given")).folder == tmp_path / "given"


def test_two_live_side_by_side(tmp_path: Path) -> None:
    loaded = sys.modules["autograd.rules"]
    wrong = Subject(with_wrong_mul(tmp_path))
    right = Subject(ROOT)
    source = "let w = [[3]]\nlet v = [[5]]\nprint w * v\n"
    again = [subject.gradient(source, ["w"]) for subject in (wrong, right, wrong)]
    assert again[0] == again[2] != again[1]
    assert sys.modules["autograd.rules"] is loaded is autograd.rules
    assert sys.modules["autograd"] is autograd


def test_a_folder_without_the_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongSubject, match=r"there is no .*autograd/__init__\.py"):
        Subject(tmp_path)


def test_a_package_that_brings_modules_from_elsewhere_is_refused(tmp_path: Path) -> None:
    folder = changed(
        tmp_path,
        "rules.py",
        "from autograd.rule_table import",
        f"import autograd\nautograd.__path__.insert(0, {str(ROOT / 'autograd')!r})\n"
        "from autograd.rule_table import",
    )
    (folder / "autograd" / "names.py").unlink()
    with pytest.raises(WrongSubject, match=r"was loaded from .* and not from"):
        Subject(folder)


def test_a_copy_that_cannot_be_imported_raises_what_it_raises(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "autograd" / "names.py").write_text("raise RuntimeError('no names')\n")
    with pytest.raises(RuntimeError, match="no names"):
        Subject(folder)
    assert sys.modules["autograd"] is autograd


def test_a_refusal_is_returned() -> None:
    answer = Subject().gradient(SOURCE, ["v"])
    assert answer == Refusal("program.mg: error: there is no let 'v' (the lets are: w)")


def test_every_program_is_written() -> None:
    subject = Subject()
    for answer, start in (
        (subject.gradient(SOURCE, ["w"]), "prints, in order: loss, grad w"),
        (subject.descent(SOURCE, ["w"], 2, 0.5, prints_parameters=False), "2 steps of gradient"),
        (subject.directional(SOURCE, ["w"], [Literal((1, 2), (1.0, 0.0))]), "along the given"),
    ):
        assert isinstance(answer, str)
        assert start in answer.splitlines()[0]


def test_the_changes_of_the_optimizer_are_listed_a_line_each() -> None:
    listed = Subject().explained(SOURCE, ["all"])
    assert isinstance(listed, str)
    assert {"sharing", "algebra"} <= {line.partition(":")[0] for line in listed.splitlines()}
    refused = Subject().explained(SOURCE, ["v"])
    assert refused == Refusal("program.mg: error: there is no let 'v' (the lets are: w)")


@pytest.mark.parametrize("program", listed_programs(ROOT), ids=lambda each: each.name)
def test_what_requests_have_in_common_is_the_same_for_each(program: Program) -> None:
    subject = Subject()
    source, wrt, loss = program.source, program.wrt, program.loss
    requests: list[Callable[[], object]] = [
        lambda: subject.optimized(source, wrt, loss),
        lambda: subject.gradient(source, wrt, loss),
        lambda: subject.optimized_descent(source, wrt, 2, 0.5),
        lambda: subject.descent(source, wrt, 2, 0.5, prints_parameters=True),
        lambda: subject.explained(source, wrt),
    ]
    alone: list[object] = []
    for request in requests:
        subject.forget()
        alone.append(request())
    subject.forget()
    assert [request() for request in requests] == alone
    subject.forget()
    assert [request() for request in reversed(requests)] == alone[::-1]


ARGUMENTS: dict[str, dict[str, object]] = {
    "gradient": {},
    "gradient_by_ir": {"text": ir_text(compile_source(SOURCE, "program.mg"))},
    "descent": {"steps": 2, "rate": 0.5, "prints_parameters": True},
    "directional": {"directions": [Literal((1, 2), (1.0, 0.0))]},
    "optimized": {"unused_is_zero": True},
    "explained": {},
    "optimized_descent": {"steps": 2, "rate": 0.5},
}


def test_every_method_is_among_those_that_pose_a_problem() -> None:
    methods = {name for name in vars(Subject) if not name.startswith("_")}
    assert methods - {"posed", "forget"} == ARGUMENTS.keys()


@pytest.mark.parametrize("method", ARGUMENTS)
def test_what_a_method_poses_first_is_what_it_is_said_to_pose(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = Subject()
    request: dict[str, Any] = {"source": SOURCE, "wrt": ("w",), **ARGUMENTS[method]}
    problem = subject.posed(request)
    posed = subject._modules["autograd.transform"]
    monkeypatch.setattr(posed, "posed_problem", lambda *_: pytest.fail("it is posed again"))
    assert isinstance(getattr(subject, method)(**request), str)
    subject._posed.clear()
    assert subject.posed(request) == problem


@pytest.mark.parametrize("name", ["w", "weight"])
def test_which_object_a_name_is_makes_no_difference_to_the_problem(name: str) -> None:
    source = f"let {name} = [[3]]\nprint {name} * {name}\n"
    names = [sys.intern(name), source[4 : 4 + len(name)], pickle.loads(pickle.dumps(name))]  # noqa: S301 - made here
    found = {Subject().posed({"source": source, "wrt": (each,)}) for each in names}
    assert len(found) == 1


def test_problems_are_the_same_bytes_only_where_they_are_the_same() -> None:
    subject, other = Subject(), Subject()

    def posed(subject: Subject, source: str, wrt: str = "w", loss: int = 0) -> bytes:
        problem = subject.posed({"source": source, "wrt": (wrt,), "loss": loss})
        assert problem is not None
        return problem

    sources = [
        SOURCE,
        SOURCE.replace("3", "-0"),
        SOURCE.replace("3", "0"),
        SOURCE.replace("w * w", "w + w"),
        SOURCE.replace("w * w", "w * (1 * w)"),
        SOURCE.replace("let", "\nlet"),
    ]
    bits = [posed(subject, source) for source in sources]
    assert len(set(bits)) == len(sources)
    subject.gradient(SOURCE, ["w"])
    subject.forget()
    assert [posed(other, source) for source in reversed(sources)] == bits[::-1]
    assert posed(subject, SOURCE) == bits[0]
    assert subject.posed({"source": SOURCE, "wrt": ("v",)}) is None


def test_answers_are_kept_apart_by_every_bit_of_the_question() -> None:
    subject = Subject()
    texts = {
        subject.directional(SOURCE, ["w"], [Literal((1, 2), (zero, 1.0))]) for zero in (0.0, -0.0)
    }
    assert len(texts) == 2
