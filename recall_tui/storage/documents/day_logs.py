"""Day logs: an entry for each session that ended on the day, and blocks of lessons learned in sessions.

An entry is a line, and below it a bullet for each thing that the session decided or learned. Existing text is never
rewritten: entries are appended. Only forgetting a session removes its entries.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown.frontmatter import join_frontmatter
from recall_tui.text.classify.summary import ARROW
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.domain import Append

_SHORT_ID_CHARS = 8
"""Characters of a session's id in an entry."""
_MAX_TITLE_CHARS, _MAX_TEXT_CHARS, _MAX_LESSON_CHARS = 120, 200, 600
_DASH = " — "
"""Separates a session's title from its outcome."""
PointLabel = Literal["Outcome", "Decision", "Lesson"]
_LINE = lazy_pattern(r"- (?P<time>\d\d:\d\d) (?P<words>.*) \((?P<archive>[\w.-]+), (?P<session>[^\s()]{1,8})\)")
_POINT = lazy_pattern(
    r"  - (?P<label>Outcome|Decision|Lesson): (?P<words>.*) \((?P<archive>[\w.-]+), (?P<session>[^\s()]{1,8})\)"
)
_HEADING = lazy_pattern(r"## Session (?P<session>\S{1,8}) \((?P<time>\d\d:\d\d)\)")
_LESSONS_MARK = lazy_pattern(r"<!-- recall-tui lessons: (?P<session>\S+) (?P<until>\S+) -->")


class SessionLine(NamedTuple):
    time: str
    """Local time of the user, such as `09:12`."""
    words: str
    archive: str
    """The archive's name, such as `conversation-014`."""
    session: str
    """The beginning of its id."""


class SessionPoint(NamedTuple):
    """A bullet below a session's line."""

    label: PointLabel
    text: str
    line: int
    """Its line in the log, from 1."""


class SessionEntry(NamedTuple):
    """A session's line with the bullets below it."""

    title: str
    outcome: str
    """Empty when the line has a title alone."""
    line: int
    """Its line in the log, from 1."""
    archive: str
    """The archive's name, such as `conversation-014`."""
    points: tuple[SessionPoint, ...] = ()


class LessonBlock(NamedTuple):
    """The lessons of a session, or of its newest segment."""

    session_id: str
    time: str
    lessons: tuple[str, ...]
    until: str
    """The newest transcript record processed."""


class DayLog(NamedTuple):
    """Our own entries in a day log, without text by others."""

    lines: tuple[SessionLine, ...]
    blocks: tuple[LessonBlock, ...]


def local_day(moment: datetime, zone: tzinfo | None) -> date:
    """Return the local day of a moment."""
    return moment.astimezone(zone).date()


def log_path(layout: Layout, day: date) -> Path:
    """Return the path of a day's log."""
    return layout.days / f"{day.isoformat()}.md"


def render_line(moment: datetime, title: str, summary: str, archive: str, session_id: str) -> str:
    """Render a session that ended at `moment`, which must be in local time, as one line."""
    request = f"{title}{ARROW}"
    outcome = summary.removeprefix(request) if summary.startswith(request) else summary.partition(ARROW)[2] or summary
    said = next((one for one in split_sentences(outcome) if one.rstrip(".") != title.rstrip(".")), "")
    name = shorten(_safe_line(title), _MAX_TITLE_CHARS)
    words = _DASH.join(dict.fromkeys(filter(None, (name, shorten(_safe_line(said), _MAX_TEXT_CHARS)))))
    return f"- {moment:%H:%M} {words or 'a session'} ({archive}, {_short_id(session_id)})"


def render_points(points: Iterable[tuple[PointLabel, str]], archive: str, session_id: str) -> list[str]:
    """Render what a session came to, decided and learned as bullets below its line, each naming the session.

    A label that the speaker wrote is not repeated.
    """
    return [
        f"  - {label}: {shorten(_safe_line(text.removeprefix(f'{label}: ')), _MAX_LESSON_CHARS)}"
        f" ({archive}, {_short_id(session_id)})"
        for label, text in points
    ]


def entry_text(text: str) -> str:
    """Return the text of a line of a session's entry, without time, label and archive; empty for any other text."""
    found = _LINE.fullmatch(text.strip())
    return found["words"] if found else point_text(text)


def point_text(text: str) -> str:
    """Return the text of a bullet below a session's line, without label and archive; empty for any other text."""
    found = _POINT.fullmatch(text.rstrip())
    return found["words"] if found else ""


def named_session(line: str) -> str:
    """Return the beginning of the id of the session that a line is about; empty for any other line."""
    row = line.rstrip()
    found = _LINE.fullmatch(row) or _POINT.fullmatch(row) or _HEADING.fullmatch(row)
    return found["session"] if found else ""


def session_entries(text: str) -> tuple[SessionEntry, ...]:
    """Return the entries of a log's sessions with what stands in them, in the log's order."""
    found: list[SessionEntry] = []
    for number, row in enumerate(text.split("\n"), 1):
        row = row.removesuffix("\r")
        if line := _LINE.fullmatch(row):
            title, _, outcome = line["words"].partition(_DASH)
            found.append(SessionEntry(title, outcome, number, line["archive"]))
        elif found and (point := _POINT.fullmatch(row)):
            one = SessionPoint(cast(PointLabel, point["label"]), point["words"], number)
            found[-1] = found[-1]._replace(points=(*found[-1].points, one))
    return tuple(found)


def find_entry(text: str, archive: str, session_id: str) -> str:
    """Return a session's line with the bullets below it as they stand in a log; empty when there is none."""
    session = _short_id(session_id)
    rows = text.split("\n")

    def is_of(row: str, form: re.Pattern[str]) -> bool:
        match = form.fullmatch(row.removesuffix("\r"))
        return match is not None and (match["archive"], match["session"]) == (archive, session)

    first = next((at for at, row in enumerate(rows) if is_of(row, _LINE)), -1)
    if first < 0:
        return ""
    last = first + 1
    while last < len(rows) and is_of(rows[last], _POINT):
        last += 1
    return "\n".join(rows[first:last])


def render_block(moment: datetime, session_id: str, lessons: Iterable[str], until: str) -> str:
    """Render the lessons of a session that ended at `moment`, in session recall's format, and the session's marker."""
    bullets = "\n".join(f"- {shorten(_safe_line(lesson), _MAX_LESSON_CHARS)}" for lesson in lessons)
    mark = f"<!-- recall-tui lessons: {mark_text(session_id)} {mark_text(until)} -->"
    return f"## Session {_short_id(session_id)} ({moment:%H:%M})\n\n{bullets}\n\n{mark}"


def append_entry(layout: Layout, day: date, entry: str) -> Append:
    """Return the edit that appends an entry to a day's log, after a blank line; it starts a missing file."""
    from recall_tui.domain import Append

    path = log_path(layout, day)
    text = read_text(path)
    if text:
        return Append(path, f"{'' if text.endswith(chr(10)) else chr(10)}\n{entry}\n")
    return Append(path, f"{_file_header(layout, day)}\n{entry}\n")


def parse_log(text: str) -> DayLog:
    """Parse our lines and blocks; a block without its marker is the user's."""
    lines, blocks = [], []
    head: re.Match[str] | None = None
    lessons: list[str] = []
    for row in text.splitlines():
        if match := _LINE.fullmatch(row):
            lines.append(SessionLine(**match.groupdict()))
        if row.startswith("#"):
            head, lessons = _HEADING.fullmatch(row), []
        elif head and row.startswith("- "):
            lessons.append(row[2:])
        elif head and (mark := _LESSONS_MARK.fullmatch(row)) and _short_id(mark["session"]) == head["session"]:
            blocks.append(LessonBlock(mark["session"], head["time"], tuple(lessons), mark["until"]))
            head = None
    return DayLog(tuple(lines), tuple(blocks))


def without_sessions(text: str, sessions: Iterable[str], others: Collection[str] = ()) -> str:
    """Return the log without our entries for these sessions.

    `others` are archives of other sessions, whose short ids may be equal.
    """
    ids = {mark_text(id) for id in sessions}
    shorts = {_short_id(id) for id in ids}
    kept: list[str] = []
    block_from: int | None = None
    for row in text.splitlines(keepends=True):
        bare = row.rstrip("\r\n")
        match = _LINE.fullmatch(bare) or _POINT.fullmatch(bare)
        if match and match["session"] in shorts and match["archive"] not in others:
            if bare.startswith("-"):
                _drop_blank(kept)
            continue
        if bare.startswith("#"):
            block_from = len(kept) if _HEADING.fullmatch(bare) else None
        kept.append(row)
        if block_from is not None and (mark := _LESSONS_MARK.fullmatch(bare)):
            if mark["session"] in ids:
                del kept[block_from:]
                _drop_blank(kept)
            block_from = None
    return "".join(kept)


def archive_names(layout: Layout, numbers: Iterable[int]) -> set[str]:
    """Return the names of archives with these numbers as used in logs, in all the layout's locations."""
    return {f"{place.prefix}-{number:03d}" for number in numbers for place in layout.archives}


def _drop_blank(rows: list[str]) -> None:
    if rows and not rows[-1].strip():
        del rows[-1]


def _file_header(layout: Layout, day: date) -> str:
    """Return the beginning of a new file in hierarchical Recall's format; session recall's has none."""
    if layout.design.writes_lessons:
        return ""
    return join_frontmatter({"type": "daily"}, f"\n## {day.isoformat()}\n")


def _short_id(session_id: str) -> str:
    return mark_text(session_id)[:_SHORT_ID_CHARS]


def mark_text(text: str) -> str:
    """Make a text safe inside a marker: without whitespace, parentheses and comment delimiters."""
    return re.sub(r"[\s()]|--|[<>]", "_", text) or "-"


def _safe_line(text: str) -> str:
    """Return the text on one line, without comment starts, which would hide what follows."""
    return one_line(strip_controls(text)).replace("<!--", "‹!--")
