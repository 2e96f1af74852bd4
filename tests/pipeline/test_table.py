"""What is printed without a terminal is what rich would draw there."""

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pipeline.table import _table, plain_table

CELLS = st.text(st.sampled_from("abc [],.-"), max_size=8).map(str.rstrip)
LINES = st.lists(CELLS, min_size=1, max_size=3).map("\n".join)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.tuples(
        st.lists(st.text("xyz", min_size=1, max_size=5), min_size=width, max_size=width),
        st.lists(st.lists(LINES, min_size=width, max_size=width), min_size=1, max_size=4),
    )
)


@given(TABLES)
def test_it_is_the_table_of_rich(table: tuple[list[str], list[list[str]]]) -> None:
    columns, rows = table
    drawn = io.StringIO()
    console = Console(file=drawn, width=200, force_terminal=False, color_system=None)
    console.print(_table("title", columns, rows))
    expected = [line.rstrip() for line in drawn.getvalue().splitlines()]
    assert plain_table("title", columns, rows).splitlines() == expected
