import dataclasses
import gc
import importlib.util
import py_compile
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

import autograd.provenance
import mgc.compile
from checks.warmth import warm
from mgc import literals
from mgc.compile import compile_source
from mgc.diagnostics import Diagnostic
from mgc.ir_text import ir_text
from mgc.literals import Literal

SOURCE = "let a = [[1, 2]]\nprint a * a\n"


def test_a_text_is_compiled_once() -> None:
    cold = ir_text(compile_source(SOURCE, "a.mg"))
    with warm():
        first = compile_source(SOURCE, "a.mg")
        assert compile_source(SOURCE, "a.mg") is first
        assert compile_source(SOURCE.replace("2", "3"), "a.mg") is not first
    assert ir_text(first) == cold
    assert compile_source(SOURCE, "a.mg") is not first


def test_a_literal_is_written_once_in_each_spelling_that_is_not_the_copys() -> None:
    asked: list[float] = []

    def spelled(number: float) -> str:
        asked.append(number)
        return "n"

    zeros = [Literal((1, 1), (zero,)) for zero in (0.0, -0.0)]
    with warm():
        for _ in range(2):
            assert [literals.source_matrix(each) for each in zeros] == ["[[0.0]]", "[[-0.0]]"]
            found = [literals.source_matrix(each, literals.shortest) for each in zeros]
            assert found == ["[[0]]", "[[-0]]"]
            assert literals.source_matrix(zeros[0], spelled) == "[[n]]"
        assert literals.source_matrix(zeros[0]) is literals.source_matrix(zeros[0])
    assert asked == [0.0, 0.0]


@pytest.mark.parametrize("source", ["let a = b\nprint (\n", "print (\nlet a = b\n", "print [[1\n"])
def test_faults_are_the_same_every_time(source: str) -> None:
    def fault() -> str:
        with pytest.raises(Diagnostic) as raised:
            compile_source(source, "a.mg")
        return str(raised.value)

    cold = fault()
    with warm():
        assert [fault(), fault()] == [cold, cold]


def test_the_methods_of_dataclasses_are_compiled_once_and_work() -> None:
    with warm():
        made = [dataclasses.make_dataclass("Point", ["x", "y"], frozen=True) for _ in range(2)]
        codes = {each.__init__.__code__ for each in made}
        assert len(codes) == 1
        assert made[0](1, 2) == made[0](1, 2) != made[0](2, 1)
        assert repr(made[1](1, 2)) == "Point(x=1, y=2)"
    assert "exec" not in vars(dataclasses)


def loaded(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("module", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("compiled_before", [False, True])
def test_a_copy_of_a_module_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, compiled_before: bool
) -> None:
    first, copy, other = (tmp_path / name / "module.py" for name in ("first", "copy", "other"))
    for file in (first, copy, other):
        file.parent.mkdir()
        file.write_text("x = 1\n" if file != other else "x = 2\n")
    if compiled_before:
        py_compile.compile(str(first))
    with warm():
        loaded(first)
        with monkeypatch.context() as patch:
            patch.setattr(SourceFileLoader, "source_to_code", None)
            again = loaded(copy)
        assert (again.x, again.__file__) == (1, str(copy))
        assert loaded(other).x == 2


def interrupted() -> None:
    with warm():
        assert not gc.isenabled()
        assert autograd.provenance.parse is mgc.compile.parse
        raise KeyboardInterrupt


def test_everything_is_put_back() -> None:
    before = (mgc.compile.parse, mgc.compile.elaborate, autograd.provenance.parse)
    assert gc.isenabled()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (mgc.compile.parse, mgc.compile.elaborate, autograd.provenance.parse) == before
    assert gc.isenabled()
