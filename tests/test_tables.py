"""Every table that is keyed by the operations has a row for each, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograd.forward_rules import JVPS
from autograd.rules import VJPS
from mgc.lower.kernels import LOWERINGS
from mgc.ops import EXP, LOG, OPS, Op

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLES: dict[str, Mapping[Op, object]] = {
    "autograd/rules.py": VJPS,
    "autograd/forward_rules.py": JVPS,
    "mgc/lower/kernels.py": LOWERINGS,
}


def missing(tables: Mapping[str, Mapping[Op, object]]) -> list[str]:
    return [
        f"{op} has no row in {file}"
        for file, table in tables.items()
        for op in OPS
        if op not in table
    ]


def test_every_operation_has_a_row_in_every_table() -> None:
    rows = missing(TABLES)
    if rows:
        pytest.fail("\n".join(rows), pytrace=False)


@pytest.mark.parametrize("file", TABLES)
def test_the_rows_are_in_the_order_of_the_operations(file: str) -> None:
    assert list(TABLES[file]) == list(OPS)


def test_a_missing_row_is_named_with_its_file() -> None:
    table = {op: True for op in OPS if op not in (EXP, LOG)}
    assert missing({"a.py": table}) == ["exp has no row in a.py", "log has no row in a.py"]
