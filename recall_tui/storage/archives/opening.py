"""The words by which an archive is recognized whose head has no title: other programs write none."""

from __future__ import annotations

from itertools import islice

from recall_tui.storage.markdown.quoting import unquote_line
from recall_tui.text.cut import one_line, shorten

_MAX_LINES = 200
_MAX_CHARS = 120
_MARKS = ("#", "<", "---", "```", "*", ">")
"""Beginnings of lines that are headings, notes or what tools said."""


def find_opening(body: str) -> str:
    """Return the first line of the summary, of the first prompt, or of anything else; empty when nothing is said."""
    prompt = other = heading = ""
    for line in islice(body.split("\n"), _MAX_LINES):
        words = line.strip()
        if words.startswith("#"):
            heading = words.lstrip("#").strip()
        elif words and not words.startswith(_MARKS):
            found = shorten(one_line(unquote_line(words)), _MAX_CHARS)
            if heading == "Summary":
                return found
            if heading == "User":
                prompt = prompt or found
            other = other or found
    return prompt or other
