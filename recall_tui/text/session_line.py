"""A session on one line, the same wherever one is named: title · project · agent · date · length.

The columns of a list hold the same facts in the same order; where a list is narrow the project is cut first, then the
agent leaves, then the project.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.dates import local_day
from recall_tui.text.folder_name import path_name

if TYPE_CHECKING:
    from recall_tui.domain import ArchiveEntry, SessionLabel, WindowEntry

SEPARATOR = " · "
UNTITLED_SESSION = "Session without a title"
SESSION_HEADS = ("title", "project", "agent", "date", "length")
MAX_TABLE_TITLE_CHARS = 60
GAP_CELLS = 2
"""Cells between two columns."""
PROJECT_CELLS, AGENT_CELLS, DATE_CELLS, LENGTH_CELLS = 12, 7, 6, 6
MIN_PROJECT_CELLS = 8
MIN_TITLE_CELLS = 24
"""The narrowest title that leaves room for another column."""
_YEAR_CELLS = len(" 2025")
_ARROW = " → "
"""Parts the request from the outcome in a summary; see `text.classify.summary`, which takes longer to import."""
_UNKNOWN_LENGTHS = ("unknown", "—", "?")


class SessionColumns(NamedTuple):
    """The widths of a list's columns, in cells; 0 for one that has no room."""

    title: int
    project: int
    agent: int
    date: int
    length: int


def fit_columns(width: int, *, has_dates: bool = True, has_years: bool = False) -> SessionColumns:
    """Return the columns of a list that is `width` cells wide.

    `has_dates` is False where a heading says the day, `has_years` True where some dates are of another year.
    """
    day = (DATE_CELLS + (_YEAR_CELLS if has_years else 0)) * has_dates
    for project, agent, length in (
        (PROJECT_CELLS, AGENT_CELLS, LENGTH_CELLS),
        (MIN_PROJECT_CELLS, AGENT_CELLS, LENGTH_CELLS),
        (PROJECT_CELLS, 0, LENGTH_CELLS),
        (0, 0, LENGTH_CELLS),
        (0, 0, 0),
    ):
        others = [cells for cells in (project, agent, day, length) if cells]
        title = width - sum(others) - GAP_CELLS * len(others)
        if title >= MIN_TITLE_CELLS:
            return SessionColumns(title, project, agent, day, length)
    return SessionColumns(max(0, width), 0, 0, 0, 0)


def session_line(label: SessionLabel, now: datetime | None) -> str:
    """Return the facts of a session on one line; those that are not known are left out.

    `now` is None for a text that is read at any time: its dates have their year.
    """
    return SEPARATOR.join(filter(None, (clean_fact(label.title), session_facts(label, now))))


def fit_line(line: str, width: int) -> str:
    """Return a session's line in `width` characters: its title is cut, so that its facts are still there."""
    title, separator, facts = line.partition(SEPARATOR)
    room = width - len(separator) - len(facts)
    return f"{shorten(title, room)}{separator}{facts}" if len(line) > width and room >= MIN_TITLE_CELLS else line


def session_cells(label: SessionLabel, now: datetime) -> tuple[str, str, str, str, str]:
    """Return the facts of a session as the cells of a table, under `SESSION_HEADS`."""
    title = shorten(clean_fact(label.title), MAX_TABLE_TITLE_CHARS)
    day, length = session_date(label.ended_at, now), session_length(label.length)
    return title, clean_fact(label.project), clean_fact(label.agent), day, length


def session_facts(label: SessionLabel, now: datetime | None) -> str:
    """Return the same without the title."""
    facts = (label.project, label.agent, session_date(label.ended_at, now), session_length(label.length))
    return SEPARATOR.join(filter(None, map(clean_fact, facts)))


def session_date(moment: datetime | None, now: datetime | None) -> str:
    """Return the day as `6 Mar`, with the year when it is not that of `now`; empty when it is not known."""
    if moment is None:
        return ""
    day = local_day(moment, now.tzinfo if now is not None else UTC)
    return f"{day.day} {day:%b}" if now is not None and day.year == now.year else f"{day.day} {day:%b %Y}"


def session_length(duration: str) -> str:
    """Return a duration as it is listed, such as `25m`; empty when it is not known."""
    words = clean_fact(duration).removeprefix("~")
    return "" if words in _UNKNOWN_LENGTHS else words


def clean_fact(text: str) -> str:
    """Return the text on one line without control characters."""
    return one_line(strip_controls(text))


def project_name(project: str) -> str:
    """Return the name of a project that is given by its name or its folder."""
    return path_name(clean_fact(project))


def label_entry(entry: WindowEntry) -> SessionLabel:
    """Return how a session is recognized by its entry in the window alone."""
    from recall_tui.domain import SessionLabel

    title = clean_fact(entry.summary).partition(_ARROW)[0] or "no summary"
    ended = entry.ended_at if entry.ended_at.year > 1 else None
    return SessionLabel(title, "", "", ended, entry.duration)


def label_archive(entry: ArchiveEntry) -> SessionLabel:
    """Return how a session is recognized by the head of its archive."""
    from recall_tui.domain import SessionLabel
    from recall_tui.text.classify.session_title import is_telling

    said = entry.title if entry.title.strip() and is_telling(entry.title) else entry.opening
    title = said or ", ".join(entry.topics)
    # Archives of before there were other agents do not name theirs.
    agent = entry.agent or ("claude" if entry.session_id else "")
    project = project_name(entry.project or entry.cwd)
    return SessionLabel(title or entry.name, project, agent, entry.ended_at or entry.date, entry.duration)
