"""master.md: what all summaries of a project come to, by theme, each line with its sources.

A line of ours is known by its hash in the comment at the end; every other line and heading is a person's, and stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
"""Characters of a line's words."""
HASH_DIGITS = 8
"""Hex digits by which a line, a summary or a document is known again."""
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
"""What we wrote behind a line; other words in brackets are the line's own, and often its reason."""
_LINE_MARKERS = re.compile(r"^(?:[-*+•]\s+|#+\s+)+")
_UNSAFE_CHARS = re.compile(r"[();,\s]+")
_LAST_SYNTHESIZED = re.compile(rf"\*+Last synthesi[sz]ed:?\*?:? *({_DAY})?.*", re.IGNORECASE)
_SOURCE_COUNTS = re.compile(r"\*+Sources?:\**(?: *[,;+&]? *(?:and )?\d+ [a-z]+)+ *\*", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"(?:[*_(\[].*[*_)\]]|-|none\.?|tbd\.?|n/a|no .{1,60} yet\.?|nothing .{0,60}yet\.?)", re.IGNORECASE
)


class MasterSource(NamedTuple):
    """Where a line is from."""

    id: str
    """The beginning of a session's id, an archive's name, a document's path, `git` or `code`."""
    day: str = ""
    """Such as `2026-03-06`; empty when it has none."""


@dataclass(frozen=True, slots=True)
class MasterBullet:
    """A line of ours."""

    text: str
    sources: tuple[MasterSource, ...]
    check: str = ""
    """What of the project's state speaks against it, such as `src/x.py is not there`."""


Line = MasterBullet | str
"""A line of ours, or one of a person's as it stands."""


@dataclass(frozen=True, slots=True)
class ThemeGroup:
    """Lines of one theme; those before the first theme have none."""

    title: str = ""
    lines: tuple[Line, ...] = ()
    is_ours: bool = True
    """The heading goes when nothing stands below it any more."""


@dataclass(frozen=True, slots=True)
class MasterSection:
    """A second-level heading and what is below it."""

    title: str
    groups: tuple[ThemeGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class MasterRecord:
    """What a master was made of."""

    at: str = ""
    """When, as ISO 8601."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    """The name of each summary and its hash; an empty hash is any."""
    docs: Mapping[str, str] = field(default_factory=dict)
    inherited: tuple[str, ...] = ()
    """Sources of lines that came with the master from elsewhere."""
    themes: tuple[str, ...] = ()
    """Headings that are ours."""
    lines: frozenset[str] = frozenset()
    """Hashes of the lines that are ours."""


@dataclass(frozen=True, slots=True)
class Master:
    """The document."""

    lead: str = INTRO
    """The title and what stands below it."""
    sections: tuple[MasterSection, ...] = tuple(MasterSection(title) for title in SECTIONS)
    record: MasterRecord | None = None

    def bullets(self, title: str = "") -> Iterator[MasterBullet]:
        """The lines of ours, of one section or of all."""
        for line in self.lines(title):
            if isinstance(line, MasterBullet):
                yield line

    def lines(self, title: str = "") -> Iterator[Line]:
        """Every line, of one section or of all."""
        for section in self.sections:
            if title in ("", section.title):
                for group in section.groups:
                    yield from group.lines


def clean_text(text: str, limit: int = MAX_LINE_CHARS) -> str:
    """Words as a line of ours may hold them: on one line, without secrets and what would pass for its parts."""
    words = one_line(strip_controls(redact(text)).replace("<!--", "\\<!--"))
    words = shorten_before_reason(_LINE_MARKERS.sub("", words), limit).strip()
    while (shorter := _CITATION_TAIL.sub("", words).strip()) != words:
        words = shorter
    return words


def clean_id(id: str) -> str:
    """The id of a source as a line may name it."""
    return _UNSAFE_CHARS.sub("_", strip_controls(id)) or "unknown"


def text_hash(text: str) -> str:
    """What a text is known by, whatever its line ends are."""
    return content_digest(normalize_lines(text).strip())[:HASH_DIGITS]


def render_master(master: Master) -> str:
    """The document as text."""
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
    """The document of a text; with nothing in it an empty one.

    `known` is what it was made of, for one whose own comment is gone. Whatever it holds, no line of a person's is left
    out, save for blank ones around others.
    """
    text = normalize_lines(text).lstrip("\ufeff")
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
    """The bullet as it stands in the document."""
    check = f" (check: {bullet.check})" if bullet.check else ""
    named = "; ".join(f"{one.id}, {one.day}" if one.day else one.id for one in bullet.sources)
    return f"- {bullet.text}{check} ({named})"


def parse_bullet(line: str) -> MasterBullet | None:
    """The line as one of ours, whoever wrote it; None when it names no sources."""
    found = _BULLET.fullmatch(line.rstrip())
    return MasterBullet(found[1], tuple(map(_source, found[3].split("; "))), found[2] or "") if found else None


def find_synthesis_day(text: str) -> str:
    """The day on which the master was made, by its footer; empty when it does not tell."""
    for line in reversed(text.splitlines()):
        if found := _LAST_SYNTHESIZED.fullmatch(line.strip()):
            return found[1] or ""
    return ""


def was_synthesized(text: str) -> bool:
    """Whether the text says at its end that it was synthesised, with or without a day."""
    return any(_LAST_SYNTHESIZED.fullmatch(line.strip()) for line in text.splitlines())


def is_placeholder(text: str) -> bool:
    """Nothing was synthesised into the text, and no person wrote anything into it."""
    master = parse_master(text)
    said = (line.strip() for line in master.lines() if isinstance(line, str))
    return next(master.bullets(), None) is None and all(not one or _PLACEHOLDER.fullmatch(one) for one in said)


def strip_note(text: str) -> str:
    """The text as it is to be read: without the comment at its end."""
    kept = [line for line in text.split("\n") if _parse_note(line) is None]
    return "\n".join(kept).rstrip()


def _group(group: ThemeGroup) -> str:
    lines = [render_bullet(line) if isinstance(line, MasterBullet) else line for line in group.lines]
    text = "\n".join(lines)
    if not group.title:
        return text
    return f"### {group.title}\n\n{text}".rstrip("\n") if text or not group.is_ours else ""


def without_sources(text: str, names: Collection[str]) -> str:
    """The text without the lines of ours that one of these summaries had a part in; as it was when there is none."""
    master = parse_master(text)
    gone = tuple(clean_id(name) for name in names if name)

    def stays(line: Line) -> bool:
        return isinstance(line, str) or not any(id.startswith(one.id) for one in line.sources for id in gone)

    record = master.record
    if record is None or (all(map(stays, master.lines())) and not set(names) & record.summaries.keys()):
        return text
    sections = tuple(
        replace(section, groups=tuple(replace(g, lines=tuple(filter(stays, g.lines))) for g in section.groups))
        for section in master.sections
    )
    kept = {name: hash for name, hash in record.summaries.items() if name not in names}
    inherited = tuple(name for name in record.inherited if name not in names)
    return render_master(
        replace(master, sections=sections, record=replace(record, summaries=kept, inherited=inherited))
    )


def note_fields(master: Master, record: MasterRecord) -> dict[str, object]:
    """What the comment at the end of the document says; `record_from_values` reads it."""
    ours = dict.fromkeys(g.title for s in master.sections for g in s.groups if g.title and g.is_ours)
    facts: dict[str, object] = {
        "version": _VERSION,
        "at": record.at,
        "summaries": dict(sorted(record.summaries.items())),
        "docs": dict(sorted(record.docs.items())),
        "inherited": list(record.inherited),
        "themes": list(ours),
        "lines": "".join(sorted({text_hash(render_bullet(one)) for one in master.bullets()})),
    }
    return {name: one for name, one in facts.items() if one}


def _footer(master: Master, record: MasterRecord) -> str:
    summaries, docs = len(record.summaries), len(record.docs)
    counts = f"*Source: {summaries} conversation{'s' * (summaries != 1)}, {docs} doc{'s' * (docs != 1)}*"
    head = f"---\n\n*Last synthesized: {record.at[:10]}*\n{counts}"
    return f"{head}\n\n{_NOTE_START}{comment_json(note_fields(master, record))}{_NOTE_END}"


def _split_footer(lines: Sequence[str]) -> tuple[list[str], MasterRecord | None]:
    """The lines without the last comment of ours and the words above it, and what the comment says."""
    fence = FenceTracker()
    free = [not fence.holds(line) for line in lines]
    found = [(at, facts) for at, line in enumerate(lines) if free[at] and (facts := _parse_note(line)) is not None]
    end, facts = found[-1] if found else (len(lines), None)
    start = _footer_start(lines, end)
    # Without a comment of ours no footer is written again: another one above would pass for it the next time.
    while not found and (above := _footer_start(lines, start)) < start:
        start = above
    rest = [line for at, line in enumerate(lines[end:], end) if not (free[at] and _parse_note(line) is not None)]
    return [*lines[:start], *rest], record_from_values(facts) if facts is not None else None


def _footer_start(lines: Sequence[str], end: int) -> int:
    """Where the words of a footer begin that end at `end`, with the rule above them; `end` when there are none."""
    start = end
    was_said = False
    while start and (not lines[start - 1].strip() or _is_footer_line(lines[start - 1])):
        start -= 1
        was_said = was_said or _is_footer_line(lines[start])
    if was_said and start and lines[start - 1].strip() == "---":
        start -= 1
    return start if was_said else end


def _is_footer_line(line: str) -> bool:
    """Whether a line is one of a footer; one with other words in it is a person's."""
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
    """What the document's own comment says; None when it has none that can be read."""
    return _split_footer(normalize_lines(text).split("\n"))[1]


def record_from_values(facts: Mapping[str, object]) -> MasterRecord:
    """The record that the comment's values describe; values of the wrong kind are left out."""
    at, lines = facts.get("at"), facts.get("lines")
    hashes = lines if isinstance(lines, str) else ""
    return MasterRecord(
        at if isinstance(at, str) else "",
        texts_by_name(facts.get("summaries")),
        texts_by_name(facts.get("docs")),
        _text_values(facts.get("inherited")),
        _text_values(facts.get("themes")),
        frozenset(hashes[start : start + HASH_DIGITS] for start in range(0, len(hashes), HASH_DIGITS)),
    )


def texts_by_name(value: object) -> dict[str, str]:
    """A JSON object of texts; whatever else is in it is left out."""
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
    """The lines without blank ones at both ends."""
    kept = list(lines)
    said = [at for at, line in enumerate(kept) if line.strip()]
    return kept[said[0] : said[-1] + 1] if said else []


def _with_all_sections(master: Master) -> Master:
    """The document with every section that a master has, those that are missing at their places."""
    sections = list(master.sections)
    at = 0
    for title in SECTIONS:
        place = next((place for place, one in enumerate(sections) if one.title == title), None)
        if place is None:
            sections.insert(at, MasterSection(title))
            place = at
        at = place + 1
    return replace(master, sections=tuple(sections))
