"""The tables of the stages; rich is imported when one is printed, not when doit starts."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.table import Table


def print_table(
    stream: TextIO, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Print a table: to a terminal in its width, elsewhere as plain text as wide as it needs."""
    from rich.console import Console  # noqa: PLC0415 - 60 ms that most commands do not need

    table = _table(title, columns, rows)
    if stream.isatty():
        Console(file=stream).print(table)
        return
    plain = io.StringIO()
    wide = max(len(line) for row in [columns, *rows] for cell in row for line in cell.split("\n"))
    width = len(title) + len(columns) * (wide + 3) + 1
    Console(file=plain, width=width, force_terminal=False, color_system=None).print(table)
    stream.write("".join(f"{line.rstrip()}\n" for line in plain.getvalue().splitlines()))


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    """Build the table; the cells are text, never rich's markup, which also uses brackets."""
    from rich import box  # noqa: PLC0415 - as above
    from rich.table import Table  # noqa: PLC0415 - as above
    from rich.text import Text  # noqa: PLC0415 - as above

    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(Text(column))
    for row in rows:
        table.add_row(*map(Text, row))
    return table
