"""Text of others as a single line that can be stored and shown."""

from __future__ import annotations

from recall_tui.text.cut import one_line, shorten, strip_controls

_READ_CHARS = 8_192
"""At least as much is searched for secrets, so that one is recognized although only its start would be shown."""


def clean_line(text: str, limit: int) -> str:
    """Return the start of `text` on one line, without secrets and control characters, in at most `limit` characters."""
    from recall_tui.text.secrets.redact import redact

    return shorten(one_line(strip_controls(redact(text[: max(4 * limit, _READ_CHARS)]))), limit)
