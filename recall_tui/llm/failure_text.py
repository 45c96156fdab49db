"""What is said to a person of a call that failed: one short line, without secrets and without control characters."""

from __future__ import annotations

from collections.abc import Iterable

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.secrets.redact import MARK_PREFIX, redact

MAX_REASON_CHARS = 300
"""Characters of a reason."""
_MAX_READ_CHARS = 20_000
_MIN_SECRET_CHARS = 6
"""Characters below which a word is no secret, but may stand anywhere."""


def first_line(text: str, secrets: Iterable[str] = ()) -> str:
    """The beginning of the text as such a line; `secrets` are taken out wherever they stand."""
    return shorten(_safe(text[:_MAX_READ_CHARS], secrets), MAX_REASON_CHARS)


def last_line(text: str, secrets: Iterable[str] = ()) -> str:
    """The end of the text as such a line: of a program that complains, the last is what ended it."""
    safe = _safe(text[-_MAX_READ_CHARS:], secrets)
    return safe if len(safe) <= MAX_REASON_CHARS else f"…{safe[1 - MAX_REASON_CHARS :]}"


def _safe(text: str, secrets: Iterable[str]) -> str:
    text = strip_controls(text)
    for secret in secrets:
        if len(secret) >= _MIN_SECRET_CHARS:
            text = text.replace(secret, f"{MARK_PREFIX}key]")
    return one_line(redact(text))
