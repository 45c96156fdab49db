"""Markdown tables as tables: columns aligned over all rows, long cells wrapped inside their column."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest

from textual.content import Content

MAX_TABLE_LINES = 200
"""Lines of a table that are aligned with each other; a longer one is drawn in parts."""
_MIN_CELLS = 4
"""The narrowest column of a table that is too wide."""
_MAX_COLUMNS = 24
_BORDER = "$border-blurred"
_PIPE = re.compile(r"(?<!\\)\|")
_RULE_CELL = re.compile(r"\s*:?-+:?\s*")
Render = Callable[[str], Content]


def is_table_line(line: str) -> bool:
    """Return whether a line may be a row of a table."""
    return line.lstrip().startswith("|")


def find_table(source: Sequence[str], at: int) -> range | None:
    """Return the lines of the table around line `at`; None when there is no rule below its first line."""
    first = at
    while first > 0 and at - first < MAX_TABLE_LINES and is_table_line(source[first - 1]):
        first -= 1
    last = at + 1
    while last < len(source) and last - first < MAX_TABLE_LINES and is_table_line(source[last]):
        last += 1
    is_table = last - first > 1 and is_rule(source[first + 1]) and len(split_cells(source[first])) <= _MAX_COLUMNS
    return range(first, last) if is_table else None


def is_rule(line: str) -> bool:
    """Return whether a line parts the head of a table from its rows."""
    return all(_RULE_CELL.fullmatch(cell) for cell in split_cells(line))


def split_cells(line: str) -> list[str]:
    """Return the cells of a row."""
    inner = line.strip().removeprefix("|")
    cells = _PIPE.split(inner)
    return [cell.strip().replace("\\|", "|") for cell in (cells[:-1] if len(cells) > 1 and not cells[-1] else cells)]


def column_widths(rows: Sequence[Sequence[Content]], width: int) -> list[int]:
    """Return the widths of columns that fit into `width` cells; the widest give way first."""
    natural = [max(cell.cell_length for cell in column) for column in zip_longest(*rows, fillvalue=Content(""))]
    room = width - 3 * (len(natural) - 1)
    while sum(natural) > room and max(natural) > _MIN_CELLS:
        widest = max(natural)
        others = [cells for cells in natural if cells < widest]
        count = len(natural) - len(others)
        least = max(_MIN_CELLS, max(others, default=_MIN_CELLS), widest - -(-(sum(natural) - room) // count))
        natural = [min(cells, max(least, widest - 1) if least == widest else least) for cells in natural]
    return natural


def table_row(cells: Sequence[Content], widths: Sequence[int], *, is_head: bool) -> list[Content]:
    """Render a row of a table, on as many rows as its longest cell takes."""
    padded = [*cells, *[Content("")] * (len(widths) - len(cells))][: len(widths)]
    wrapped = [cell.wrap(max(1, width)) or [Content("")] for cell, width in zip(padded, widths, strict=True)]
    rows = []
    for parts in zip_longest(*wrapped, fillvalue=Content("")):
        fitted = [
            part.truncate(width, ellipsis=True).pad_right(max(0, width - part.cell_length))
            for part, width in zip(parts, widths, strict=True)
        ]
        row = Content(" │ ").stylize(_BORDER).join(fitted)
        rows.append(row.stylize("bold") if is_head else row)
    return rows


def rule_row(widths: Sequence[int]) -> Content:
    """Render the rule below the head of a table."""
    return Content("─┼─".join("─" * width for width in widths)).stylize(_BORDER)
