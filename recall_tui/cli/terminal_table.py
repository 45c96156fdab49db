"""A table on a terminal, whole or in groups with a heading each.

Long cells are folded, except in the column that is cut with an ellipsis; then every row is one line.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_GAP_CELLS = 2
"""Cells between two columns."""
_MIN_CUT_CELLS = 12
"""The narrowest column that is cut; the others are folded if that leaves no room."""


class TableColumns(NamedTuple):
    """The columns of a table, by their 0-based numbers."""

    heads: Sequence[str]
    right: Sequence[int] = ()
    """Columns to align right."""
    cut: int | None = None
    """The column that is shortened to fit."""


def print_groups(
    columns: TableColumns, groups: Sequence[tuple[str, Sequence[Sequence[str]]]], width: int, *, color: bool
) -> None:
    """Print the rows below their headings; `width` is that of the terminal, in cells."""
    console = Console(file=sys.stdout, width=width, no_color=not color, highlight=False, markup=False, emoji=False)
    bold = "bold" if color else ""
    indent = _GAP_CELLS if any(title for title, _ in groups) else 0
    every_row = [row for _, rows in groups for row in rows]
    table = _empty_table(columns, every_row, width - indent, bold)
    if not indent:
        for row in every_row:
            table.add_row(*map(Text, row))
        console.print(table)
        return
    console.print(Padding(table, (0, 0, 0, indent)))
    for title, rows in groups:
        console.print(Text(title, style=bold))
        table = _empty_table(columns, every_row, width - indent)
        table.show_header = False
        for row in rows:
            table.add_row(*map(Text, row))
        console.print(Padding(table, (0, 0, 0, indent)))


def _empty_table(columns: TableColumns, rows: Sequence[Sequence[str]], width: int, style: str = "") -> Table:
    """Return a table for these rows; every group of them has the same columns when one is cut."""
    table = Table(box=None, pad_edge=False, header_style=style)
    widths: list[int | None] = [None] * len(columns.heads)
    if columns.cut is not None:
        widths = [*_fit_widths(columns.heads, rows, columns.cut, width)]
    for number, (head, cells) in enumerate(zip(columns.heads, widths, strict=True)):
        is_cut = number == columns.cut
        table.add_column(
            Text(head),
            justify="right" if number in columns.right else "left",
            overflow="ellipsis" if is_cut else "fold",
            no_wrap=is_cut,
            width=cells,
        )
    return table


def _fit_widths(heads: Sequence[str], rows: Sequence[Sequence[str]], cut: int, width: int) -> list[int]:
    """Return the width of each column, the one that is cut narrowed to what the others leave."""
    widths = [max(map(cell_len, cells)) for cells in zip(heads, *rows, strict=True)]
    others = sum(widths) - widths[cut] + _GAP_CELLS * (len(widths) - 1)
    widths[cut] = min(widths[cut], max(_MIN_CUT_CELLS, width - others))
    return widths
