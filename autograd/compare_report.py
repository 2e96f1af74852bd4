"""What `autograd compare` prints: tables, or the same as JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograd.compare import Comparison, Difference

MOST_SHOWN = 12
"""So many differing elements are listed in tables; the JSON has all of them. Where several
matrices differ they share the number, but each gets its worst two."""

WIDTH_OF_A_FILE = 120


def json_text(title: str, comparisons: Sequence[Comparison]) -> str:
    """Return the comparisons as JSON; `passed` says that no element differs.

    A number that is not finite, for which JSON has no form, becomes the string that Python prints.
    """
    passed = not any(each.differing for each in comparisons)
    matrices = [asdict(each, dict_factory=_finite) for each in comparisons]
    return json.dumps({"program": title, "passed": passed, "matrices": matrices}, indent=1) + "\n"


def _finite(fields: list[tuple[str, object]]) -> dict[str, object]:
    return {
        name: str(value) if isinstance(value, float) and not isfinite(value) else value
        for name, value in fields
    }


def print_tables(title: str, comparisons: Sequence[Comparison]) -> None:
    """Print a line for each matrix, the differing elements, and a summary."""
    console = Console(
        width=None if sys.stdout.isatty() else WIDTH_OF_A_FILE, highlight=False, markup=False
    )
    console.print(f"{title}: hand-derived against generated gradients")
    console.print(_overview(comparisons))
    wrong = [each for each in comparisons if each.differing]
    for each in wrong:
        shown = each.differences[: max(2, MOST_SHOWN // len(wrong))]
        console.print(f"{each.name}, the worst {len(shown)} of {each.differing} that differ")
        console.print(_details(shown))
    count = sum(each.shape[0] * each.shape[1] for each in comparisons)
    if wrong:
        names = ", ".join(each.name for each in wrong)
        elements = sum(each.differing for each in wrong)
        console.print(f"{elements} of {count} elements differ, in: {names}")
        console.print(_verdict(wrong))
        if len(wrong) > 1:
            console.print(_where_to_start(wrong))
    else:
        console.print(f"all {count} elements agree")


def _overview(comparisons: Sequence[Comparison]) -> Table:
    table = Table()
    for column in ("gradient of", "shape", "differ", "worst", "tolerance", "what it looks like"):
        table.add_column(column, justify="right" if column in ("differ", "worst") else "left")
    for each in comparisons:
        shape = "x".join(map(str, each.shape))
        size = each.shape[0] * each.shape[1]
        differ = f"{each.differing} of {size}"
        numbers = (f"{each.worst:.3g}", f"{each.tolerance:.1e}")
        table.add_row(
            each.name, shape, differ, *numbers, each.hint or ("" if each.differing else "agree")
        )
    return table


def _details(differences: Sequence[Difference]) -> Table:
    table = Table()
    for column in ("row", "column", "hand-derived", "generated", "difference", "numerical"):
        table.add_column(column, justify="right")
    for each in differences:
        numerical = "" if each.numerical is None else f"{each.numerical:.9g}"
        numbers = (f"{each.hand:.9g}", f"{each.generated:.9g}", f"{each.hand - each.generated:.3g}")
        table.add_row(str(each.row), str(each.column), *numbers, numerical)
    return table


def _verdict(wrong: Sequence[Comparison]) -> str:
    """Return which side the numerical values take."""
    measured = [
        each
        for comparison in wrong
        for each in comparison.differences
        if each.numerical is not None
    ]
    sided = sum(_sides_with_generated(each) for each in measured)
    if sided == len(measured):
        return f"central differences side with the generated gradient in all {sided} elements tried"
    return (
        f"central differences side with the generated gradient in {sided} of {len(measured)} "
        "elements tried; at a kink (relu at 0, a tied maximum) they side with neither"
    )


def _where_to_start(wrong: Sequence[Comparison]) -> str:
    nearest = max(wrong, key=lambda each: each.last_use)
    return (
        f"start with {nearest.name}: of those that differ it is used nearest to the loss, so a "
        "mistake found there may explain the others"
    )


def _sides_with_generated(difference: Difference) -> bool:
    assert difference.numerical is not None
    generated = abs(difference.numerical - difference.generated)
    return generated < abs(difference.numerical - difference.hand)
