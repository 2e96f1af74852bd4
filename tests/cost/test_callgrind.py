"""Reading a profile that callgrind wrote, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cost.breakdown import ORDER, by_op, part_of
from cost.callgrind import ProfileError, self_costs
from mgc.ops import OPS

PROFILE = Path(__file__).with_name("small.callgrind").read_text()
"""Of `def twice(a: tensor[1x2]) = exp(a) + a`, `print twice([[1.0, 2.0]]) @ [[3.0], [4.0]]`."""


def test_what_a_function_executes_itself_is_read() -> None:
    assert self_costs(PROFILE) == {
        "exp": 32,
        "__ieee754_exp_sse2": 90,
        "mg_add_2": 5,
        "mg_exp_2": 32,
        "mg_matmul_1x2x1": 38,
        "mg_main": 23,
        "mg_def0_twice_1x2_": 15,
    }


def test_the_parts_add_up_to_the_total() -> None:
    parts = by_op(self_costs(PROFILE))
    assert parts == {"add": 5, "matmul": 38, "exp": 32, "libm": 122, "main": 38}
    assert sum(parts.values()) == 235


def test_positions_may_be_relative_or_hexadecimal() -> None:
    profile = "events: Ir\n\nfn=(1) mg_main\n+3 5\n* 2\n-4 1\n0x1f 10\ntotals: 18\n"
    assert self_costs(profile) == {"mg_main": 18}


def test_names_need_not_be_compressed() -> None:
    profile = "events: Ir\n\nfn=mg_main\n0 5\ncfn=exp\ncalls=1 0\n0 7\nfn=exp\n0 7\ntotals: 12\n"
    assert self_costs(profile) == {"mg_main": 5, "exp": 7}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("totals: 235", "totals: 236", "the functions add up to 235, not to"),
        ("events: Ir", "events: Ir Dr", "not of Ir alone"),
        ("cfn=(242)", "cfn=(9)", r"uses the name \(9\) before it gives it"),
    ],
)
def test_a_profile_that_cannot_be_right_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        self_costs(PROFILE.replace(old, new))


@pytest.mark.parametrize(
    ("function", "part"),
    [
        ("mg_main", "main"),
        ("mg_part3", "main"),
        ("mg_def0_mul_96_", "main"),
        ("mg_mul_96", "mul"),
        ("mg_mul_scalar_96", "mul_scalar"),
        ("mg_scalar_mul_96", "scalar_mul"),
        ("mg_matmul_5x96x3", "matmul"),
        ("exp@@GLIBC_2.29", "libm"),
        ("__ieee754_log_sse2", "libm"),
        ("with_errno", "libm"),
        ("__memcpy_sse2_unaligned", "copy"),
        ("memcpy@GLIBC_2.2.5", "copy"),
        ("memset", "copy"),
    ],
)
def test_a_function_belongs_to_a_part(function: str, part: str) -> None:
    assert part_of(function) == part


def test_every_operation_has_a_part_of_its_own() -> None:
    assert [part_of(f"mg_{op.name}_2x3") for op in OPS] == [op.name for op in OPS]
    assert len(set(ORDER)) == len(ORDER)
