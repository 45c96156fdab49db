"""Quotations of the memory in an answer: framed, within a budget, and with refs by which they can be read."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.domain import Hit
    from recall_tui.workbench import Workbench

CHARS_PER_TOKEN = 4
SYNC_SECONDS = 0.7
"""How long an answer waits for what was said last to be indexed."""
_SESSION_VARIABLES = ("CLAUDE_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID")
_GROWING = timedelta(seconds=10)
"""A transcript that grew so shortly ago is that of the session that asks."""
_ARCHIVE = lazy_pattern(r"(?:.*/)?conversation-(\d+)\.md")
_SESSION_ID_CHARS = 8


def hit_reference(hit: Hit) -> str:
    """Return the ref of a hit: `14:18-29` for an archive, `5c6a2f1e:120-131` for a transcript, else path and lines."""
    name = hit.document
    if archive := _ARCHIVE.fullmatch(name):
        name = archive[1]
    elif hit.kind == "transcript" and hit.session_id:
        name = hit.session_id[:_SESSION_ID_CHARS]
    first, last = hit.lines
    return f"{name}:{first}-{last}" if last > first else f"{name}:{first}"


def session_that_asks(bench: Workbench) -> str:
    """Return the id of the session that asks, as its words are in the context already; empty when it is not known."""
    environment = bench.store.environment
    for name in _SESSION_VARIABLES:
        if session := environment.env.get(name):
            return session
    from recall_tui.transcripts.edge_lines import session_folder
    from recall_tui.transcripts.registry import discover_all

    for file in reversed(discover_all(environment)):
        if bench.store.now() - file.modified > _GROWING:
            break
        if session_folder(file.path) == str(environment.cwd):
            return file.session_id
    return ""


def update_index(bench: Workbench) -> str:
    """Index what is new for a moment, and return how current the index is, in words."""
    import time

    from recall_tui.errors import RecallError
    from recall_tui.index.ingest.refresh import refresh

    until = time.monotonic() + SYNC_SECONDS
    with suppress(RecallError, OSError):
        done = refresh(bench.index, bench.store, is_cancelled=lambda: time.monotonic() > until)
        if not (done.is_cancelled or done.is_skipped):
            return "index up to date"
    return "index behind: what was said last may be missing"


def day_of(moment: datetime | None) -> str:
    """Return the day of a moment; empty when there is none."""
    return f"{moment:%Y-%m-%d}" if moment else ""


def make_cursor(values: Mapping[str, object]) -> str:
    """Return a cursor for the rest of an answer."""
    return base64.urlsafe_b64encode(json.dumps(values, separators=(",", ":")).encode()).decode().rstrip("=")


def read_cursor(text: str) -> dict[str, object]:
    """Return the values of a cursor; none for what is no cursor."""
    try:
        found = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def cursor_offset(values: Mapping[str, object]) -> int:
    """Return the offset of a cursor, 0 for nonsense."""
    offset = values.get("o")
    return offset if isinstance(offset, int) and not isinstance(offset, bool) and 0 <= offset < 1 << 31 else 0
