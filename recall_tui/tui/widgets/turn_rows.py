"""The turns of a conversation in a document: who speaks and when, on one row.

An archive and a transcript write a turn the same way: a rule, a heading with the role, a note with the time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Literal, NamedTuple

from textual.content import Content

from recall_tui.text.dates import duration_text, local_time, parse_time

TimeMode = Literal["time", "elapsed", "off"]
TIME_MODES: tuple[TimeMode, ...] = ("time", "elapsed", "off")
ROLE_HEADINGS = {
    "### User": ("User", "bold $accent"),
    "### Assistant": ("Assistant", "bold $success"),
}
"""The headings of turns, each with its label and style."""
MIN_PAUSE_MINUTES = 30
"""A longer pause before a turn is shown."""
_MUTED = "$text-muted"
_MAX_GAP_LINES = 3
"""Blank lines between a rule and its heading, or a heading and its note."""
_NOTE = re.compile(r"\*(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d UTC)?(?P<off> ?\(rewound\))?\*\s*")


class ConversationTurn(NamedTuple):
    """The heading of a turn."""

    heading: str
    at: datetime | None = None
    is_rewound: bool = False
    note: int = -1
    """The line of its note, from 0; -1 when it has none."""


def read_turn(source: Sequence[str], at: int) -> ConversationTurn | None:
    """Read the turn whose heading is on line `at`; None when the line is no such heading."""
    heading = source[at].strip()
    if heading not in ROLE_HEADINGS:
        return None
    line = _next_text(source, at)
    note = _NOTE.fullmatch(source[line]) if line >= 0 else None
    if note is None or not (note["time"] or note["off"]):
        return ConversationTurn(heading)
    return ConversationTurn(heading, parse_time(note["time"] or ""), bool(note["off"]), line)


def is_turn_rule(source: Sequence[str], at: int) -> bool:
    """Return whether a line is the rule above a turn's heading."""
    if source[at].rstrip() != "---":
        return False
    line = _next_text(source, at)
    return line >= 0 and source[line].strip() in ROLE_HEADINGS


def turn_row(
    turn: ConversationTurn,
    before: datetime | None,
    first: datetime | None,
    width: int,
    mode: TimeMode,
    zone: tzinfo | None,
) -> Content:
    """Render who speaks, and at the right edge when; `before` and `first` are the times of other turns."""
    name, style = ROLE_HEADINGS[turn.heading]
    left = Content.assemble((name, style), ("  rewound", _MUTED) if turn.is_rewound else "")
    right = _time_text(turn.at, before, first, mode, zone)
    gap = width - left.cell_length - len(right)
    return Content.assemble(left, " " * gap, (right, _MUTED)) if right and gap > 0 else left


def _time_text(
    at: datetime | None, before: datetime | None, first: datetime | None, mode: TimeMode, zone: tzinfo | None
) -> str:
    """`14:32`, with the date where it changes and `+2h10m` after a pause; in mode elapsed the time since the start."""
    if at is None or mode == "off":
        return ""
    if mode == "elapsed":
        return f"+{duration_text(first or at, at).replace('< 1m', '0m')}"
    here = local_time(at, zone)
    is_new_day = before is None or local_time(before, zone).date() != here.date()
    is_pause = before is not None and (at - before).total_seconds() > MIN_PAUSE_MINUTES * 60
    pause = f"+{duration_text(before, at)}" if is_pause else ""
    day = f"{here:%a} {here.day} {here:%b %Y}" if is_new_day else ""
    return "  ".join(filter(None, (pause, day, f"{here:%H:%M}")))


def _next_text(source: Sequence[str], at: int) -> int:
    """Return the next line that is not blank, if it is near; -1 otherwise."""
    near = range(at + 1, min(at + 1 + _MAX_GAP_LINES, len(source)))
    return next((line for line in near if source[line].strip()), -1)
