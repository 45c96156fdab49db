"""Values that a terminal, a mail or a tool wrapped over several lines."""

from __future__ import annotations

import re

from recall_tui.text.lazy_pattern import lazy_pattern

_BREAK = lazy_pattern(
    r"(?:[\"'][ \t]*[+.&]?[ \t]*\\?)?"
    r"(?:\\?\r?\n|\\{1,8}r?\\{0,8}n)"
    r"(?:[ \t]{0,40}(?:\d{1,6}(?:→|[:|][ \t]?|\t|\\{1,8}(?:u2192|t))"
    r"|[>|+*#-]{1,3}[ \t]|[+>-](?=[A-Za-z0-9+/=_])|//[ ]?)?"
    r"[ \t]{0,40})"
    r"(?:[+.&][ \t]*)?[\"']?"
)
"""A line end, and the prefix that tools add to the next line: numbers, diff or quote markers."""
_RUN = lazy_pattern(r"[A-Za-z0-9+/=_.~-]{1,20000}+")
_FIRST = lazy_pattern(r"[A-Za-z0-9+/=_.~-]{1,400}+")
_VALUE_END = lazy_pattern(r"[\"'`,;)}\]<\\\s|…]|\Z")
_MIN_WRAPPED_CHARS = 40
"""The minimum length of a wrapped line."""
_MIN_LAST_LINE_CHARS = 4
"""The minimum length of the last line."""
_MAX_LINES = 2_000
_MAX_LINE_CHARS = 400
"""The maximum look-back for the start of a line."""


def wrapped_end(text: str, start: int, end: int) -> int | None:
    """Return the end of a value wrapped over later lines, whose first line spans `start` to `end`;
    None if not wrapped.
    """
    pieces = _line_ranges(text, start, end)
    return pieces[-1][1] if pieces else None


def unwrap(text: str, start: int) -> tuple[str, list[tuple[int, int]]] | None:
    """Return the value from `start` on one line, with the ranges of its pieces; None if it is not wrapped."""
    first = _FIRST.match(text, start)
    if first is None or first.end() - start == _MAX_LINE_CHARS:
        return None
    pieces = _line_ranges(text, start, first.end())
    if not pieces:
        return None
    places = [first.span(), *pieces]
    return "".join(text[one:other] for one, other in places), places


def original_position(pieces: list[tuple[int, int]], offset: int) -> int:
    """Map an offset in the joined pieces to a position in the text."""
    for start, end in pieces:
        if offset <= end - start:
            return start + offset
        offset -= end - start
    return pieces[-1][1]


def _line_ranges(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges of the value on the following lines."""
    found: list[tuple[int, int]] = []
    size = end - start
    if size < _MIN_WRAPPED_CHARS // 2:
        return found
    width = end - 1 - text.rfind("\n", max(0, start - _MAX_LINE_CHARS), start)
    for _ in range(_MAX_LINES if text[end - 1] != "=" else 0):
        broken = _BREAK.match(text, end)
        run = _RUN.match(text, broken.end()) if broken else None
        if run is None or not _VALUE_END.match(text, run.end()):
            break
        length = run.end() - run.start()
        is_full = length >= _MIN_WRAPPED_CHARS and (abs(length - size) <= 2 or (not found and length <= width + 2))
        is_last = (
            length < max(size, width if not found else 0)
            and max(size, width) >= _MIN_WRAPPED_CHARS
            and _is_last_line(run)
        )
        if not is_full and not is_last:
            break
        found.append(run.span())
        end, size = run.end(), length
        if not is_full:
            break
    return found


def _is_last_line(found: re.Match[str]) -> bool:
    """Return whether a shorter line may be the last of a value, not a word."""
    run = found[0]
    has_digit = any(map(str.isdigit, run))
    is_mixed = not run.islower() and not run.isupper() and not run.istitle()
    return run.endswith("=") or (
        len(run) >= _MIN_LAST_LINE_CHARS
        and (has_digit or is_mixed)
        and ("." not in run[1:-1] or len(run) >= _MIN_WRAPPED_CHARS // 2)
    )
