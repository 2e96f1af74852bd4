"""The cost stage: its settings, its rows, its verdict."""

from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from cost.limits import Limit
from cost.measurement import LEVELS
from cost.variants import NAMES
from pipeline.config import ConfigError, load
from stages import cost
from tests.cost.measurements import measurements


@dataclass(frozen=True)
class Settings:
    """As much of a settings file as limits are in."""

    limits: tuple[Limit, ...] = ()


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("{ratio: plan/hand, most: 1}", "'ratio' is 'plan'; did you mean 'plain'?"),
        ("{ratio: plain, most: 1}", "'ratio' is 'plain'; write the names of two variants"),
        ("{ratio: hand/hand, most: 1}", "'ratio' is 'hand/hand', which is always 1"),
        ("{ratio: plain/hand, most: 0}", "'most' is 0; a ratio is more than 0"),
        ("{ratio: plain/hand}", "missing key 'most'"),
        ("{ratio: plain/hand, most: 1, level: O3}", "'level' is 'O3'; it is one of O0, O2"),
        ("{ratio: plain/hand, most: 1, of: byte}", "'of' is 'byte'; did you mean 'bytes'?"),
    ],
)
def test_a_mistake_in_a_limit_is_named(tmp_path: Path, limit: str, message: str) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(f"limits:\n  - {limit}\n")
    with pytest.raises(ConfigError) as raised:
        load(file, Settings)
    assert message in raised.value.report
    assert raised.value.report.startswith("settings.yaml:2:")


def test_a_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("limits:\n  - {ratio: plain/hand, most: 0.25}\n")
    assert load(file, Settings).limits == (Limit("plain/hand", 0.25, "O0", "instructions"),)


def result(*excess: str) -> dict[str, object]:
    rows = [asdict(each) for each in measurements("p")]
    return {"program": "p", "measurements": rows, "excess": list(excess)}


def test_the_gate_says_which_limits_are_passed() -> None:
    assert cost.judge(result()) == ""
    assert cost.judge(result("p: one", "p: two")) == "p: one\np: two"


def test_a_program_has_a_row_for_each_variant_and_level() -> None:
    rows = cost.count_rows(result())
    assert len(rows) == len(NAMES) * len(LEVELS)
    assert all(len(row) == len(cost.COST.columns) - 1 for row in rows)


def test_the_breakdown_has_a_table_for_each_program_and_level() -> None:
    report = {"programs": [asdict(each) for each in measurements("p", "q")]}
    rows = cost.breakdown_rows(report)
    assert all(len(row) == len(cost.BREAKDOWN.columns) - 1 for row in rows)
    titles = list(dict.fromkeys(row[0] for row in rows))
    assert titles == [
        f"{p} at -{level}: where the instructions go" for p in "pq" for level in LEVELS
    ]


def test_a_skipped_stage_is_one_line() -> None:
    line = "cost: skipped; valgrind is not on PATH"
    assert cost.why_skipped([{"why": "valgrind is not on PATH"}]) == line
