"""A person's words in an entry of the window: they stay when the entry is written anew, and when it leaves."""

from __future__ import annotations

import re
from collections.abc import Callable

HEADING = "## Session "
FACTS = "**Duration**"
SUMMARY = "**Summary**:"
_OUR_HEADING = re.compile(r"## Session \S+ — (?:unknown|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)")
_OUR_FACTS = re.compile(
    r"\*\*Duration\*\*: ~(?:< 1m|\d+m|\d+h(?:\d\dm)?|unknown)? \| \*\*Messages\*\*: \d+ \| \*\*Archive\*\*: ?\S*"
)

IsOurs = Callable[[str], bool]


def is_form(line: str) -> bool:
    """Whether a line may be one of an entry that we wrote."""
    return bool(_kind(line))


def is_plain(line: str) -> bool:
    """Whether a line is a heading or the facts of an entry in the very form in which we write them."""
    line = line.rstrip()
    return bool(_OUR_HEADING.fullmatch(line) or _OUR_FACTS.fullmatch(line))


def with_words_of(there: str, new: str, is_ours: IsOurs) -> str:
    """The new entry with the lines of the one that stands there that are a person's, in place of ours of the kind."""
    if all(map(is_ours, there.split("\n"))):
        return new
    lines: list[str] = []
    ours = new.split("\n")
    for line in there.split("\n"):
        kind = _kind(line)
        same = next((one for one in ours if _kind(one) == kind), None) if kind else None
        if not is_ours(line):
            lines.append(line)
        elif same is not None:
            lines.append(same)
        if same is not None:
            ours.remove(same)
    return "\n".join(lines + ours)


def note_of(entry: str, is_ours: IsOurs) -> str:
    """A person's lines of an entry that leaves, below its heading one level deeper; empty when all lines are ours.

    By the deeper heading it is no entry any more, and stays as all text does that stands between entries.
    """
    lines = entry.lstrip("\ufeff").split("\n")
    words = [line for line in lines[1:] if line.strip(" -\r") and not is_ours(line)]
    if not words and is_ours(lines[0]):
        return ""
    return "\n".join([f"#{lines[0]}", *([""] if words else []), *words])


def _kind(line: str) -> str:
    """By what a line of an entry begins; empty for one that has no place in it."""
    return next((start for start in (HEADING, FACTS, SUMMARY) if line.startswith(start)), "")
