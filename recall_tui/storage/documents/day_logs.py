"""The log of a day: a line for each session that ended on it, and what was learned in sessions, in their own blocks.

What stands in it is never written again: everything is added at the end. Only forgetting a session takes its own out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import NamedTuple

from recall_tui.domain import Append
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown.frontmatter import join_frontmatter
from recall_tui.text.classify.summary import ARROW
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.sentences import split_sentences

_SHORT_ID_CHARS = 8
"""Characters of a session's id by which an entry names it."""
_MAX_TITLE_CHARS, _MAX_TEXT_CHARS, _MAX_LESSON_CHARS = 120, 200, 400
_LINE = re.compile(r"- (?P<time>\d\d:\d\d) (?P<words>.*) \((?P<archive>[\w.-]+), (?P<session>[^\s()]{1,8})\)")
_HEADING = re.compile(r"## Session (?P<session>\S{1,8}) \((?P<time>\d\d:\d\d)\)")
_LESSONS_MARK = re.compile(r"<!-- recall-tui lessons: (?P<session>\S+) (?P<until>\S+) -->")


class SessionLine(NamedTuple):
    """A session that ended on the day."""

    time: str
    """By the clock of where the person is, such as `09:12`."""
    words: str
    archive: str
    """Its archive's name, such as `conversation-014`."""
    session: str
    """The beginning of its id."""


class LessonBlock(NamedTuple):
    """What was learned in a session, or in the newest stretch of it."""

    session_id: str
    time: str
    lessons: tuple[str, ...]
    until: str
    """The newest record that was looked at."""


class DayLog(NamedTuple):
    """What we wrote into the log of a day; what others wrote is not in it."""

    lines: tuple[SessionLine, ...]
    blocks: tuple[LessonBlock, ...]


def local_day(moment: datetime, zone: tzinfo | None) -> date:
    """The day on which it was where the person is."""
    return moment.astimezone(zone).date()


def log_path(layout: Layout, day: date) -> Path:
    """The file of a day."""
    return layout.days / f"{day.isoformat()}.md"


def render_line(moment: datetime, title: str, summary: str, archive: str, session_id: str) -> str:
    """A session that ended at `moment`, which has the offset of where the person is, on one line."""
    said = (*split_sentences(summary.rpartition(ARROW)[2]), "")[0]
    name = shorten(_safe_line(title), _MAX_TITLE_CHARS)
    words = " — ".join(dict.fromkeys(filter(None, (name, shorten(_safe_line(said), _MAX_TEXT_CHARS)))))
    return f"- {moment:%H:%M} {words or 'a session'} ({archive}, {_short_id(session_id)})"


def entry_text(text: str) -> str:
    """The words of a session's line, without its hour and where it is kept; empty when the text is no such line."""
    found = _LINE.fullmatch(text.strip())
    return found["words"] if found else ""


def render_block(moment: datetime, session_id: str, lessons: Iterable[str], until: str) -> str:
    """What was learned in a session that ended at `moment`, as session recall writes it, and a mark of the session."""
    bullets = "\n".join(f"- {shorten(_safe_line(lesson), _MAX_LESSON_CHARS)}" for lesson in lessons)
    mark = f"<!-- recall-tui lessons: {mark_text(session_id)} {mark_text(until)} -->"
    return f"## Session {_short_id(session_id)} ({moment:%H:%M})\n\n{bullets}\n\n{mark}"


def append_entry(layout: Layout, day: date, entry: str) -> Append:
    """The edit that puts an entry at the end of a day, a blank line before it; a missing file is begun."""
    path = log_path(layout, day)
    text = read_text(path)
    if text:
        return Append(path, f"{'' if text.endswith(chr(10)) else chr(10)}\n{entry}\n")
    return Append(path, f"{_file_header(layout, day)}\n{entry}\n")


def parse_log(text: str) -> DayLog:
    """The lines and blocks that we wrote; a block without its mark is a person's."""
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
    """The log without what we wrote of these sessions; `others` are archives of others, whose ids may begin alike."""
    ids = {mark_text(id) for id in sessions}
    shorts = {_short_id(id) for id in ids}
    kept: list[str] = []
    block_from: int | None = None
    for row in text.splitlines(keepends=True):
        bare = row.rstrip("\r\n")
        if (match := _LINE.fullmatch(bare)) and match["session"] in shorts and match["archive"] not in others:
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
    """What archives of these numbers are called in the log, wherever the layout may keep them."""
    return {f"{place.prefix}-{number:03d}" for number in numbers for place in layout.archives}


def _drop_blank(rows: list[str]) -> None:
    """Take the blank line away that stood before an entry that goes."""
    if rows and not rows[-1].strip():
        del rows[-1]


def _file_header(layout: Layout, day: date) -> str:
    """How a new file begins: as hierarchical Recall writes it; session recall's have no head."""
    if layout.design.writes_lessons:
        return ""
    return join_frontmatter({"type": "daily"}, f"\n## {day.isoformat()}\n")


def _short_id(session_id: str) -> str:
    return mark_text(session_id)[:_SHORT_ID_CHARS]


def mark_text(text: str) -> str:
    """The text as a mark holds it: without what would end it or a pair of brackets."""
    return re.sub(r"[\s()]|--|[<>]", "_", text) or "-"


def _safe_line(text: str) -> str:
    """On one line, and without the beginning of a comment, which would hide what follows."""
    return one_line(strip_controls(text)).replace("<!--", "‹!--")
