"""The table of `list`: on a terminal grouped by day below headings, elsewhere a row for each document.

On a terminal every document is one line; a title that is too long ends with an ellipsis.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import TYPE_CHECKING

from recall_tui.cli.output import Output
from recall_tui.domain import SessionLabel
from recall_tui.text.cut import shorten
from recall_tui.text.dates import local_day
from recall_tui.text.session_line import GAP_CELLS, MIN_TITLE_CELLS, PROJECT_CELLS, SESSION_HEADS, session_cells

if TYPE_CHECKING:
    from recall_tui.features.documents.listing import DocumentRow

_HEADS = ("name", "kind", *SESSION_HEADS)
_TITLE, _PROJECT, _AGENT, _DATE = (_HEADS.index(name) for name in ("title", "project", "agent", "date"))


def print_documents(out: Output, rows: Sequence[DocumentRow], now: datetime) -> None:
    """Print the documents in their order."""
    if not out.is_terminal:
        out.table(_HEADS, [_cells(row, now) for row in rows], right=(len(_HEADS) - 1,))
        return
    by_day = sorted(rows, key=lambda row: _day(row, now), reverse=True)
    days = [
        (day, [_short_cells(row, now) for row in group])
        for day, group in groupby(by_day, key=lambda row: _day(row, now))
    ]
    shown = _fit_columns([row for _, group in days for row in group], out.columns or 0)
    groups = [(_heading(day, now), [[row[at] for at in shown] for row in group]) for day, group in days]
    right = [place for place, at in enumerate(shown) if at == len(_HEADS) - 1]
    out.grouped_table([_HEADS[at] for at in shown], groups, right=right, cut=shown.index(_TITLE))


def _cells(row: DocumentRow, now: datetime) -> tuple[str, ...]:
    """A row's cells; a document that is no session has a title and a date alone."""
    label = row.label or SessionLabel(row.title, ended_at=row.first)
    return row.name, row.kind, *session_cells(label, now)


def _fit_columns(rows: Sequence[tuple[str, ...]], width: int) -> list[int]:
    """The columns that hold something; where the title would be too narrow the agent leaves, then the project."""
    shown = [at for at in range(len(_HEADS)) if at in (0, _TITLE) or (at != _DATE and any(row[at] for row in rows))]
    for leaving in (_AGENT, _PROJECT):
        others = [max(len(row[at]) for row in (_HEADS, *rows)) for at in shown if at != _TITLE]
        if width - sum(others) - GAP_CELLS * (len(others) + 1) >= MIN_TITLE_CELLS:
            break
        shown = [at for at in shown if at != leaving]
    return shown


def _short_cells(row: DocumentRow, now: datetime) -> tuple[str, ...]:
    cells = _cells(row, now)
    return (*cells[:_PROJECT], shorten(cells[_PROJECT], PROJECT_CELLS), *cells[_PROJECT + 1 :])


def _day(row: DocumentRow, now: datetime) -> date:
    moment = row.label.ended_at if row.label else row.first
    return local_day(moment, now.tzinfo) if moment else date.min


def _heading(day: date, now: datetime) -> str:
    """The day as `Sun 15 Feb`, with the year when it is not that of `now`."""
    if day == date.min:
        return "without a date"
    return f"{day:%a} {day.day} {day:%b}" if day.year == now.year else f"{day:%a} {day.day} {day:%b %Y}"
