"""Shorten text, put it on one line, or make it safe for a terminal.

Cuts count characters and never split a letter from its accents or an emoji from its modifiers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern

_ZERO_WIDTH_JOINER = "\u200d"
MAX_REASON_CHARS = 300
_MAX_CLUSTER_CHARS = 32
"""The maximum look-back for the start of a grapheme cluster; longer, hostile stacks of accents are split."""

_ESCAPES = lazy_pattern(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_LONE_SURROGATE = lazy_pattern(r"[\ud800-\udfff]")


def shorten(text: str, limit: int, mark: str = "…") -> str:
    """Return `text` in at most `limit` characters, ending with `mark` if it was truncated."""
    if len(text) <= limit:
        return text
    if limit <= len(mark):
        return mark[: max(limit, 0)]
    end = limit - len(mark)
    return _close_code(text[: _find_boundary(text, end)]).rstrip() + mark


def _close_code(cut: str) -> str:
    """Return the beginning of a line without a backtick whose partner was cut off."""
    if cut.count("`") % 2 == 0 or "\n" in cut:
        return cut
    before, _, code = cut.rpartition("`")
    return before + (code if before[-1:].strip() else code.lstrip())


def shorten_at_word(text: str, limit: int, mark: str = "…") -> str:
    """Return the same, truncated after a word where there is one in the second half."""
    cut = shorten(text, limit, mark)
    end = len(cut) - len(mark)
    if cut == text or end <= 0 or text[end : end + 1].isspace():
        return cut
    space = cut.rfind(" ", limit // 2, end)
    return cut if space < 0 else _close_code(cut[:space]).rstrip() + mark


def shorten_before_reason(text: str, limit: int) -> str:
    """The same, but words in brackets at the end stay, up to 300 characters: they often are the reason."""
    start = text.rfind(" (") if text.rstrip(".!;").endswith(")") else -1
    tail = text[start:] if start > 0 else ""
    if len(text) <= limit or not tail or len(tail) > MAX_REASON_CHARS:
        return shorten(text, limit)
    return shorten(text[:start], max(limit - len(tail), limit // 2)) + tail


def split_text(text: str, limit: int) -> Iterator[str]:
    """Yield `text` in pieces of at most `limit` characters, split after a line, else after a word, else anywhere."""
    start = 0
    while len(text) - start > limit:
        near, far = start + limit // 2, start + limit
        end = text.rfind("\n", near, far) + 1 or text.rfind(" ", near, far) + 1 or far
        yield text[start:end]
        start = end
    yield text[start:]


def one_line(text: str) -> str:
    """Return `text` with every run of whitespace, including line ends, as a single space."""
    return " ".join(text.split())


def strip_controls(text: str) -> str:
    """Remove escape sequences, control characters and bidirectional marks, which would affect a terminal.

    Line feeds and tabs stay; bytes that were not UTF-8 become U+FFFD.
    """
    return _LONE_SURROGATE.sub("\ufffd", _ESCAPES.sub("", text))


def _find_boundary(text: str, end: int) -> int:
    """Return the last index at or before `end` between two grapheme clusters."""
    for place in range(end, max(end - _MAX_CLUSTER_CHARS, 0), -1):
        if not _is_one_cluster(text, place):
            return place
    return end if end > _MAX_CLUSTER_CHARS else 0


def _is_one_cluster(text: str, place: int) -> bool:
    left, right = text[place - 1], text[place]
    if left == _ZERO_WIDTH_JOINER or _is_extender(right):
        return True
    if _is_flag_half(left) and _is_flag_half(right):
        first = place
        while first and _is_flag_half(text[first - 1]) and place - first < _MAX_CLUSTER_CHARS:
            first -= 1
        return (place - first) % 2 == 1
    return _is_lone_byte(left) and _is_lone_byte(right)


def _is_extender(char: str) -> bool:
    return (
        char == _ZERO_WIDTH_JOINER
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or unicodedata.category(char).startswith("M")
    )


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_lone_byte(char: str) -> bool:
    return "\udc80" <= char <= "\udcff"
