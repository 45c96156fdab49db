"""The window's entries as written in its file, with the text before, between and after them.

The user's lines in an entry stay when it is rewritten or leaves. Every operation takes linear time in the file's
length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from recall_tui.domain import WindowEntry
from recall_tui.text.cut import one_line
from recall_tui.text.dates import parse_time
from recall_tui.text.lazy_pattern import lazy_pattern

HEADING_PREFIX = "## Session "
FACTS_PREFIX = "**Duration**"
SUMMARY_PREFIX = "**Summary**:"
_OUR_HEADING = lazy_pattern(r"## Session \S+ — (?:unknown|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)")
_OUR_FACTS = lazy_pattern(
    r"\*\*Duration\*\*: ~(?:< 1m|\d+m|\d+h(?:\d\dm)?|unknown)?"
    r" \| \*\*Messages\*\*: \d+ \| \*\*Archive\*\*: ?(?:\S+, )*\S*"
)

IsOurs = Callable[[str], bool]
SEPARATOR = "\n\n---\n\n"
UNKNOWN_TIME = datetime.min.replace(tzinfo=UTC)
"""The end of a session whose entry gives none: older than all others."""
LEADING = "\ufeff \t\r\n"
"""Characters that may precede the first line."""
HEADING_LINE = lazy_pattern(r"## Session (?P<session>.*?)[ ]?— ?(?P<time>[^—]*)")
_FACTS = lazy_pattern(
    r"\*\*Duration\*\*: ~?(?P<duration>.*?) \| \*\*Messages\*\*: (?P<messages>\d{1,9})"
    r"(?: \| \*\*Archive\*\*: ?(?P<archive>.*))?"
)
_LINE = lazy_pattern(r"[^\n]*\n|[^\n]+")
_GLUED = lazy_pattern(r"[^\S\n]*\n[^\S\n]*\S")
_RULE_FIRST = lazy_pattern(r"\A\s*---[^\S\n]*(?:\n|\Z)\s*")
_RULE_LAST = lazy_pattern(r"(?:(?<=\n)|\A)[^\S\n]*---\s*\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """An entry as written in the file, and the text between it and the next one."""

    text: str
    entry: WindowEntry
    gap: str


def split(text: str) -> tuple[str, list[Block]]:
    """Split the file into the text before the first entry and the entries; `joined` restores it."""
    if "## Session " not in text:
        return text, []
    lines = _LINE.findall(text)
    found = [(start, *read) for start, line in enumerate(lines) if (read := _entry(lines, start, line))]
    if not found:
        return text, []
    blocks = []
    nexts = [*(start for start, _, _ in found[1:]), len(lines)]
    for (start, entry, end), following in zip(found, nexts, strict=True):
        whole = "".join(lines[start:end])
        bare = whole.rstrip()
        blocks.append(Block(bare, entry, whole[len(bare) :] + "".join(lines[end:following])))
    return "".join(lines[: found[0][0]]), blocks


def joined(lead: str, blocks: Sequence[Block]) -> str:
    """Join the blocks into the file's text."""
    text = lead + "".join(block.text + block.gap for block in blocks)
    return text if not text or text.endswith("\n") else f"{text}\n"


def without(lead: str, blocks: Sequence[Block], gone: Collection[int]) -> tuple[str, list[Block]]:
    """Remove the blocks at these indexes; the free text on both sides stays."""
    rest: list[Block] = []
    gaps = [lead]
    """The gap after the last remaining block, and after each block removed since."""
    for index, block in enumerate(blocks):
        if index in gone:
            gaps.append(block.gap)
            continue
        lead, gaps = _closed(lead, rest, gaps), [block.gap]
        rest.append(block)
    return _closed(lead, rest, gaps, is_end=True), rest


def placed(
    lead: str, blocks: Sequence[Block], ends: Sequence[datetime], new: Sequence[Block]
) -> tuple[str, list[Block]]:
    """Insert the new blocks by session end; `ends` are those of the existing blocks."""
    if not blocks:
        lead = lead.rstrip("\n") + SEPARATOR if lead.strip(LEADING) else ""
    groups: dict[int, list[Block]] = {}
    place = len(blocks)
    for block in sorted(new, key=lambda block: block.entry.ended_at)[::-1]:
        while place and ends[place - 1] > block.entry.ended_at:
            place -= 1
        groups.setdefault(place, []).append(replace(block, gap=SEPARATOR))
    made: list[Block] = []
    for place in range(len(blocks) + 1):
        group = groups.get(place, [])[::-1]
        if group and made:
            group[-1] = replace(group[-1], gap=apart(made[-1].gap))
            made[-1] = replace(made[-1], gap=SEPARATOR)
        made += [*group, *blocks[place : place + 1]]
    if made and not blocks:
        made[-1] = replace(made[-1], gap="\n")
    return lead, made


def apart(gap: str) -> str:
    """Detach text that follows an entry, so that it is not taken for the rest of its summary."""
    return f"\n{gap}" if _GLUED.match(gap) else gap


def below(gap: str) -> str:
    """Return the gap without a rule at its beginning."""
    return _RULE_FIRST.sub("", gap)


def above(gap: str) -> str:
    """Return the gap without a rule at its end."""
    return _RULE_LAST.sub("", gap)


def is_own_form(line: str) -> bool:
    """Return whether a line may belong to an entry that we wrote."""
    return bool(_line_kind(line))


def is_exact_form(line: str) -> bool:
    """Return whether a line is a heading or metadata line exactly as we write it."""
    line = line.rstrip()
    return bool(_OUR_HEADING.fullmatch(line) or _OUR_FACTS.fullmatch(line))


def with_own_notes(there: str, new: str, is_ours: IsOurs) -> str:
    """Merge the user's lines of the existing entry into the new one, where they replace our lines of the same kind."""
    if all(map(is_ours, there.split("\n"))):
        return new
    lines: list[str] = []
    ours = new.split("\n")
    for line in there.split("\n"):
        kind = _line_kind(line)
        same = next((one for one in ours if _line_kind(one) == kind), None) if kind else None
        if not is_ours(line):
            lines.append(line)
        elif same is not None:
            lines.append(same)
        if same is not None:
            ours.remove(same)
    return "\n".join(lines + ours)


def extract_notes(entry: str, is_ours: IsOurs) -> str:
    """Return the user's lines of a leaving entry under its heading, one level deeper; empty when all lines are ours.

    The deeper heading is no entry, so the text stays like any text between entries.
    """
    lines = entry.lstrip("\ufeff").split("\n")
    words = [line for line in lines[1:] if line.strip(" -\r") and not is_ours(line)]
    if not words and is_ours(lines[0]):
        return ""
    return "\n".join([f"#{lines[0]}", *([""] if words else []), *words])


def _entry(lines: list[str], start: int, line: str) -> tuple[WindowEntry, int] | None:
    """Parse the entry whose heading is at `start`, and return it with the line after it; None when it is no entry."""
    heading = _heading(line)
    if not heading:
        return None
    at = _past_blanks(lines, start + 1)
    facts = _FACTS.fullmatch(lines[at].rstrip()) if at < len(lines) else None
    end = at + 1 if facts else start + 1
    at = _past_blanks(lines, end)
    summary: list[str] = []
    if at < len(lines) and lines[at].startswith(SUMMARY_PREFIX):
        end = _paragraph_end(lines, at)
        summary = [lines[at][len(SUMMARY_PREFIX) :], *lines[at + 1 : end]]
    elif not facts:
        return None
    entry = WindowEntry(
        session_id=one_line(heading["session"]),
        ended_at=parse_time(heading["time"]) or UNKNOWN_TIME,
        duration=one_line(facts["duration"]) if facts else "",
        messages=int(facts["messages"]) if facts else 0,
        archive=one_line(facts["archive"] or "") if facts else "",
        summary=one_line("".join(summary)),
    )
    return entry, end


def _heading(line: str) -> re.Match[str] | None:
    return HEADING_LINE.fullmatch(line.lstrip("\ufeff").rstrip())


def _past_blanks(lines: list[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _paragraph_end(lines: list[str], start: int) -> int:
    """Return the line after a summary.

    Older versions left line breaks in it, rules among them, but ended it with a blank line.
    """
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _heading(lines[end]):
        end += 1
    while end > start + 1 and lines[end - 1].strip() == "---":
        end -= 1
    return end


def _closed(lead: str, rest: list[Block], gaps: list[str], *, is_end: bool = False) -> str:
    """Merge the gaps after the last remaining block; return the text before the first block."""
    if len(gaps) > 1:
        gap = _merged(gaps, is_first=not rest, is_last=is_end)
        if not rest:
            return gap
        rest[-1] = replace(rest[-1], gap=apart(gap))
    return gaps[0] if not rest else lead


def _merged(gaps: Sequence[str], *, is_first: bool, is_last: bool) -> str:
    """Merge the text around leaving entries: `gaps` were before, between and after them."""
    free = [gap for gap in gaps if _is_free(gap)]
    if is_last and not _is_free(gaps[-1]):
        if not free:
            return "" if is_first else gaps[-1]
        return above(_merged(gaps[:-1], is_first=is_first, is_last=False)).rstrip("\r\n") + gaps[-1]
    if not free:
        return gaps[0]
    begins = below(free[0]) if is_first and free[0] is not gaps[0] else free[0]
    return begins + "".join(map(below, free[1:]))


def _is_free(gap: str) -> bool:
    return bool(gap.replace("---", "", 1).strip(LEADING))


def _line_kind(line: str) -> str:
    """Return the prefix that identifies a line of an entry; empty for any other line."""
    return next((start for start in (HEADING_PREFIX, FACTS_PREFIX, SUMMARY_PREFIX) if line.startswith(start)), "")
