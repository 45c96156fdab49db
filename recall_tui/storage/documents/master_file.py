"""master.md: a project's summaries condensed by theme, each line with its sources.

A line of ours is recognized by its hash in the comment at the end; every other line and heading is the user's and
stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.markdown.outline import trim_blank
from recall_tui.storage.markdown.quoting import FenceTracker, comment_json, normalize_lines
from recall_tui.text.cut import one_line, shorten_before_reason, strip_controls
from recall_tui.text.secrets.redact import redact

STATUS = "Current Status"
DECISIONS = "Key Decisions"
LEARNINGS = "Learnings & Discoveries"
EVOLUTION = "Evolution & Changes"
QUESTIONS = "Active Questions"
SECTIONS = (STATUS, DECISIONS, LEARNINGS, EVOLUTION, QUESTIONS)
INTRO = "# Project Memory\n\n*Automatically synthesised by recall-tui. Lines without a source are yours, and are kept.*"
MAX_LINE_CHARS = 300
"""The most characters of a line's text."""
HASH_DIGITS = 8
"""Hex digits of the hash that identifies a line, a summary or a document."""
_VERSION = 1
_NO_LINES = "*None.*"
_NOTE_START = "<!-- recall-master: "
_NOTE_END = " -->"
_DAY = r"\d{4}-\d\d-\d\d"
_SOURCE = rf"[^();,\n]+(?:, {_DAY})?"
_BULLET = re.compile(rf"- (.*?)(?: \(check: ([^()\n]+)\))? \(({_SOURCE}(?:; {_SOURCE})*)\)")
_UUID = "[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?"
_OWN_SOURCE = rf"(?:(?:conversation|archive-log)-\d+|{_UUID}|[\w./-]+\.md)(?:, {_DAY})?"
_CITATION_TAIL = re.compile(rf"(?: ?\(check: [^()]*\)| ?\({_OWN_SOURCE}(?:; {_OWN_SOURCE})*\))$")
"""Text that we write behind a line; other words in brackets are the line's own, often its reason."""
_BEFORE_FIRST_LINE = re.compile(r"\A(?:\s*\n|\ufeff)+")
_LINE_MARKERS = re.compile(r"^(?:[-*+•]\s+|#+\s+)+")
_UNSAFE_CHARS = re.compile(r"[();,\s]+")
_LAST_SYNTHESIZED = re.compile(rf"\*+Last synthesi[sz]ed:?\*?:? *({_DAY})?.*", re.IGNORECASE)
_SOURCE_COUNTS = re.compile(r"\*+Sources?:\**(?: *[,;+&]? *(?:and )?\d+ [a-z]+)+ *\*", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"(?:[*_(\[].*[*_)\]]|-|none\.?|tbd\.?|n/a|no .{1,60} yet\.?|nothing .{0,60}yet\.?)", re.IGNORECASE
)


class MasterSource(NamedTuple):
    """The source of a line."""

    id: str
    """The beginning of a session's id, an archive's name, a document's path, `git` or `code`."""
    day: str = ""
    """ISO date, such as `2026-03-06`; empty when it has none."""


@dataclass(frozen=True, slots=True)
class MasterBullet:
    """A line that we wrote."""

    text: str
    sources: tuple[MasterSource, ...]
    check: str = ""
    """A contradiction from the project's state, such as `src/x.py is not there`."""


Line = MasterBullet | str
"""A line of ours, or the text of a user's line."""


@dataclass(frozen=True, slots=True)
class ThemeGroup:
    """Lines of one theme; those before the first theme have no title."""

    title: str = ""
    lines: tuple[Line, ...] = ()
    is_ours: bool = True
    """We wrote the heading, so it is removed once it has no lines."""


@dataclass(frozen=True, slots=True)
class MasterSection:
    """A second-level heading and its content."""

    title: str
    groups: tuple[ThemeGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class MasterRecord:
    """The inputs of a master."""

    at: str = ""
    """Time of the synthesis, ISO 8601."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    """Hash of each summary by name; an empty hash matches any."""
    docs: Mapping[str, str] = field(default_factory=dict)
    inherited: tuple[str, ...] = ()
    """Sources of lines that came with a master from elsewhere."""
    themes: tuple[str, ...] = ()
    """Headings that we wrote."""
    lines: frozenset[str] = frozenset()
    """Hashes of the lines that we wrote."""
    dependencies: tuple[str, ...] = ()
    """Names that the project's manifests had at some synthesis, in lower case."""


@dataclass(frozen=True, slots=True)
class Master:
    """The parsed document."""

    lead: str = INTRO
    """The title and the text below it."""
    sections: tuple[MasterSection, ...] = tuple(MasterSection(title) for title in SECTIONS)
    record: MasterRecord | None = None

    def bullets(self, title: str = "") -> Iterator[MasterBullet]:
        """Yield our lines, of one section or of all."""
        for line in self.lines(title):
            if isinstance(line, MasterBullet):
                yield line

    def lines(self, title: str = "") -> Iterator[Line]:
        """Yield every line, of one section or of all."""
        for section in self.sections:
            if title in ("", section.title):
                for group in section.groups:
                    yield from group.lines


def clean_text(text: str, limit: int = MAX_LINE_CHARS) -> str:
    """Clean text for a line of ours: one line, without secrets and markup that would be parsed as part of it."""
    words = one_line(strip_controls(redact(text)).replace("<!--", "\\<!--"))
    words = shorten_before_reason(_LINE_MARKERS.sub("", words), limit).strip()
    while (shorter := _CITATION_TAIL.sub("", words).strip()) != words:
        words = shorter
    return words


def clean_id(id: str) -> str:
    """Clean a source's id for use in a line."""
    return _UNSAFE_CHARS.sub("_", strip_controls(id)) or "unknown"


def text_hash(text: str) -> str:
    """Hash a text independently of its line endings."""
    return content_digest(normalize_lines(text).strip())[:HASH_DIGITS]


def render_master(master: Master) -> str:
    """Render the document."""
    parts = [trim_blank(master.lead) or INTRO]
    for section in master.sections:
        parts.append(f"## {section.title}")
        body = [_group(group) for group in section.groups]
        body = [text for text in body if text]
        if not body and section.title in SECTIONS:
            body = [_NO_LINES]
        parts += body
    if master.record is not None:
        parts.append(_footer(master, master.record))
    return "\n\n".join(parts) + "\n"


def parse_master(text: str, known: MasterRecord | None = None) -> Master:
    """Parse the document; a blank text gives an empty one.

    `known` is its record, for a document that lost its own comment. No line of the user's is lost, except blank lines
    around others.
    """
    text = _BEFORE_FIRST_LINE.sub("", normalize_lines(text), count=1)
    if not text.strip():
        return Master()
    lines, record = _split_footer(text.split("\n"))
    record = record or known
    heads: list[tuple[str, list[str]]] = [("", [])]
    fence = FenceTracker()
    for line in lines:
        if not fence.holds(line) and line.startswith("## ") and line[3:].strip():
            heads.append((line[3:].strip(), []))
        else:
            heads[-1][1].append(line)
    if fence.mark:
        heads[-1][1].append(fence.mark)
    lead = "\n".join(_trim_blank(heads[0][1]))
    sections = tuple(MasterSection(title, tuple(_groups(body, record))) for title, body in heads[1:])
    return _with_all_sections(Master(lead or INTRO, sections, record))


def render_bullet(bullet: MasterBullet) -> str:
    """Render the bullet as a line of the document."""
    check = f" (check: {bullet.check})" if bullet.check else ""
    named = "; ".join(f"{one.id}, {one.day}" if one.day else one.id for one in bullet.sources)
    return f"- {bullet.text}{check} ({named})"


def parse_bullet(line: str) -> MasterBullet | None:
    """Parse a line in our format, whoever wrote it; None when it names no sources."""
    found = _BULLET.fullmatch(line.rstrip())
    return MasterBullet(found[1], tuple(map(_source, found[3].split("; "))), found[2] or "") if found else None


def find_synthesis_day(text: str) -> str:
    """Return the day of the synthesis from the footer; empty when it has none."""
    for line in reversed(text.splitlines()):
        if found := _LAST_SYNTHESIZED.fullmatch(line.strip()):
            return found[1] or ""
    return ""


def was_synthesized(text: str) -> bool:
    """Return whether the text has a footer line of a synthesis, with or without a day."""
    return any(_LAST_SYNTHESIZED.fullmatch(line.strip()) for line in text.splitlines())


def is_placeholder(text: str) -> bool:
    """Return whether nothing was synthesized into the text and no user wrote anything into it."""
    master = parse_master(text)
    said = (line.strip() for line in master.lines() if isinstance(line, str))
    return next(master.bullets(), None) is None and all(not one or _PLACEHOLDER.fullmatch(one) for one in said)


def strip_note(text: str) -> str:
    """Return the text without the comment at its end."""
    kept = [line for line in text.split("\n") if _parse_note(line) is None]
    return "\n".join(kept).rstrip()


def _group(group: ThemeGroup) -> str:
    lines = [render_bullet(line) if isinstance(line, MasterBullet) else line for line in group.lines]
    text = "\n".join(lines)
    if not group.title:
        return text
    return f"### {group.title}\n\n{text}".rstrip("\n") if text or not group.is_ours else ""


def note_fields(master: Master, record: MasterRecord) -> dict[str, object]:
    """Return the fields of the comment at the end of the document; `record_from_values` reads them."""
    ours = dict.fromkeys(g.title for s in master.sections for g in s.groups if g.title and g.is_ours and g.lines)
    facts: dict[str, object] = {
        "version": _VERSION,
        "at": record.at,
        "summaries": dict(sorted(record.summaries.items())),
        "docs": dict(sorted(record.docs.items())),
        "inherited": list(record.inherited),
        "themes": list(ours),
        "dependencies": list(record.dependencies),
        "lines": "".join(sorted({text_hash(render_bullet(one)) for one in master.bullets()})),
    }
    return {name: one for name, one in facts.items() if one}


def _footer(master: Master, record: MasterRecord) -> str:
    summaries, docs = len(record.summaries), len(record.docs)
    counts = f"*Source: {summaries} conversation{'s' * (summaries != 1)}, {docs} doc{'s' * (docs != 1)}*"
    head = f"---\n\n*Last synthesized: {record.at[:10]}*\n{counts}"
    return f"{head}\n\n{_NOTE_START}{comment_json(note_fields(master, record))}{_NOTE_END}"


def _split_footer(lines: Sequence[str]) -> tuple[list[str], MasterRecord | None]:
    """Return the lines without our last comment and the footer above it, and the comment's record."""
    fence = FenceTracker()
    free = [not fence.holds(line) for line in lines]
    found = [(at, facts) for at, line in enumerate(lines) if free[at] and (facts := _parse_note(line)) is not None]
    end, facts = found[-1] if found else (len(lines), None)
    start = _footer_start(lines, end)
    # If the comment is missing, drop every footer: one left above would be taken for ours at the next write.
    while not found and (above := _footer_start(lines, start)) < start:
        start = above
    rest = [line for at, line in enumerate(lines[end:], end) if not (free[at] and _parse_note(line) is not None)]
    return [*lines[:start], *rest], record_from_values(facts) if facts is not None else None


def _footer_start(lines: Sequence[str], end: int) -> int:
    """Return the first line of a footer that ends at `end`, with the rule above it; `end` when there is none."""
    start = end
    was_said = False
    while start and (not lines[start - 1].strip() or _is_footer_line(lines[start - 1])):
        start -= 1
        was_said = was_said or _is_footer_line(lines[start])
    if was_said and start and lines[start - 1].strip() == "---":
        start -= 1
    return start if was_said else end


def _is_footer_line(line: str) -> bool:
    """Return whether a line belongs to a footer; one with other text in it is the user's."""
    found = _LAST_SYNTHESIZED.fullmatch(line.strip())
    is_last = found is not None and not (found[1] and any(map(str.isalpha, line.strip()[found.end(1) :])))
    return is_last or _SOURCE_COUNTS.fullmatch(line.strip()) is not None


def _parse_note(line: str) -> dict[str, object] | None:
    line = line.rstrip()
    if not line.startswith(_NOTE_START) or not line.endswith(_NOTE_END):
        return None
    try:
        facts = json.loads(line[len(_NOTE_START) : -len(_NOTE_END)])
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def find_record(text: str) -> MasterRecord | None:
    """Return the record in the document's comment; None when there is no readable one."""
    return _split_footer(normalize_lines(text).split("\n"))[1]


def record_from_values(facts: Mapping[str, object]) -> MasterRecord:
    """Build the record from the comment's values; values of the wrong type are left out."""
    at, lines = facts.get("at"), facts.get("lines")
    hashes = lines if isinstance(lines, str) else ""
    return MasterRecord(
        at if isinstance(at, str) else "",
        texts_by_name(facts.get("summaries")),
        texts_by_name(facts.get("docs")),
        _text_values(facts.get("inherited")),
        _text_values(facts.get("themes")),
        frozenset(hashes[start : start + HASH_DIGITS] for start in range(0, len(hashes), HASH_DIGITS)),
        _text_values(facts.get("dependencies")),
    )


def texts_by_name(value: object) -> dict[str, str]:
    """Return the text values of a JSON object; other values are left out."""
    pairs = value.items() if isinstance(value, dict) else ()
    return {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}


def _text_values(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _groups(lines: Iterable[str], record: MasterRecord | None) -> Iterator[ThemeGroup]:
    heads: list[tuple[str, list[str]]] = [("", [])]
    fence = FenceTracker()
    for line in lines:
        if not fence.holds(line) and line.startswith("### ") and line[4:].strip():
            heads.append((line[4:].strip(), []))
        else:
            heads[-1][1].append(line)
    ours = record.lines if record else frozenset()
    for title, body in heads:
        kept = _trim_blank(one for one in body if one.strip() != _NO_LINES)
        if title or kept:
            is_ours = not title or (record is not None and title in record.themes)
            yield ThemeGroup(title, tuple(_line(one, ours) for one in kept), is_ours)


def _line(line: str, ours: frozenset[str]) -> Line:
    return (parse_bullet(line) if text_hash(line) in ours else None) or line


def _source(text: str) -> MasterSource:
    id, comma, day = text.rpartition(", ")
    return MasterSource(id, day) if comma else MasterSource(text)


def _trim_blank(lines: Iterable[str]) -> list[str]:
    kept = list(lines)
    said = [at for at, line in enumerate(kept) if line.strip()]
    return kept[said[0] : said[-1] + 1] if said else []


def _with_all_sections(master: Master) -> Master:
    """Add the sections that a master lacks, at their places."""
    sections = list(master.sections)
    at = 0
    for title in SECTIONS:
        place = next((place for place, one in enumerate(sections) if one.title == title), None)
        if place is None:
            sections.insert(at, MasterSection(title))
            place = at
        at = place + 1
    return replace(master, sections=tuple(sections))
