"""A sentence as a model says it, made into a line of ours: flat, without the sign of a list, without secrets."""

from __future__ import annotations

import re

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.secrets.redact import redact

MAX_SENTENCE_CHARS = 400
"""Characters of a sentence."""
_MARKER = re.compile(r"^(?:[-*+•]\s+|\d{1,2}[.)]\s+)+")


def clean_sentence(text: str) -> str:
    """The text as such a line; empty when nothing is left of it."""
    return shorten(redact(_MARKER.sub("", one_line(strip_controls(text)))), MAX_SENTENCE_CHARS)
