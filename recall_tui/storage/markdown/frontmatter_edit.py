"""Change frontmatter keys in place: all other lines stay, in order, comments included.

A change is made only if it parses back to the given values; otherwise the caller has to rewrite the frontmatter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from recall_tui.storage.markdown import frontmatter
from recall_tui.text.lazy_pattern import lazy_pattern

_TOP_LEVEL_KEY = lazy_pattern(r"""["']?[A-Za-z_][\w .-]*["']?\s*:(?:\s|$)""", re.ASCII)
_LINE = lazy_pattern(r"[^\n]*\n|[^\n]+")
_COMMENT_START = lazy_pattern(r"(?:^|[ \t]+)(?=#)")
_CONTINUATION = lazy_pattern(r"[ \t]|- |-$|[\]}]")
"""The beginning of a line that continues the value above it."""


def with_values(text: str, values: Mapping[str, object], without: Collection[str] = ()) -> str | None:
    """Return `text` with these frontmatter values, new ones last, and without the keys of `without`.

    A value whose own line is ambiguous moves to the end, where it takes effect. None when there is no frontmatter, or
    when the change does not parse back.
    """
    before, body = frontmatter.split_frontmatter(text)
    if not before:
        return None
    wanted = _as_plain({key: value for key, value in before.items() if key not in without} | dict(values))
    last: Collection[str] = ()
    for _ in range(2):
        made = _edited(text, body, values, without, last)
        read, same_body = frontmatter.split_frontmatter(made)
        if _as_plain(read) == wanted and same_body == body:
            return made
        last = [key for key, value in values.items() if _as_plain(read.get(key)) != _as_plain(value)]
    return None


def others_lines(head: str) -> str:
    """Return the frontmatter lines between the delimiters that are not a single value in our format."""
    return "".join(line for line in _LINE.findall(head)[1:-1] if line.strip() and not _is_of_ours(line))


def _edited(text: str, body: str, values: Mapping[str, object], without: Collection[str], last: Collection[str]) -> str:
    """Return the changed text; keys in `last` go to the end, whatever lines they already have."""
    lines = _LINE.findall(text[: len(text) - len(body)])
    opening = next(
        number for number, line in enumerate(lines) if line.lstrip("\ufeff").rstrip() == frontmatter.DELIMITER
    )
    closing = len(lines) - 1
    ending = "\r\n" if lines[opening].endswith("\r\n") else "\n"
    if not lines[closing].endswith("\n"):
        lines[closing] += ending
    # In invalid YAML, continuation lines cannot be identified: treat each line on its own.
    is_sound = frontmatter.is_lossless(text)
    places = _places(lines, opening, closing, values)
    kept: list[str] = []
    left = dict(values)
    number = opening + 1
    while number < closing:
        key = _key_of(lines[number])
        end = _end(lines, number, closing) if key and is_sound else number + 1
        if key in left and number == places[key] and key not in last:
            behind, below = _comments(lines[number:end])
            kept.append(_render_line(key, left.pop(key)) + behind + ending)
            kept += [comment + ending for comment in below]
        elif key not in without or not key:
            kept += lines[number:end]
        number = end
    kept += [_render_line(key, value) + ending for key, value in left.items()]
    return "".join((*lines[: opening + 1], *kept, *lines[closing:], body))


def _places(lines: list[str], opening: int, closing: int, values: Collection[str]) -> dict[str, int]:
    """Return the line of each key; among several, the last that we wrote, or else the last."""
    found: dict[str, int] = {}
    for number in range(opening + 1, closing):
        key = _key_of(lines[number])
        if key in values and (key not in found or _is_of_ours(lines[number]) or not _is_of_ours(lines[found[key]])):
            found[key] = number
    return found


def _is_of_ours(line: str) -> bool:
    """Return whether the line is a single value in our format."""
    key = _key_of(line)
    values = (
        frontmatter.split_frontmatter(f"{frontmatter.DELIMITER}\n{line.rstrip()}\n{frontmatter.DELIMITER}\n")[0]
        if key
        else {}
    )
    return key in values and _render_line(key, values[key]) == line.rstrip()


def raw_line(text: str, key: str) -> str:
    """Return the frontmatter line of the key, as written; empty when there is none."""
    _, body = frontmatter.split_frontmatter(text)
    head = text[: len(text) - len(body)]
    return next((line.strip() for line in _LINE.findall(head) if _key_of(line) == key), "")


def _key_of(line: str) -> str:
    """Return the key of a line that starts a top-level value; empty for any other line."""
    return line.partition(":")[0].strip().strip("\"'") if _TOP_LEVEL_KEY.match(line) else ""


def _end(lines: list[str], start: int, closing: int) -> int:
    """Return the line after a value.

    Comments and blank lines below it do not belong to it, nor does anything below a line in our format.
    """
    end = number = start + 1
    if _is_of_ours(lines[start]):
        return end
    while number < closing:
        line = lines[number]
        if _CONTINUATION.match(line) and line.strip():
            end = number + 1
        elif line.strip() and not line.startswith("#"):
            break
        number += 1
    return end


def _comments(lines: list[str]) -> tuple[str, list[str]]:
    """Return a value's comments: the one after it on its line, and those on or between its further lines."""
    first, *others = (line.rstrip() for line in lines)
    below = [line[found.end() :] for line in others if (found := _COMMENT_START.search(line))]
    behind = next((first[one.start() :] for one in _COMMENT_START.finditer(first) if _is_same(first, one.start())), "")
    return behind, below


def _is_same(line: str, end: int) -> bool:
    """Return whether a line has the same value without the text from `end` on."""
    values = [
        frontmatter.split_frontmatter(f"{frontmatter.DELIMITER}\n{text}\n{frontmatter.DELIMITER}\n")[0]
        for text in (line, line[:end])
    ]
    return values[0] == values[1]


def _render_line(key: str, value: object) -> str:
    """Return the single line of a value in our format."""
    return frontmatter.join_frontmatter({key: value}, "").split("\n")[1]


def _as_plain(value: object) -> object:
    """Return the value with lists for all sequences, so that it compares equal before and after a round trip."""
    if isinstance(value, Mapping):
        return {str(key): _as_plain(one) for key, one in value.items()}
    return [_as_plain(one) for one in value] if isinstance(value, list | tuple) else value
