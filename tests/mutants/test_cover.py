from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from mutants.cover import dominators, smallest_cover, sole_catches

CHECKS = [f"c{number}" for number in range(7)]
MATRICES = st.dictionaries(
    st.integers(0, 30).map(str), st.frozensets(st.sampled_from(CHECKS)), max_size=14
)
Matrix = dict[str, frozenset[str]]


def covers(chosen: set[str], killers: Matrix) -> bool:
    return all(row & chosen for row in killers.values() if row)


@given(MATRICES)
def test_no_smaller_set_covers(killers: Matrix) -> None:
    found = smallest_cover(killers, CHECKS)
    assert covers(set(found), killers)
    smaller = combinations(CHECKS, len(found) - 1) if found else ()
    assert not any(covers(set(each), killers) for each in smaller)


@given(MATRICES, st.randoms(use_true_random=False))
def test_the_choice_does_not_depend_on_the_order_of_the_copies(
    killers: Matrix, random: st.DrawFn
) -> None:
    shuffled = list(killers.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert smallest_cover(dict(shuffled), CHECKS) == smallest_cover(killers, CHECKS)


def test_greedy_would_take_one_more() -> None:
    # c0 catches four, so that greed takes it; c1 and c2 catch all six.
    killers = {
        "a": frozenset({"c0", "c1"}),
        "b": frozenset({"c0", "c1"}),
        "c": frozenset({"c0", "c2"}),
        "d": frozenset({"c0", "c2"}),
        "e": frozenset({"c1"}),
        "f": frozenset({"c2"}),
    }
    assert smallest_cover(killers, CHECKS) == ["c1", "c2"]


def test_a_large_matrix_is_no_trouble() -> None:
    checks = [f"c{number}" for number in range(180)]
    killers = {
        str(copy): frozenset(checks[(copy * step * step + step) % 180] for step in range(1, 9))
        for copy in range(400)
    }
    assert covers(set(smallest_cover(killers, checks)), killers)


@given(MATRICES)
def test_what_catches_the_dominators_catches_all(killers: Matrix) -> None:
    hardest = dominators(killers)
    some = {copy: killers[copy] for copy in hardest}
    for size in range(len(CHECKS) + 1):
        for chosen in combinations(CHECKS, size):
            assert covers(set(chosen), some) == covers(set(chosen), killers)


def test_sole_catches() -> None:
    killers = {"a": frozenset({"c1"}), "b": frozenset({"c1", "c2"}), "c": frozenset[str]()}
    assert sole_catches(killers, CHECKS) == {"c1": ["a"]}


def test_nothing_needs_nothing() -> None:
    assert smallest_cover({}, CHECKS) == []
    assert dominators({"a": frozenset()}) == []
