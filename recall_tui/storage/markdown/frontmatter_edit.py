"""Changing some keys at the head of a file, in place: all other lines of it stay, in their order, comments and all.

What is changed reads back as it was given; a head that nothing can be changed in safely is left to be written anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from recall_tui.storage.markdown import frontmatter

_TOP = re.compile(r"""["']?[A-Za-z_][\w .-]*["']?\s*:(?:\s|$)""", re.ASCII)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ITEM = re.compile(r"[ \t]|- |-$|[\]}]")
"""How a line begins that goes on with the value above it."""


def with_values(text: str, values: Mapping[str, object], without: Collection[str] = ()) -> str | None:
    """`text` with these values at its head, those that are new at its end, and without the keys of `without`.

    None when there is no head, or when the change does not read back.
    """
    before, body = frontmatter.split(text)
    if not before or not frontmatter.is_sound(text):
        return None
    head = text[: len(text) - len(body)]
    lines = _LINE.findall(head)
    opening = next(number for number, line in enumerate(lines) if line.lstrip("\ufeff").rstrip() == frontmatter.RULE)
    closing = len(lines) - 1
    ending = "\r\n" if lines[opening].endswith("\r\n") else "\n"
    if not lines[closing].endswith("\n"):
        lines[closing] += ending
    kept: list[str] = []
    left = dict(values)
    number = opening + 1
    while number < closing:
        key = _key_of(lines[number])
        end = _end(lines, number, closing) if key else number + 1
        if key in left:
            kept.append(_written(key, left.pop(key)) + ending)
        elif key not in without or not key:
            kept += lines[number:end]
        number = end
    kept += [_written(key, value) + ending for key, value in left.items()]
    made = "".join((*lines[: opening + 1], *kept, *lines[closing:], body))
    wanted = {key: value for key, value in before.items() if key not in without} | dict(values)
    read, same_body = frontmatter.split(made)
    return made if _plain(read) == _plain(wanted) and same_body == body else None


def raw(text: str, key: str) -> str:
    """The line at the head that begins with the key, as it is written; empty when none does."""
    _, body = frontmatter.split(text)
    head = text[: len(text) - len(body)]
    return next((line.strip() for line in _LINE.findall(head) if _key_of(line) == key), "")


def _key_of(line: str) -> str:
    """The key of a line that begins a value at the top; empty for any other."""
    return line.partition(":")[0].strip().strip("\"'") if _TOP.match(line) else ""


def _end(lines: list[str], start: int, closing: int) -> int:
    """The line after a value; comments and blank lines below it are none of it."""
    end = number = start + 1
    while number < closing:
        line = lines[number]
        if _ITEM.match(line) and line.strip():
            end = number + 1
        elif line.strip() and not line.startswith("#"):
            break
        number += 1
    return end


def _written(key: str, value: object) -> str:
    """The one line of a value, as a head of ours has it."""
    return frontmatter.join({key: value}, "").split("\n")[1]


def _plain(value: object) -> object:
    """The value with lists for what is a list, so that it is the same before and after it was written."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
