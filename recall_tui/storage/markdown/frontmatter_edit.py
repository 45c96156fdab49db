"""Changing some keys at the head of a file, in place: all other lines of it stay, in their order, comments and all.

What is changed reads back as it was given; a head that nothing can be changed in safely is left to be written anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from recall_tui.storage.markdown import frontmatter

_TOP_LEVEL_KEY = re.compile(r"""["']?[A-Za-z_][\w .-]*["']?\s*:(?:\s|$)""", re.ASCII)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_COMMENT_START = re.compile(r"(?:^|[ \t]+)(?=#)")
_CONTINUATION = re.compile(r"[ \t]|- |-$|[\]}]")
"""How a line begins that goes on with the value above it."""


def with_values(text: str, values: Mapping[str, object], without: Collection[str] = ()) -> str | None:
    """`text` with these values at its head, those that are new at its end, and without the keys of `without`.

    A value whose line cannot be told from what else stands there is put at the end, where it counts. None when there is
    no head, or when the change does not read back.
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
    """The lines between the rules of a head that we did not write so: not one value in our form."""
    return "".join(line for line in _LINE.findall(head)[1:-1] if line.strip() and not _is_of_ours(line))


def _edited(text: str, body: str, values: Mapping[str, object], without: Collection[str], last: Collection[str]) -> str:
    """The text after the change; the keys of `last` at the end of the head, whatever stands there of them."""
    lines = _LINE.findall(text[: len(text) - len(body)])
    opening = next(
        number for number, line in enumerate(lines) if line.lstrip("\ufeff").rstrip() == frontmatter.DELIMITER
    )
    closing = len(lines) - 1
    ending = "\r\n" if lines[opening].endswith("\r\n") else "\n"
    if not lines[closing].endswith("\n"):
        lines[closing] += ending
    # Where a head is no YAML nobody knows what goes on with a value: each line stands for itself.
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
    """For each of these keys its line: where there are several, the last that we wrote, else the last."""
    found: dict[str, int] = {}
    for number in range(opening + 1, closing):
        key = _key_of(lines[number])
        if key in values and (key not in found or _is_of_ours(lines[number]) or not _is_of_ours(lines[found[key]])):
            found[key] = number
    return found


def _is_of_ours(line: str) -> bool:
    """Whether the line is one value in the form in which we write it."""
    key = _key_of(line)
    values = (
        frontmatter.split_frontmatter(f"{frontmatter.DELIMITER}\n{line.rstrip()}\n{frontmatter.DELIMITER}\n")[0]
        if key
        else {}
    )
    return key in values and _render_line(key, values[key]) == line.rstrip()


def raw_line(text: str, key: str) -> str:
    """The line at the head that begins with the key, as it is written; empty when none does."""
    _, body = frontmatter.split_frontmatter(text)
    head = text[: len(text) - len(body)]
    return next((line.strip() for line in _LINE.findall(head) if _key_of(line) == key), "")


def _key_of(line: str) -> str:
    """The key of a line that begins a value at the top; empty for any other."""
    return line.partition(":")[0].strip().strip("\"'") if _TOP_LEVEL_KEY.match(line) else ""


def _end(lines: list[str], start: int, closing: int) -> int:
    """The line after a value; comments and blank lines below it are none of it, nor is what follows a line of ours."""
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
    """The comments of a value: the one behind it, and those behind its further lines or between them."""
    first, *others = (line.rstrip() for line in lines)
    below = [line[found.end() :] for line in others if (found := _COMMENT_START.search(line))]
    behind = next((first[one.start() :] for one in _COMMENT_START.finditer(first) if _is_same(first, one.start())), "")
    return behind, below


def _is_same(line: str, end: int) -> bool:
    """Whether a line says without what stands from `end` on what it says with it."""
    values = [
        frontmatter.split_frontmatter(f"{frontmatter.DELIMITER}\n{text}\n{frontmatter.DELIMITER}\n")[0]
        for text in (line, line[:end])
    ]
    return values[0] == values[1]


def _render_line(key: str, value: object) -> str:
    """The one line of a value, as a head of ours has it."""
    return frontmatter.join_frontmatter({key: value}, "").split("\n")[1]


def _as_plain(value: object) -> object:
    """The value with lists for what is a list, so that it is the same before and after it was written."""
    if isinstance(value, Mapping):
        return {str(key): _as_plain(one) for key, one in value.items()}
    return [_as_plain(one) for one in value] if isinstance(value, list | tuple) else value
