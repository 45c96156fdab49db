"""How a month, a week, a day and a session read, as a row of the tree and as a page of its own.

Pure functions of values; every title in them is data.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from math import ceil, sqrt

from textual.content import Content

from recall_tui.features.consolidation.timeline import PeriodStatus, TimelineDay, TimelineMonth, TimelineWeek
from recall_tui.features.documents.past_sessions import PastSession
from recall_tui.search.time.interpret import TimeConstraint
from recall_tui.text.session_line import SEPARATOR, fit_columns, session_length
from recall_tui.tui.screens.timeline.nodes import TimelineNode, UndatedSessions
from recall_tui.tui.text import plain_line
from recall_tui.tui.widgets.session_row import EDGE_CELLS, session_row

BAR_LEVELS = "▁▂▃▄▅▆▇█"
_MUTED = "$text-muted"
_PAGE_KINDS = {"month": "monthly", "week": "weekly", "day": "log"}
_MAX_TITLES = 3
"""Sessions of a day that the page of a week or a month names."""
_TEXT_MIN_CELLS = 64
"""Cells of a row in which there is room for words."""
_NO_HOUR = "  —  "


def bar_level(weight: int, most: int) -> str:
    """The block that stands for a weight among weights up to `most`; by its root, so that small ones can be told."""
    return BAR_LEVELS[min(len(BAR_LEVELS), max(1, ceil(len(BAR_LEVELS) * sqrt(weight / max(1, most))))) - 1]


def format_day(day: date) -> str:
    """`Fri 6 Mar 2026`."""
    return f"{day:%a} {day.day} {day:%b %Y}"


def format_span(first: date, last: date) -> str:
    """`2–8 Mar`, `6 Mar`; with the year and both months where they differ."""
    if first == last:
        return f"{first.day} {first:%b}"
    if first.year != last.year:
        return f"{first.day} {first:%b %Y} – {last.day} {last:%b %Y}"
    return (
        f"{first.day}–{last.day} {last:%b}"
        if first.month == last.month
        else f"{first.day} {first:%b} – {last.day} {last:%b}"
    )


def format_when(meant: TimeConstraint) -> str:
    """The days that somebody named, as a sentence ends: `on Fri 6 Mar 2026`, `in March 2026`, `from … to …`."""
    first, last = meant.start, meant.end
    if not (first and last):
        return format_days(meant)
    if first == last:
        return f"on {format_day(first)}"
    if meant.grain == "month" and (first.year, first.month) == (last.year, last.month):
        return f"in {first:%B %Y}"
    return f"from {format_day(first)} to {format_day(last)}"


def format_days(meant: TimeConstraint) -> str:
    """The days that somebody named."""
    first, last = meant.start, meant.end
    if first and last:
        return format_day(first) if first == last else f"{format_day(first)} – {format_day(last)}"
    return f"since {format_day(first)}" if first else f"until {format_day(last)}" if last else "any day"


def count_text(count: int, one: str) -> str:
    """`1 session`, `3 sessions`, `1 200 messages`."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def totals_text(sessions: int, messages: int) -> str:
    """`3 sessions · 124 messages`; where there is only a log, `no session`."""
    if not sessions and not messages:
        return "no session"
    return f"{count_text(sessions, 'session')} · {count_text(messages, 'message')}"


def node_name(node: TimelineNode) -> str:
    """What a row is called, in full."""
    match node.thing:
        case TimelineMonth(first=first):
            return f"{first:%B %Y}"
        case TimelineWeek() as week:
            return f"Week {week.number} of {week.year}, {format_span(week.first, week.last)}"
        case TimelineDay(date=day):
            return format_day(day)
        case PastSession(title=title):
            return plain_line(title)
        case UndatedSessions():
            return "Without a date"
    return plain_line(node.thing.stem)


def node_totals(node: TimelineNode) -> str:
    """What a row comes to."""
    match node.thing:
        case TimelineMonth() | TimelineWeek() | TimelineDay() as span:
            return totals_text(span.count, span.messages)
        case PastSession(messages=messages):
            return count_text(messages, "message")
        case UndatedSessions(sessions=sessions):
            return count_text(len(sessions), "session")
    return ""


def node_line(node: TimelineNode, width: int, today: date) -> Content:
    """One row: what it is, what was written of it, what it comes to."""
    mark = {None: "  ", True: "▾ ", False: "▸ "}[node.is_open]
    lead = f" {'  ' * node.depth}{mark}"
    if isinstance(node.thing, PastSession):
        return _session_line(node.thing, lead, width, today)
    label = Content(_label(node, today))
    if node.depth == 0:
        label = label.stylize("bold")
    left = Content.assemble((lead, _MUTED), label, _page_mark(node))
    right = _totals_column(node, width)
    left = left.truncate(max(0, width - len(right) - 2), ellipsis=True)
    gap = max(0, width - left.cell_length - len(right) - 1)
    return Content.assemble(left, " " * gap, (right, _MUTED), " ")


def page_status(node: TimelineNode) -> PeriodStatus:
    """What is to be done about the page of a row."""
    return node.thing.standing if isinstance(node.thing, TimelineMonth | TimelineWeek) else ""


def _page_mark(node: TimelineNode) -> Content:
    """That there is a page of a row, or what is to be done about it, as a sign and a word."""
    standing = page_status(node)
    if standing in ("due", "behind"):
        return Content(f"  ▲ {standing}").stylize("$warning")
    page = f"  ◆ {_PAGE_KINDS[node.kind]}" if node.pages and node.kind in _PAGE_KINDS else ""
    return Content(page + ("  ● review" if standing == "waits" else "")).stylize("$accent")


def _totals_column(node: TimelineNode, width: int) -> str:
    """What a row comes to, in its column; in a narrow list messages are a number alone, as in other lists.

    Where nothing but logs is known it comes to days.
    """
    match node.thing:
        case TimelineDay(count=0):
            return ""
        case TimelineWeek(count=0, days=days):
            return count_text(len(days), "day")
        case TimelineMonth(count=0, days=days):
            return count_text(days, "day")
    if isinstance(node.thing, TimelineMonth | TimelineWeek | TimelineDay) and width < _TEXT_MIN_CELLS:
        return f"{count_text(node.thing.count, 'session')}  {node.thing.messages:>6,}"
    return node_totals(node)


def _label(node: TimelineNode, today: date) -> str:
    match node.thing:
        case TimelineWeek() as week:
            return f"W{week.number:02d}  {format_span(week.first, week.last)}"
        case TimelineDay(date=day):
            return f"{day:%a} {day.day} {day:%b}{'  today' if day == today else ''}"
    return node_name(node)


def _session_line(session: PastSession, lead: str, width: int, today: date) -> Content:
    """The session in the columns of every list, with its hour in front: the row above says the day."""
    when = f"{session.ended_at:%H:%M}" if session.ended_at else _NO_HOUR
    left = Content(f"{lead.removesuffix('  ')}{when} ").stylize(_MUTED)
    columns = fit_columns(width - left.cell_length - EDGE_CELLS, has_dates=session.day is None)
    return left + session_row(session.label, columns, datetime.combine(today, time()))


def node_page(node: TimelineNode) -> str:
    """What is shown of a row that nothing was written of, in markdown."""
    match node.thing:
        case TimelineMonth() as month:
            days = [day for week in month.weeks for day in week.days]
            return _days_page(
                f"{month.first:%B %Y}",
                f"{count_text(len(days), 'day')}",
                node_totals(node),
                days,
                _missing_reason(node),
            )
        case TimelineWeek() as week:
            return _days_page(
                node_name(node), count_text(len(week.days), "day"), node_totals(node), week.days, _missing_reason(node)
            )
        case TimelineDay() as day:
            return _day_page(day)
        case UndatedSessions(sessions=sessions):
            words = "These archives have no date, and neither do their rows in ARCHIVE.md."
            return "\n".join((f"# Without a date\n\n{words}\n", *map(_session_item, sessions)))
    return ""


def _missing_reason(node: TimelineNode) -> str:
    """Why there is no page of a week or a month, and what can be done about it."""
    match page_status(node):
        case "due":
            return f"Its {_PAGE_KINDS[node.kind]} page is due and can be proposed now."
        case "waits":
            return f"Its {_PAGE_KINDS[node.kind]} page waits in Review."
    return f"No {_PAGE_KINDS[node.kind]} page was written."


def _day_page(day: TimelineDay) -> str:
    head = f"# {day.date:%A} {day.date.day} {day.date:%B %Y}\n\n{totals_text(day.count, day.messages)}\n"
    return "\n".join((head, *map(_session_item, day.sessions)))


def empty_day_page(day: date, today: date) -> str:
    """What is shown of a day of which nothing recorded."""
    words = "Nothing is recorded for this day." if day <= today else "This day is still to come."
    return f"# {day:%A} {day.day} {day:%B %Y}\n\n{words}\n"


def _session_item(session: PastSession) -> str:
    """A session as an item of a list."""
    start, end = session.started_at, session.ended_at
    hours = f"{end:%H:%M}" if end else ""
    if start and end and start.date() == end.date() and f"{start:%H:%M}" != hours:
        hours = f"{start:%H:%M}–{hours}"
    facts = [session.project, session.agent, session_length(session.duration), count_text(session.messages, "message")]
    if not session.number:
        facts.append("not archived, transcript gone" if session.is_gone else "not archived")
    told = SEPARATOR.join(filter(None, map(plain_line, facts)))
    return f"- {hours}{'  ' if hours else ''}{plain_line(session.title)}\n  {told}"


def _days_page(name: str, on: str, total: str, days: Sequence[TimelineDay], missing: str) -> str:
    most = max((day.weight for day in days), default=1)
    lines = [f"# {name}\n\n{total} · {on}\n\n{missing}\n"]
    for day in days:
        sessions = dict.fromkeys(plain_line(one.title) for one in day.sessions)
        more = len(sessions) - _MAX_TITLES
        sums_of_day = totals_text(day.count, day.messages)
        lines.append(f"- {bar_level(day.weight, most)} {day.date:%a} {day.date.day} {day.date:%b} · {sums_of_day}")
        lines += [f"  - {title}" for title in list(sessions)[:_MAX_TITLES]]
        lines += [f"  - and {more} more"] if more > 0 else []
    return "\n".join(lines)
