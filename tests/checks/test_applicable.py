"""Whether a check applies to a program is not for the copy to say."""

from dataclasses import dataclass

import pytest

from checks.catalogue import checks_of, run_check
from checks.check import ProgramCheck
from checks.programs import listed_programs
from checks.subject import ROOT, Refusal, Subject

PROGRAMS = listed_programs(ROOT)
SMALL = ("h34_layer_norm", "m05_elementwise", "m06_reductions", "m09_softmax", "m10_ties_rows")


@dataclass
class Constant:
    """Answers everything with the same."""

    answer: str | Refusal

    def __getattr__(self, name: str) -> object:
        return lambda *_, **__: self.answer


ANSWERS = {"refuses": Refusal("no"), "writes what depends on nothing": "print [[1.0]]\n"}


@pytest.mark.parametrize("how", ANSWERS)
@pytest.mark.parametrize("item", SMALL)
def test_a_copy_is_not_let_off(item: str, how: str) -> None:
    subject, right = Constant(ANSWERS[how]), Subject(ROOT)
    for check in checks_of(item):
        assert isinstance(check, ProgramCheck)
        applies = run_check(check, item, PROGRAMS, right) is not None
        try:
            verdict = run_check(check, item, PROGRAMS, subject)  # type: ignore[arg-type]
        except Exception:  # noqa: BLE001 - a crash lets nobody off either
            assert applies
            continue
        assert (verdict is not None) is applies, check.id
