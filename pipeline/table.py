"""The tables of the stages: drawn by rich on a terminal, elsewhere the same as plain text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.table import Table


def print_table(
    stream: TextIO, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Print a table: to a terminal in its width, elsewhere as plain text as wide as it needs."""
    if not stream.isatty():
        stream.write(plain_table(title, columns, rows))
        return
    from rich.console import Console  # noqa: PLC0415 - 60 ms that most commands do not need

    Console(file=stream).print(_table(title, columns, rows))


def plain_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return what rich draws where there is no terminal, which takes rich 2 ms a row."""
    table = [[cell.split("\n") for cell in row] for row in (columns, *rows)]
    widths = [
        max(len(line) for cell in column for line in cell) for column in zip(*table, strict=True)
    ]
    head, *body = [_plain_row(row, widths) for row in table]
    rule = " " + "─" * (sum(widths) + 3 * len(widths) - 1)
    lines = [title, "", *head, rule, *(line for row in body for line in row), ""]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _plain_row(row: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    height = max(map(len, row))
    filled = [[*cell, *[""] * (height - len(cell))] for cell in row]
    return [
        "  " + "   ".join(map(str.ljust, line, widths)).rstrip()
        for line in zip(*filled, strict=True)
    ]


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
