"""What may stand in the table of rules is checked when a rule is registered."""

import pytest

from autograd import rule_table
from autograd.expression import Value
from autograd.rule_table import Cotangents, vjp
from mgc import ops


@pytest.fixture(autouse=True)
def _empty_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_table, "VJPS", {})


def test_a_rule_is_named_after_its_operation() -> None:
    with pytest.raises(TypeError, match="the rule of exp must be named d_exp, not exponential"):

        @vjp(ops.EXP)
        def exponential(ct: Value) -> Cotangents:
            return ct


def test_a_rule_asks_only_for_what_there_is() -> None:
    with pytest.raises(TypeError, match=r"d_exp asks for y; there is ct, x, out"):

        @vjp(ops.EXP)
        def d_exp(ct: Value, y: Value) -> Cotangents:
            return ct * y


def test_an_operation_has_one_rule() -> None:
    @vjp(ops.NEG)
    def d_neg(ct: Value) -> Cotangents:
        return -ct

    with pytest.raises(TypeError, match="neg has two rows"):
        vjp(ops.NEG)(d_neg)
