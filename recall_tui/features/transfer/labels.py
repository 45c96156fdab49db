"""What an export says beside the words of others, whatever form it has; each on one line and free of escapes."""

from __future__ import annotations

from datetime import datetime

from recall_tui.domain import Message
from recall_tui.features.transfer.export_items import ExportedSearch, ExportedSession
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.dates import duration_text, iso_minute

MAX_HEADING_CHARS = 80
"""Of a prompt in its heading; the whole prompt stands below when it is longer."""


def search_label(found: ExportedSearch, asked_at: datetime) -> str:
    """How a question was answered, in a line."""
    answer = found.answer
    searched = f"{answer.searched.get('passages', 0):,} passages of {answer.searched.get('sources', 0):,} sources"
    return f"{len(found.hits)} of {answer.total} in {searched} · {answer.rung} · {iso_minute(asked_at)}"


def masked_label(count: int) -> str:
    """How many secrets were masked, in words."""
    return f"{count} secret{'s' if count != 1 else ''} masked"


def session_label(session: ExportedSession) -> list[tuple[str, str]]:
    """What is known of a session, each fact with its name, on one line; what is not known is left out."""
    when = iso_minute(session.started_at or session.ended_at)
    if session.started_at and session.ended_at:
        when = (
            f"{_time_range(when, iso_minute(session.ended_at))} ({duration_text(session.started_at, session.ended_at)})"
        )
    agent = " · ".join(filter(None, (session.agent, session.model)))
    project = " · ".join(filter(None, (session.project, f"branch {session.branch}" if session.branch else "")))
    facts = (
        ("Date", when),
        ("Agent", agent),
        ("Project", project),
        ("Topics", ", ".join(session.topics)),
        ("Session", session.session_id),
        ("Source", session.path),
    )
    return [(name, one_line(strip_controls(value))) for name, value in facts if value.strip()]


def prompt_heading(message: Message) -> tuple[str, bool]:
    """The first words of a prompt, on one line, and whether they are all of it."""
    words = one_line(strip_controls(message.text))
    return shorten(words, MAX_HEADING_CHARS) or "…", len(
        words
    ) <= MAX_HEADING_CHARS and "\n" not in message.text.strip()


def tool_label(call: Message) -> tuple[str, str]:
    """A tool's name, and what it acted on."""
    name, target = (call.tool.name, call.tool.target) if call.tool else ("", call.text)
    return one_line(strip_controls(name)) or "tool", one_line(strip_controls(target))


def _time_range(start: str, end: str) -> str:
    """From one minute to another; the day once when it is the same."""
    day = len("2026-03-06 ")
    return f"{start.removesuffix(' UTC')} – {end[day:] if end[:day] == start[:day] else end}"
