"""Reasons of failed calls as one short line, without secrets and control characters."""

from __future__ import annotations

from collections.abc import Iterable

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.redaction_marks import MARK_PREFIX
from recall_tui.text.secrets.redact import redact

MAX_REASON_CHARS = 300
_MAX_READ_CHARS = 20_000
_MIN_SECRET_CHARS = 6
"""Shorter keys are not replaced, as they may occur anywhere."""


def first_line(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the beginning of the text as one safe line; every occurrence of a `secrets` item is removed."""
    return shorten(_safe(text[:_MAX_READ_CHARS], secrets), MAX_REASON_CHARS)


def last_line(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the end of the text as one safe line: the last lines of a failed program's output give the cause."""
    safe = _safe(text[-_MAX_READ_CHARS:], secrets)
    return safe if len(safe) <= MAX_REASON_CHARS else f"…{safe[1 - MAX_REASON_CHARS :]}"


def _safe(text: str, secrets: Iterable[str]) -> str:
    text = strip_controls(text)
    for secret in secrets:
        if len(secret) >= _MIN_SECRET_CHARS:
            text = text.replace(secret, f"{MARK_PREFIX}key]")
    return one_line(redact(text))
