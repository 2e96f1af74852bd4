"""Sets of checks: which are enough, which are needed, which copies decide it.

The input is a kill matrix as a mapping from each copy to the checks that catch it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Killers = frozenset[str]
Element = TypeVar("Element")


def smallest_cover(killers: Mapping[str, Killers], checks: Sequence[str]) -> list[str]:
    """Return as few checks as catch every copy that any check catches, in the order of `checks`.

    Exact. Among covers of the same size the choice is deterministic, and does not depend on the
    order of the copies.
    """
    place = {check: number for number, check in enumerate(checks)}
    rows = _minimal({frozenset(place[check] for check in row) for row in killers.values() if row})
    return [checks[number] for number in sorted(_search(rows))]


def dominators(killers: Mapping[str, Killers]) -> list[str]:
    """Return copies such that whatever catches all of them catches all the others too.

    They are those whose killers include no other copy's killers; of equal sets the first copy.
    """
    first: dict[Killers, str] = {}
    for copy, row in killers.items():
        if row:
            first.setdefault(row, copy)
    kept = _minimal(set(first))
    return [copy for row, copy in first.items() if row in kept]


def sole_catches(killers: Mapping[str, Killers], checks: Sequence[str]) -> dict[str, list[str]]:
    """Return the copies that only one check catches, by that check."""
    alone: dict[str, list[str]] = {check: [] for check in checks}
    for copy, row in killers.items():
        if len(row) == 1:
            alone[next(iter(row))].append(copy)
    return {check: copies for check, copies in alone.items() if copies}


def _minimal(rows: Iterable[frozenset[Element]]) -> set[frozenset[Element]]:
    """Return the sets that include no other one."""
    kept: list[frozenset[Element]] = []
    for row in sorted(set(rows), key=len):
        if not any(other <= row for other in kept):
            kept.append(row)
    return set(kept)


def _search(rows: set[frozenset[int]]) -> frozenset[int]:
    """Return the smallest set that meets every row; branch and bound."""
    best = _greedy(rows)
    pending: list[tuple[frozenset[int], set[frozenset[int]]]] = [(frozenset(), rows)]
    while pending:
        chosen, left = pending.pop()
        chosen, left = _reduced(chosen, left)
        if len(chosen) + _at_least(left) >= len(best):
            continue
        if not left:
            best = chosen
            continue
        branch = min(left, key=lambda row: (len(row), sorted(row)))
        excluded: set[int] = set()
        children: list[tuple[frozenset[int], set[frozenset[int]]]] = []
        for column in sorted(branch, key=lambda each: (-_weight(each, left), each)):
            rest = {row - excluded for row in left if column not in row}
            if all(rest):
                children.append((chosen | {column}, _minimal(rest)))
            excluded.add(column)
        pending += reversed(children)
    return best


def _reduced(
    chosen: frozenset[int], rows: set[frozenset[int]]
) -> tuple[frozenset[int], set[frozenset[int]]]:
    """Take columns that have to be taken, and drop those that another one can stand for."""
    while True:
        forced = frozenset().union(*(row for row in rows if len(row) == 1))
        if forced:
            chosen |= forced
            rows = {row for row in rows if not row & forced}
        columns = frozenset().union(*rows)
        meets = {column: {row for row in rows if column in row} for column in columns}
        useless = {one for one in columns if _replaceable(one, columns, meets)}
        if not useless:
            return chosen, rows
        rows = _minimal({row - useless for row in rows})


def _replaceable(
    one: int, columns: frozenset[int], meets: Mapping[int, set[frozenset[int]]]
) -> bool:
    return any(
        meets[one] < meets[other] or (meets[one] == meets[other] and other < one)
        for other in columns
        if other != one
    )


def _at_least(rows: set[frozenset[int]]) -> int:
    """Return a lower bound: as many columns as there are rows found that share none."""
    seen: set[int] = set()
    count = 0
    for row in sorted(rows, key=lambda each: (len(each), sorted(each))):
        if not row & seen:
            seen |= row
            count += 1
    return count


def _greedy(rows: set[frozenset[int]]) -> frozenset[int]:
    chosen: frozenset[int] = frozenset()
    left = set(rows)
    while left:
        columns = frozenset().union(*left)
        column = max(sorted(columns), key=lambda each: _weight(each, left))
        chosen |= {column}
        left = {row for row in left if column not in row}
    return chosen


def _weight(column: int, rows: set[frozenset[int]]) -> int:
    return sum(column in row for row in rows)
