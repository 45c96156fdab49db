"""Secrets told by the heading of their column, or by the line above them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from recall_tui.text.lazy_pattern import lazy

Judge = Callable[[str], bool]
Span = tuple[int, int]

_MOST_ROWS = 100
"""Rows below a heading that are looked at."""
_LINE_CHARS = 2_000
_RULE = lazy(r"[ \t|+:=-]*")
_CELL = lazy(r"\s*[`\"']?([^`\"'\s|]{4,4096})[`\"']?\s*")
_INDENT = lazy(r"[ \t]*")
_BLOCK = lazy(r"[|>][+-]?\d?[+-]?[ \t]*(?:#[^\n]*)?(?:\r?\n|\\{1,7}n)")
_DATA = lazy(r"^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*$", re.MULTILINE)
_DATUM = lazy(r"[ \t]+[\w.-]{1,80}: *[\"']?([A-Za-z0-9+/=_-]{4,20000})[\"'}\] \t]*\r?$")
_KIND_CHARS = 2_000


def in_column(text: str, start: int, end: int, judge: Judge) -> Iterator[Span]:
    """The cells below a heading that stands from `start` to `end`: of CSV, of a drawn table, of aligned columns."""
    first = text.rfind("\n", max(0, start - _LINE_CHARS), start) + 1
    last = text.find("\n", end, end + _LINE_CHARS)
    if last < 0 or start - first > _LINE_CHARS:
        return
    heading = text[first:last]
    for divider in ("|", "│", "\t", ",", ";"):
        number = heading.count(divider)
        if number and _is_heading(heading, divider):
            at = text.count(divider, first, start)
            yield from _in_divided(text, last + 1, divider, number, at, judge)
            return
    before, after = text[max(first, start - 2) : start], text[end : end + 2]
    if (
        (start == first or before.isspace())
        and (after[:1] in ("\n", "") or after.isspace())
        and "  " in heading.strip()
    ):
        yield from _in_aligned(text, last + 1, start - first, judge)


def _is_heading(heading: str, divider: str) -> bool:
    cells = [cell.strip(" \t\r\"'`*") for cell in heading.strip("| \r").split(divider)]
    return len(cells) > 1 and all(len(cell) <= 40 and cell.count(" ") <= 3 for cell in cells) and "=" not in heading


def _in_divided(text: str, start: int, divider: str, number: int, at: int, judge: Judge) -> Iterator[Span]:
    for first, last in _lines(text, start):
        line = text[first:last]
        if _RULE.fullmatch(line):
            continue
        if line.count(divider) < number:
            return
        place = first
        for _ in range(at):
            place = text.find(divider, place, last) + 1
        cell = text.find(divider, place, last)
        yield from _cell(text, place, cell if cell >= 0 else last, judge)


def _in_aligned(text: str, start: int, at: int, judge: Judge) -> Iterator[Span]:
    for first, last in _lines(text, start):
        if _RULE.fullmatch(text, first, last):
            continue
        place = first + at
        if place >= last or text[place].isspace() or (at and not text[place - 1].isspace()):
            return
        end = place
        while end < last and not text[end].isspace():
            end += 1
        yield from _cell(text, place, end, judge)


def _cell(text: str, start: int, end: int, judge: Judge) -> Iterator[Span]:
    cell = _CELL.fullmatch(text, start, end)
    if cell and judge(cell[1]):
        yield cell.span(1)


def _lines(text: str, start: int) -> Iterator[Span]:
    for _ in range(_MOST_ROWS):
        if start >= len(text):
            return
        end = text.find("\n", start, start + _LINE_CHARS)
        if end < 0:
            end = min(len(text), start + _LINE_CHARS)
        yield start, end
        start = end + 1


def block_at(text: str, name_start: int, start: int) -> Span | None:
    """The lines of a block scalar of YAML that begins there (YAML 1.2.2, 8.1)."""
    opened = _BLOCK.match(text, start)
    if opened is None:
        return None
    line = text.rfind("\n", max(0, name_start - _LINE_CHARS), name_start) + 1
    own = _INDENT.match(text, line)
    indent = len(own[0]) if own else 0
    end = first = opened.end()
    for begin, last in _lines(text, first):
        inner = _INDENT.match(text, begin, last)
        depth = len(inner[0]) if inner else 0
        if begin + depth == last:
            continue
        if depth <= indent:
            break
        end = last
    lead = _INDENT.match(text, first, end)
    return (lead.end(), end) if lead and end > lead.end() else None


def below(text: str, end: int) -> Span | None:
    """The one word on the next line that is not empty, when there is but one."""
    match = _BELOW.match(text, end)
    return match.span(1) if match else None


_BELOW = lazy(
    r":?[*]{0,2}[ \t]*\r?\n(?:[ \t]*\r?\n)?(?:[ \t]*```\w*\r?\n)?"
    r"[ \t>|]{0,12}[`\"']?([^\s`\"'|]{6,4096})[`\"']?[ \t]*(?:\r?\n|\Z)"
)


def in_manifest(text: str, place: int) -> Iterator[Span]:
    """The values of a Secret of Kubernetes, of whose kind `place` tells."""
    first, last = max(0, place - _KIND_CHARS), place + _KIND_CHARS
    first = max(first, text.rfind("\n---", first, place) + 1)
    rule = text.find("\n---", place, last)
    for data in _DATA.finditer(text, first, rule if rule >= 0 else last):
        for begin, end in _lines(text, data.end() + 1):
            datum = _DATUM.match(text, begin, end)
            if datum is None or len(data["indent"]) >= len(text[begin:end]) - len(text[begin:end].lstrip()):
                break
            yield datum.span(1)
