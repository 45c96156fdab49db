"""How a month, a week, a day and a session read, as a row of the tree and as a page of its own.

Pure functions of values; every title in them is data.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import ceil, sqrt

from textual.content import Content

from recall_tui.features.consolidation.status import Standing
from recall_tui.features.consolidation.timeline import Day, Month, Week
from recall_tui.features.documents.past_sessions import PastSession
from recall_tui.search.time.interpret import When
from recall_tui.tui.screens.timeline.nodes import Node, Undated
from recall_tui.tui.text import one_line

LEVELS = "▁▂▃▄▅▆▇█"
_MUTED = "$text-muted"
_PAGES = {"month": "monthly", "week": "weekly", "day": "log"}
_TITLES = 3
"""Sessions of a day that the page of a week or a month names."""
_WORDS_FROM = 64
"""Cells of a row in which there is room for words."""
_UNKNOWN = "unknown"
"""What archives say of a session of which no length is known."""
_NO_HOUR = "  —  "


def level(weight: int, most: int) -> str:
    """The block that stands for a weight among weights up to `most`; by its root, so that small ones can be told."""
    return LEVELS[min(len(LEVELS), max(1, ceil(len(LEVELS) * sqrt(weight / max(1, most))))) - 1]


def day_name(day: date) -> str:
    """`Fri 6 Mar 2026`."""
    return f"{day:%a} {day.day} {day:%b %Y}"


def span_name(first: date, last: date) -> str:
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


def when_name(meant: When) -> str:
    """The days that somebody named."""
    first, last = meant.start, meant.end
    if first and last:
        return day_name(first) if first == last else f"{day_name(first)} – {day_name(last)}"
    return f"since {day_name(first)}" if first else f"until {day_name(last)}" if last else "any day"


def counted(count: int, one: str) -> str:
    """`1 session`, `3 sessions`, `1 200 messages`."""
    return f"{count:,} {one}{'' if count == 1 else 's'}".replace(",", " ")


def sums(sessions: int, messages: int) -> str:
    """`3 sessions · 124 messages`; where there is only a log, `no session`."""
    if not sessions and not messages:
        return "no session"
    return f"{counted(sessions, 'session')} · {counted(messages, 'message')}"


def name_of(node: Node) -> str:
    """What a row is called, in full."""
    match node.thing:
        case Month(first=first):
            return f"{first:%B %Y}"
        case Week() as week:
            return f"Week {week.number} of {week.year}, {span_name(week.first, week.last)}"
        case Day(date=day):
            return day_name(day)
        case PastSession(title=title):
            return one_line(title)
        case Undated():
            return "Without a date"
    return one_line(node.thing.stem)


def sums_of(node: Node) -> str:
    """What a row comes to."""
    match node.thing:
        case Month() | Week() | Day() as span:
            return sums(span.count, span.messages)
        case PastSession(messages=messages):
            return counted(messages, "message")
        case Undated(sessions=sessions):
            return counted(len(sessions), "session")
    return ""


def node_line(node: Node, width: int, today: date) -> Content:
    """One row: what it is, what was written of it, what it comes to."""
    mark = {None: "  ", True: "▾ ", False: "▸ "}[node.is_open]
    lead = f" {'  ' * node.depth}{mark}"
    if isinstance(node.thing, PastSession):
        return _session_line(node.thing, lead, width)
    label = Content(_label(node, today))
    if node.depth == 0:
        label = label.stylize("bold")
    left = Content.assemble((lead, _MUTED), label, _written(node))
    right = _sums_right(node, width)
    left = left.truncate(max(0, width - len(right) - 2), ellipsis=True)
    gap = max(0, width - left.cell_length - len(right) - 1)
    return Content.assemble(left, " " * gap, (right, _MUTED), " ")


def standing_of(node: Node) -> Standing:
    """What is to be done about the page of a row."""
    return node.thing.standing if isinstance(node.thing, Month | Week) else ""


def _written(node: Node) -> Content:
    """That there is a page of a row, or what is to be done about it, as a sign and a word."""
    standing = standing_of(node)
    if standing in ("due", "behind"):
        return Content(f"  ▲ {standing}").stylize("$warning")
    page = f"  ◆ {_PAGES[node.kind]}" if node.pages and node.kind in _PAGES else ""
    return Content(page + ("  ● in review" if standing == "waits" else "")).stylize("$accent")


def _sums_right(node: Node, width: int) -> str:
    """What a row comes to, in its column; in a narrow list messages are a number alone, as in other lists.

    Where nothing but logs is known it comes to days.
    """
    match node.thing:
        case Day(count=0):
            return ""
        case Week(count=0, days=days):
            return counted(len(days), "day")
        case Month(count=0, days=days):
            return counted(days, "day")
    if isinstance(node.thing, Month | Week | Day) and width < _WORDS_FROM:
        return f"{counted(node.thing.count, 'session')}  {node.thing.messages:>6}"
    return sums_of(node)


def _label(node: Node, today: date) -> str:
    match node.thing:
        case Week() as week:
            return f"W{week.number:02d}  {span_name(week.first, week.last)}"
        case Day(date=day):
            return f"{day:%a} {day.day} {day:%b}{'  today' if day == today else ''}"
    return name_of(node)


def _session_line(session: PastSession, lead: str, width: int) -> Content:
    when = f"{session.ended_at:%H:%M}" if session.ended_at else _NO_HOUR
    name = f"{session.number:03d}" if session.number else "talk"
    duration = _duration(session) or "—"
    right = f"{session.messages:>5} {duration:>6} " if width >= 40 else f"{session.messages:>5} "
    left = Content.assemble((f"{lead.removesuffix('  ')}{when} {name:<4} ", _MUTED))
    room = max(0, width - left.cell_length - len(right) - 1)
    title = Content(one_line(session.title)).truncate(room, ellipsis=True)
    gap = max(0, width - left.cell_length - title.cell_length - len(right))
    return Content.assemble(left, title, " " * gap, (right, _MUTED))


def page_of(node: Node) -> str:
    """What is shown of a row that nothing was written of, in markdown."""
    match node.thing:
        case Month() as month:
            days = [day for week in month.weeks for day in week.days]
            return _days_page(
                f"{month.first:%B %Y}", f"{counted(len(days), 'day')}", sums_of(node), days, _missing(node)
            )
        case Week() as week:
            return _days_page(name_of(node), counted(len(week.days), "day"), sums_of(node), week.days, _missing(node))
        case Day() as day:
            return _day_page(day)
        case Undated(sessions=sessions):
            words = "Neither these archives nor their rows in ARCHIVE.md say when they were held."
            return "\n".join((f"# Without a date\n\n{words}\n", *map(_entry, sessions)))
    return ""


def _missing(node: Node) -> str:
    """Why there is no page of a week or a month, and what can be done about it."""
    match standing_of(node):
        case "due":
            return f"It is over and has enough for a {_PAGES[node.kind]} page: one can be proposed now."
        case "waits":
            return f"Its {_PAGES[node.kind]} page waits in Review."
    return f"No {_PAGES[node.kind]} page was written."


def _day_page(day: Day) -> str:
    head = f"# {day.date:%A} {day.date.day} {day.date:%B %Y}\n\n{sums(day.count, day.messages)}\n"
    return "\n".join((head, *map(_entry, day.sessions)))


def empty_day_page(day: date, today: date) -> str:
    """What is shown of a day of which nothing is known."""
    words = "Nothing is known of this day." if day <= today else "This day is still to come."
    return f"# {day:%A} {day.day} {day:%B %Y}\n\n{words}\n"


def _entry(session: PastSession) -> str:
    """A session as an item of a list."""
    start, end = session.started_at, session.ended_at
    hours = f"{end:%H:%M}" if end else ""
    if start and end and start.date() == end.date() and f"{start:%H:%M}" != hours:
        hours = f"{start:%H:%M}–{hours}"
    facts = [counted(session.messages, "message"), _duration(session)]
    if not session.number:
        facts.append("not archived, transcript gone" if session.is_gone else "not archived")
    told = " · ".join(filter(None, facts))
    return f"- {hours}{'  ' if hours else ''}{one_line(session.title)}\n  {told}"


def _duration(session: PastSession) -> str:
    """How long it took; empty when nobody knows."""
    words = one_line(session.duration).removeprefix("~")
    return "" if words == _UNKNOWN else words


def _days_page(name: str, on: str, total: str, days: Sequence[Day], missing: str) -> str:
    most = max((day.weight for day in days), default=1)
    lines = [f"# {name}\n\n{total} · {on}\n\n{missing}\n"]
    for day in days:
        sessions = dict.fromkeys(one_line(one.title) for one in day.sessions)
        more = len(sessions) - _TITLES
        sums_of_day = sums(day.count, day.messages)
        lines.append(f"- {level(day.weight, most)} {day.date:%a} {day.date.day} {day.date:%b} · {sums_of_day}")
        lines += [f"  - {title}" for title in list(sessions)[:_TITLES]]
        lines += [f"  - and {more} more"] if more > 0 else []
    return "\n".join(lines)
