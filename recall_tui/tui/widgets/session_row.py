"""Sessions in the columns of a list: title, project, agent, date, length; and hits, which are sessions or documents.

A day's date is shown once, on its first row in view.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from recall_tui.domain import Hit, SessionLabel
from recall_tui.text.dates import local_day
from recall_tui.text.session_line import GAP_CELLS, SESSION_HEADS, SessionColumns, session_date, session_length
from recall_tui.tui.text import highlight, match_excerpt, plain_line, strip_markdown

if TYPE_CHECKING:
    from recall_tui.domain import IndexRow

MUTED = "$text-muted"
EDGE_CELLS = 2
"""Cells of a row left and right of its columns."""
EXCERPT_ROWS = 2
_MIN_MARK_TITLE_CELLS = 16
"""The narrowest title that leaves room for a mark behind it."""
_KIND_LABELS = {"transcript": "session", "conversation": "session"}
_SUMMARY_PREFIX = "**Summary**:"
"""The start of a session's text in the window; its id and figures precede it."""


def no_sessions_text(where: str, *, fills_itself: bool) -> str:
    """Words for a list without sessions; `fills_itself` where hooks add each session that ends."""
    if not fills_itself:
        return f"No sessions yet. They appear {where} when you add them: A in Health (6) adds those of this machine."
    return (
        f"No sessions yet. Sessions of connected agents appear {where} as they end. Health (6) connects agents, and A "
        "there keeps the sessions that this machine has already."
    )


def heads_row(columns: SessionColumns) -> Content:
    """Render the names of the columns."""
    cells = [
        _fitted(Content(name), width, right=name == "Length")
        for name, width in zip(map(str.title, SESSION_HEADS), columns, strict=True)
        if width
    ]
    return Content.assemble(" ", Content(" " * GAP_CELLS).join(cells), " ").stylize(MUTED)


def session_row(
    label: SessionLabel,
    columns: SessionColumns,
    now: datetime,
    *,
    lead: str = " ",
    is_same_day: bool = False,
    title: Content | None = None,
) -> Content:
    """Render a session; `is_same_day` when the row above shows its date, `title` when it is more than text."""
    day = "" if is_same_day else session_date(label.ended_at, now)
    facts = ((label.project, False), (label.agent, False), (day, False), (session_length(label.length), True))
    cells = [_fitted(title if title is not None else Content(plain_line(label.title)), columns.title)]
    cells += [
        _fitted(Content(plain_line(fact)), width, right=right).stylize(MUTED)
        for (fact, right), width in zip(facts, columns[1:], strict=True)
        if width
    ]
    return Content.assemble(lead, Content(" " * GAP_CELLS).join(cells), " ")


def hit_row(hit: Hit, columns: SessionColumns, now: datetime, pattern: re.Pattern[str] | None) -> Content:
    """Render a hit by its session, or by its document with its kind in the project's place; matches are lit."""
    label = label_hit(hit)
    mark = f"  {_validity_label(hit)}" if "validity" in hit.why else ""
    # Where both do not fit, the title is more useful.
    mark = mark if columns.title - len(mark) >= _MIN_MARK_TITLE_CELLS else ""
    name = _fitted(Content(plain_line(label.title)), columns.title - len(mark))
    title = Content.assemble(highlight(name, pattern), (mark, MUTED))
    return session_row(label, columns, now, title=title)


def label_hit(hit: Hit) -> SessionLabel:
    """Return how a hit is recognized: by its session, else by the section of its document."""
    if hit.label is not None:
        return hit.label
    kind = _KIND_LABELS.get(hit.kind, plain_line(hit.kind)) or "text"
    section = plain_line(hit.heading).rpartition(" › ")[2]
    title = section or plain_line(hit.title) or plain_line(hit.document).rpartition("/")[2]
    return SessionLabel(title, kind, "", hit.date)


def hit_excerpt(hit: Hit, pattern: re.Pattern[str] | None, width: int) -> Content:
    """Render the words by which a hit was found, `width` characters of them, with the matches lit."""
    snippet = hit.snippet.rpartition(_SUMMARY_PREFIX)[2] if hit.kind == "window" else hit.snippet
    words = match_excerpt(strip_markdown(snippet or hit.heading or hit.title), pattern, width)
    return highlight(Content(words), pattern)


def label_row(row: IndexRow) -> SessionLabel:
    """Return how a session is recognized by its row of ARCHIVE.md alone."""
    from recall_tui.text.dates import parse_time

    words = plain_line(", ".join(row.topics) or row.trigger) or f"{row.number:03d}"
    return SessionLabel(words, "", "", parse_time(row.date), row.duration)


def label_day(label: SessionLabel, now: datetime) -> date | None:
    """Return the day that a session's row shows."""
    return local_day(label.ended_at, now.tzinfo) if label.ended_at is not None else None


def _validity_label(hit: Hit) -> str:
    from recall_tui.search.ranking.claim_validity import validity_label

    return validity_label(hit.why)


def _fitted(content: Content, width: int, *, right: bool = False) -> Content:
    """Return the content in exactly `width` cells."""
    content = content.truncate(max(0, width), ellipsis=True)
    gap = max(0, width - content.cell_length)
    return content.pad_left(gap) if right else content.pad_right(gap)


class HitExcerpt(Static):
    """The words by which the hit under the cursor was found, where there is no room for its document."""

    def __init__(self) -> None:
        super().__init__(id="excerpt")
        self._hit: Hit | None = None
        self._pattern: re.Pattern[str] | None = None

    def show(self, hit: Hit | None, pattern: re.Pattern[str] | None) -> None:
        """Show the words of a hit, or nothing."""
        self._hit, self._pattern = hit, pattern
        self.refresh()

    def render(self) -> Content:
        """The words, with the matches lit."""
        cells = max(0, self.content_size.width) * EXCERPT_ROWS - 1
        return hit_excerpt(self._hit, self._pattern, cells) if self._hit is not None and cells > 0 else Content("")
