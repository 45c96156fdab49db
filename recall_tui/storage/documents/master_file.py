"""master.md: what all summaries of a project come to, by theme, each line with its sources.

A line of ours is known by its hash in the comment at the end; every other line and heading is a person's, and stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recall_tui.storage.files.atomic import digest
from recall_tui.storage.markdown.outline import trimmed
from recall_tui.storage.markdown.quoting import Fence, comment_json, plain_lines
from recall_tui.text.cut import cut, one_line, plain
from recall_tui.text.secrets.redact import redact

STATUS = "Current Status"
DECISIONS = "Key Decisions"
LEARNINGS = "Learnings & Discoveries"
EVOLUTION = "Evolution & Changes"
QUESTIONS = "Active Questions"
SECTIONS = (STATUS, DECISIONS, LEARNINGS, EVOLUTION, QUESTIONS)
LEAD = "# Project Memory\n\n*Automatically synthesised by recall-tui. Lines without a source are yours, and are kept.*"
LONGEST = 300
"""Characters of a line's words."""
HASH = 8
"""Hex digits by which a line, a summary or a document is known again."""
_VERSION = 1
_NONE = "*None.*"
_MARK = "<!-- recall-master: "
_END = " -->"
_DAY = r"\d{4}-\d\d-\d\d"
_SOURCE = rf"[^();,\n]+(?:, {_DAY})?"
_BULLET = re.compile(rf"- (.*?)(?: \(check: ([^()\n]+)\))? \(({_SOURCE}(?:; {_SOURCE})*)\)")
_TAIL = re.compile(rf"(?: ?\(check: [^()]*\)| ?\({_SOURCE}(?:; {_SOURCE})*\))$")
_OPENING = re.compile(r"^(?:[-*+•]\s+|#+\s+)+")
_UNSAFE = re.compile(r"[();,\s]+")
_LAST = re.compile(rf"\*+Last synthesi[sz]ed:?\*?:? *({_DAY})?.*", re.IGNORECASE)
_COUNTS = re.compile(r"\*+Sources?:\**(?: *[,;+&]? *(?:and )?\d+ [a-z]+)+ *\*", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"(?:[*_(\[].*[*_)\]]|-|none\.?|tbd\.?|n/a|no .{1,60} yet\.?|nothing .{0,60}yet\.?)", re.IGNORECASE
)


class Source(NamedTuple):
    """Where a line is from."""

    id: str
    """The beginning of a session's id, an archive's name, a document's path, `git` or `code`."""
    day: str = ""
    """Such as `2026-03-06`; empty when it has none."""


@dataclass(frozen=True, slots=True)
class Bullet:
    """A line of ours."""

    text: str
    sources: tuple[Source, ...]
    check: str = ""
    """What of the project's state speaks against it, such as `src/x.py is not there`."""


Line = Bullet | str
"""A line of ours, or one of a person's as it stands."""


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of one theme; those before the first theme have none."""

    title: str = ""
    lines: tuple[Line, ...] = ()
    is_ours: bool = True
    """The heading goes when nothing stands below it any more."""


@dataclass(frozen=True, slots=True)
class Section:
    """A second-level heading and what is below it."""

    title: str
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
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

    lead: str = LEAD
    """The title and what stands below it."""
    sections: tuple[Section, ...] = tuple(Section(title) for title in SECTIONS)
    record: Record | None = None

    def bullets(self, title: str = "") -> Iterator[Bullet]:
        """The lines of ours, of one section or of all."""
        for line in self.lines(title):
            if isinstance(line, Bullet):
                yield line

    def lines(self, title: str = "") -> Iterator[Line]:
        """Every line, of one section or of all."""
        for section in self.sections:
            if title in ("", section.title):
                for group in section.groups:
                    yield from group.lines


def clean(text: str, limit: int = LONGEST) -> str:
    """Words as a line of ours may hold them: on one line, without secrets and what would pass for its parts."""
    words = one_line(plain(redact(text)).replace("<!--", "\\<!--"))
    words = cut(_OPENING.sub("", words), limit).strip()
    while (shorter := _TAIL.sub("", words).strip()) != words:
        words = shorter
    return words


def clean_id(id: str) -> str:
    """The id of a source as a line may name it."""
    return _UNSAFE.sub("_", plain(id)) or "unknown"


def hash_of(text: str) -> str:
    """What a text is known by, whatever its line ends are."""
    return digest(plain_lines(text).strip())[:HASH]


def render(master: Master) -> str:
    """The document as text."""
    parts = [trimmed(master.lead) or LEAD]
    for section in master.sections:
        parts.append(f"## {section.title}")
        body = [_group(group) for group in section.groups]
        body = [text for text in body if text]
        if not body and section.title in SECTIONS:
            body = [_NONE]
        parts += body
    if master.record is not None:
        parts.append(_footer(master, master.record))
    return "\n\n".join(parts) + "\n"


def parse(text: str, known: Record | None = None) -> Master:
    """The document of a text; with nothing in it an empty one.

    `known` is what it was made of, for one whose own comment is gone. Whatever it holds, no line of a person's is left
    out, save for blank ones around others.
    """
    text = plain_lines(text).lstrip("\ufeff")
    if not text.strip():
        return Master()
    lines, record = _without_footer(text.split("\n"))
    record = record or known
    heads: list[tuple[str, list[str]]] = [("", [])]
    fence = Fence()
    for line in lines:
        if not fence.holds(line) and line.startswith("## ") and line[3:].strip():
            heads.append((line[3:].strip(), []))
        else:
            heads[-1][1].append(line)
    if fence.mark:
        heads[-1][1].append(fence.mark)
    lead = "\n".join(_trimmed(heads[0][1]))
    sections = tuple(Section(title, tuple(_groups(body, record))) for title, body in heads[1:])
    return _whole(Master(lead or LEAD, sections, record))


def line_of(bullet: Bullet) -> str:
    """The bullet as it stands in the document."""
    check = f" (check: {bullet.check})" if bullet.check else ""
    named = "; ".join(f"{one.id}, {one.day}" if one.day else one.id for one in bullet.sources)
    return f"- {bullet.text}{check} ({named})"


def bullet_in(line: str) -> Bullet | None:
    """The line as one of ours, whoever wrote it; None when it names no sources."""
    found = _BULLET.fullmatch(line.rstrip())
    return Bullet(found[1], tuple(map(_source, found[3].split("; "))), found[2] or "") if found else None


def last_synthesized(text: str) -> str:
    """The day on which the master was made, by its footer; empty when it does not tell."""
    for line in reversed(text.splitlines()):
        if found := _LAST.fullmatch(line.strip()):
            return found[1] or ""
    return ""


def was_synthesized(text: str) -> bool:
    """Whether the text says at its end that it was synthesised, with or without a day."""
    return any(_LAST.fullmatch(line.strip()) for line in text.splitlines())


def is_placeholder(text: str) -> bool:
    """Nothing was synthesised into the text, and no person wrote anything into it."""
    master = parse(text)
    said = (line.strip() for line in master.lines() if isinstance(line, str))
    return next(master.bullets(), None) is None and all(not one or _PLACEHOLDER.fullmatch(one) for one in said)


def readable(text: str) -> str:
    """The text as it is to be read: without the comment at its end."""
    kept = [line for line in text.split("\n") if _facts(line) is None]
    return "\n".join(kept).rstrip()


def _group(group: Group) -> str:
    lines = [line_of(line) if isinstance(line, Bullet) else line for line in group.lines]
    text = "\n".join(lines)
    if not group.title:
        return text
    return f"### {group.title}\n\n{text}".rstrip("\n") if text or not group.is_ours else ""


def without(text: str, names: Collection[str]) -> str:
    """The text without the lines of ours that one of these summaries had a part in; as it was when there is none."""
    master = parse(text)
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
    return render(replace(master, sections=sections, record=replace(record, summaries=kept, inherited=inherited)))


def facts_of(master: Master, record: Record) -> dict[str, object]:
    """What the comment at the end of the document says; `record_of` reads it."""
    ours = dict.fromkeys(g.title for s in master.sections for g in s.groups if g.title and g.is_ours)
    facts: dict[str, object] = {
        "version": _VERSION,
        "at": record.at,
        "summaries": dict(sorted(record.summaries.items())),
        "docs": dict(sorted(record.docs.items())),
        "inherited": list(record.inherited),
        "themes": list(ours),
        "lines": "".join(sorted({hash_of(line_of(one)) for one in master.bullets()})),
    }
    return {name: one for name, one in facts.items() if one}


def _footer(master: Master, record: Record) -> str:
    summaries, docs = len(record.summaries), len(record.docs)
    counts = f"*Source: {summaries} conversation{'s' * (summaries != 1)}, {docs} doc{'s' * (docs != 1)}*"
    head = f"---\n\n*Last synthesized: {record.at[:10]}*\n{counts}"
    return f"{head}\n\n{_MARK}{comment_json(facts_of(master, record))}{_END}"


def _without_footer(lines: Sequence[str]) -> tuple[list[str], Record | None]:
    """The lines without the last comment of ours and the words above it, and what the comment says."""
    fence = Fence()
    free = [not fence.holds(line) for line in lines]
    found = [(at, facts) for at, line in enumerate(lines) if free[at] and (facts := _facts(line)) is not None]
    end, facts = found[-1] if found else (len(lines), None)
    start = _above_what_is_said(lines, end)
    # Without a comment of ours no footer is written again: another one above would pass for it the next time.
    while not found and (above := _above_what_is_said(lines, start)) < start:
        start = above
    rest = [line for at, line in enumerate(lines[end:], end) if not (free[at] and _facts(line) is not None)]
    return [*lines[:start], *rest], record_of(facts) if facts is not None else None


def _above_what_is_said(lines: Sequence[str], end: int) -> int:
    """Where the words of a footer begin that end at `end`, with the rule above them; `end` when there are none."""
    start = end
    was_said = False
    while start and (not lines[start - 1].strip() or _is_said(lines[start - 1])):
        start -= 1
        was_said = was_said or _is_said(lines[start])
    if was_said and start and lines[start - 1].strip() == "---":
        start -= 1
    return start if was_said else end


def _is_said(line: str) -> bool:
    """Whether a line is one of a footer; one with other words in it is a person's."""
    found = _LAST.fullmatch(line.strip())
    is_last = found is not None and not (found[1] and any(map(str.isalpha, line.strip()[found.end(1) :])))
    return is_last or _COUNTS.fullmatch(line.strip()) is not None


def _facts(line: str) -> dict[str, object] | None:
    line = line.rstrip()
    if not line.startswith(_MARK) or not line.endswith(_END):
        return None
    try:
        facts = json.loads(line[len(_MARK) : -len(_END)])
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def record_in(text: str) -> Record | None:
    """What the document's own comment says; None when it has none that can be read."""
    return _without_footer(plain_lines(text).split("\n"))[1]


def record_of(facts: Mapping[str, object]) -> Record:
    """The record that the comment's values describe; values of the wrong kind are left out."""
    at, lines = facts.get("at"), facts.get("lines")
    hashes = lines if isinstance(lines, str) else ""
    return Record(
        at if isinstance(at, str) else "",
        texts_by_name(facts.get("summaries")),
        texts_by_name(facts.get("docs")),
        _texts(facts.get("inherited")),
        _texts(facts.get("themes")),
        frozenset(hashes[start : start + HASH] for start in range(0, len(hashes), HASH)),
    )


def texts_by_name(value: object) -> dict[str, str]:
    """A JSON object of texts; whatever else is in it is left out."""
    pairs = value.items() if isinstance(value, dict) else ()
    return {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _groups(lines: Iterable[str], record: Record | None) -> Iterator[Group]:
    heads: list[tuple[str, list[str]]] = [("", [])]
    fence = Fence()
    for line in lines:
        if not fence.holds(line) and line.startswith("### ") and line[4:].strip():
            heads.append((line[4:].strip(), []))
        else:
            heads[-1][1].append(line)
    ours = record.lines if record else frozenset()
    for title, body in heads:
        kept = _trimmed(one for one in body if one.strip() != _NONE)
        if title or kept:
            is_ours = not title or (record is not None and title in record.themes)
            yield Group(title, tuple(_line(one, ours) for one in kept), is_ours)


def _line(line: str, ours: frozenset[str]) -> Line:
    return (bullet_in(line) if hash_of(line) in ours else None) or line


def _source(text: str) -> Source:
    id, comma, day = text.rpartition(", ")
    return Source(id, day) if comma else Source(text)


def _trimmed(lines: Iterable[str]) -> list[str]:
    """The lines without blank ones at both ends."""
    kept = list(lines)
    said = [at for at, line in enumerate(kept) if line.strip()]
    return kept[said[0] : said[-1] + 1] if said else []


def _whole(master: Master) -> Master:
    """The document with every section that a master has, those that are missing at their places."""
    sections = list(master.sections)
    at = 0
    for title in SECTIONS:
        place = next((place for place, one in enumerate(sections) if one.title == title), None)
        if place is None:
            sections.insert(at, Section(title))
            place = at
        at = place + 1
    return replace(master, sections=tuple(sections))
