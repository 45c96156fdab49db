"""Reverse a change in a text that was edited since, and render a change as a unified diff.

A change that cannot be reversed with certainty is not reversed at all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recall_tui.text.line_diff import common_ends, diff_lines, unified_lines

CONTEXT_LINES = 3
"""Context lines for locating a change."""


@dataclass(frozen=True, slots=True)
class _Hunk:
    removed: list[str]
    added: list[str]
    above: list[str]
    below: list[str]
    is_first: bool
    """The hunk starts at the first line."""
    is_last: bool


def reverse_change(before: str, after: str, current: str) -> str | None:
    """Return `current` without the change from `before` to `after`; None when its location is missing or ambiguous."""
    if current == after:
        return before
    if before == after:
        return current
    was, became, now = _lines(before), _lines(after), _lines(current)
    if len(became) + len(now) > sys.maxunicode:
        return None
    signs: dict[str, str] = {}
    coded_after, coded_now = _encode_lines(became, signs), _encode_lines(now, signs)
    result: list[str] = []
    done = 0
    for hunk in _find_hunks(was, became):
        place = _locate_hunk(hunk, coded_after, coded_now, signs)
        if place is None or place < done:
            return None
        result += now[done:place]
        result += hunk.removed
        done = place + len(hunk.added)
    result += now[done:]
    return _join_lines(result)


def unified_diff(before: str, after: str, name: str) -> str:
    """Render the change as a unified diff of the file `name`; a carriage return that is not on
    every line shows as `␍`.
    """
    was, became = _lines(before), _lines(after)
    if all(line.endswith("\r\n") for line in was + became):
        was, became = [line[:-2] + "\n" for line in was], [line[:-2] + "\n" for line in became]
    name = " ".join(name.split())
    shown = []
    for line in unified_lines(was, became, f"a/{name}", f"b/{name}"):
        line = line.replace("\r", "␍")
        shown.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(shown)


def _lines(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _strip_line_end(lines: Sequence[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def _encode_lines(lines: Sequence[str], signs: dict[str, str]) -> str:
    """Encode each line, without its line end, as one character, so that lines can be found by string search."""
    return "".join(signs.setdefault(line, chr(len(signs))) for line in _strip_line_end(lines))


def _find_hunks(was: list[str], became: list[str]) -> Iterator[_Hunk]:
    head, tail = common_ends(was, became)
    codes = diff_lines(was[head : len(was) - tail], became[head : len(became) - tail])
    for number, (i1, i2, j1, j2) in enumerate(codes):
        first, last = j1 + head, j2 + head
        start = codes[number - 1][3] + head if number else 0
        stop = codes[number + 1][2] + head if number + 1 < len(codes) else len(became)
        yield _Hunk(
            removed=was[i1 + head : i2 + head],
            added=became[first:last],
            above=_strip_line_end(became[max(first - CONTEXT_LINES, start) : first]),
            below=_strip_line_end(became[last : min(last + CONTEXT_LINES, stop)]),
            is_first=first == 0,
            is_last=last == len(became),
        )


def _locate_hunk(hunk: _Hunk, after: str, now: str, signs: dict[str, str]) -> int | None:
    """Find the line of `now` where the hunk starts, using the most context still present; None if
    missing or ambiguous.
    """
    added = _strip_line_end(hunk.added)
    sizes = [(a, b) for a in range(len(hunk.above) + 1) for b in range(len(hunk.below) + 1)]
    for above, below in sorted(sizes, key=lambda size: (-sum(size), abs(size[0] - size[1]))):
        if not added and not ((above or hunk.is_first) and (below or hunk.is_last) and above + below):
            continue
        wanted = hunk.above[len(hunk.above) - above :] + added + hunk.below[:below]
        if not any(line.strip() for line in wanted):
            continue
        coded = _encode_lines(wanted, signs)
        place = now.find(coded)
        if place >= 0 and now.find(coded, place + 1) >= 0:
            return None
        if place >= 0 and after.find(coded, after.find(coded) + 1) < 0:
            return place + above
    return None


def _join_lines(lines: list[str]) -> str:
    """Join the lines; a former last line without a line end gets one if others follow."""
    end = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    return "".join(line if line.endswith("\n") else line + end for line in lines[:-1]) + (lines[-1] if lines else "")
