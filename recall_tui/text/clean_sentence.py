"""Clean a model-written sentence: one line, without list markers and secrets."""

from __future__ import annotations

import re

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.secrets.redact import redact

MAX_SENTENCE_CHARS = 400
_MARKER = re.compile(r"^(?:[-*+•]\s+|\d{1,2}[.)]\s+)+")


def clean_sentence(text: str) -> str:
    """Return the text as a clean line; empty when nothing remains."""
    return shorten(redact(_MARKER.sub("", one_line(strip_controls(text)))), MAX_SENTENCE_CHARS)
