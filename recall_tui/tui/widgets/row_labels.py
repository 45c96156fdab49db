"""How one archive, one hit, one session of the window and one search look as a row.

Pure functions of a value and a width; every text in them is data.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from pathlib import PurePosixPath

from textual.content import Content

from recall_tui.domain import Hit, IndexRow, WindowEntry
from recall_tui.storage.state.saved_searches import SavedSearch
from recall_tui.text.dates import local_day, local_time
from recall_tui.tui.text import highlight, match_excerpt, plain_line, strip_markdown

_MUTED = "$text-muted"
_ARCHIVE_NAME = re.compile(r"(?:conversation|archive-log)-(\d+)")
_NAME_WIDTH = 6
_MIN_TEXT_CELLS = 24
"""Cells of a hit's words below which nothing is said beside them."""
_SHORT_KINDS = {"transcript": "talk", "conversation": "talk"}
"""Kinds whose name does not fit a row."""
_SUMMARY_PREFIX = "**Summary**:"
"""What a session's words begin with in the window; before it stand its id and its figures."""


def index_line(row: IndexRow, width: int) -> Content:
    """`014  03-06  auth, jwt   34  30m`."""
    topics = plain_line(", ".join(row.topics) or row.trigger) or "—"
    right = f"{row.messages:>4}  {_short_duration(row.duration):>6}" if width >= 32 else f"{row.messages:>4}"
    left = f" {row.number:03d}  "
    date = f"{plain_line(row.date)[5:10]:<5}  "
    room = max(0, width - len(left) - len(date) - len(right) - 2)
    return Content.assemble(
        left, (date, _MUTED), Content(topics).truncate(room, ellipsis=True).pad_right(max(0, room - _cells(topics))),
        " ", (right, _MUTED), " ",
    )  # fmt: skip


def hit_line(hit: Hit, pattern: re.Pattern[str] | None, zone: tzinfo | None, width: int) -> Content:
    """`014     03-06  … why we picked jwt over sessions …` with the matched words lit, and until when it held."""
    name = Content(hit_name(hit)).truncate(_NAME_WIDTH, ellipsis=True)
    name = name.pad_right(_NAME_WIDTH - name.cell_length)
    date = f"{local_day(hit.date, zone):%m-%d}" if hit.date else "  —  "
    mark = f"  {_validity_label(hit)}" if "validity" in hit.why else ""
    room = max(8, width - _NAME_WIDTH - len(date) - 6)
    # Where there is no room for both, the words say more.
    mark = mark if room - len(mark) >= _MIN_TEXT_CELLS else ""
    room -= len(mark)
    snippet = hit.snippet.rpartition(_SUMMARY_PREFIX)[2] if hit.kind == "window" else hit.snippet
    words = highlight(
        Content(match_excerpt(strip_markdown(snippet or hit.heading or hit.title), pattern, room)), pattern
    )
    words = words.truncate(room, ellipsis=True)
    end = (words.pad_right(room - words.cell_length), (mark, _MUTED)) if mark else (words,)
    return Content.assemble(" ", name, "  ", (date, _MUTED), "  ", *end, " ")


def _validity_label(hit: Hit) -> str:
    from recall_tui.search.ranking.claim_validity import validity_label

    return validity_label(hit.why)


def window_line(entry: WindowEntry, now: datetime, width: int, *, leaves_next: bool) -> Content:
    """`● today 09:12  token refresh race  25m`; a hollow dot for the session that drops out next."""
    when = f"{day_label(entry.ended_at, now):<5} {local_time(entry.ended_at, now.tzinfo):%H:%M}  "
    duration = f"{_short_duration(entry.duration):>5}"
    summary = plain_line(entry.summary) or "no summary"
    room = max(0, width - 3 - len(when) - len(duration) - 3)
    return Content.assemble(
        " ", ("○ " if leaves_next else "● ", _MUTED), (when, _MUTED),
        Content(summary).truncate(room, ellipsis=True).pad_right(max(0, room - _cells(summary))),
        "  ", (duration, _MUTED), " ",
    )  # fmt: skip


def day_label(at: datetime, now: datetime) -> str:
    """`today`, the weekday within the last six days, else month and day."""
    day, today = local_time(at, now.tzinfo).date(), now.date()
    if day == today:
        return "today"
    return f"{day:%a}" if 0 < (today - day).days < 7 else f"{day:%m-%d}"


def hit_name(hit: Hit) -> str:
    """What a hit's document is called in a row: an archive's number, else its kind."""
    if match := _ARCHIVE_NAME.fullmatch(PurePosixPath(hit.document).stem):
        return f"{int(match[1]):03d}"
    return _SHORT_KINDS.get(hit.kind, plain_line(hit.kind)) or "text"


def search_line(search: SavedSearch, pattern: re.Pattern[str] | None, width: int) -> Content:
    """`◆ auth history   why did we pick jwt`; a recent search has no name and no mark."""
    question = plain_line(search.question)
    if not search.name:
        return Content.assemble("   ", highlight(Content(question), pattern).truncate(max(0, width - 4), ellipsis=True))
    name = highlight(Content(plain_line(search.name)), pattern).truncate(max(0, width // 3), ellipsis=True)
    room = max(0, width - name.cell_length - 7)
    words = highlight(Content(question), pattern).truncate(room, ellipsis=True)
    return Content.assemble(" ", ("◆ ", "$accent"), name.stylize("bold"), "   ", words.stylize_before(_MUTED))


def _short_duration(duration: str) -> str:
    return plain_line(duration).removeprefix("~") or "—"


def _cells(text: str) -> int:
    return Content(text).cell_length
