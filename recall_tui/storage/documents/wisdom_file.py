"""WISDOM.md: what held for long, in few lines; it has one shape, and whatever else stands in it is kept.

Entries are read from every shape the published design writes. An entry that cites nothing is a person's, or older than
this program, and is never dropped for another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from recall_tui.storage.documents.wiki_page import make_slug
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.markdown.outline import parse_sections, split_lines, trim_blank
from recall_tui.storage.markdown.quoting import FenceTracker

WISDOM_TITLE = "Wisdom"
ENTRIES_SECTION = "Patterns and lessons"
MAP_SECTION = "Knowledge Map"
_ENTRY = re.compile(r"[-*+]\s+\*\*(?P<id>[^*\n]{1,120})\*\*\s*(?:[—–:-]+\s*)?(?P<claim>.*)")
_TITLED_ENTRY = re.compile(r"(?:[-*+]\s+)?\*\*(?P<id>[^*\n]{1,120})\*\*[.:]?\s*(?P<claim>.*)")
_SOURCE = r"[\w./-]{1,200}\.md:\d{1,7}(?:-\d{1,7})?"
_CITATION = re.compile(rf"(?<!\s)\s*+\((?P<source>{_SOURCE}(?:; {_SOURCE}){{0,9}})\)$")
_PROVENANCE = re.compile(
    r"<!-- made_from: (?P<of>\w{1,64}) made_by: (?P<by>[^\n]{0,200}?) hash: (?P<seal>\w{1,64}) -->"
)
_DIGEST_DIGITS = 16
_HTML_ENDS = ("-->\n", "</pre>\n", "?>\n", "]]>\n", ">\n")
"""What ends the kinds of HTML that go on over blank lines."""
_FOOTER = re.compile(
    r"\*(?:Last (?:compacted|updated)\b.*|(?=[^*\n]*+\*\Z)[^*\n]*?\bentries\b[^*\n]*)\*", re.IGNORECASE
)


class WisdomEntry(NamedTuple):
    """One thing that holds."""

    id: str
    """A few of its words, joined by hyphens."""
    claim: str
    source: str = ""
    """Document and lines, such as `memory/2026-03-06.md:4-6`, several with `; ` between; empty without any."""


@dataclass(frozen=True, slots=True)
class WisdomFile:
    """The file as it is read."""

    entries: tuple[WisdomEntry, ...] = ()
    knowledge_map: str = ""
    """The section of that name with its heading; empty when there is none."""
    others: str = ""
    """What else stands there: further sections, words of a person."""
    made_from: str = ""
    """Digest of what a model was given for it; empty when none was asked."""
    made_by: str = ""
    """The model."""
    seal: str = ""
    """Digest of the entries as they were made then."""

    @property
    def is_sealed(self) -> bool:
        """Whether the entries are those that a model was asked for, and nobody changed them since."""
        return bool(self.seal) and self.seal == _checksum(self.entries)


def parse_wisdom(text: str) -> WisdomFile:
    """The entries, the map and the rest of a file, whoever wrote it."""
    lines = split_lines(text)
    map_lines: set[int] = set()
    for section in parse_sections(text):
        if section.title == MAP_SECTION and section.level == 2:
            map_lines |= set(range(section.start, section.end))
    entries: list[WisdomEntry] = []
    rest: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        match = _ENTRY.match(line) or _TITLED_ENTRY.match(line)
        if number in map_lines:
            number += 1
        elif match:
            words = [match["claim"].strip()]
            number += 1
            while not words[0] and number < len(lines) and not lines[number].strip():
                number += 1
            while number < len(lines) and number not in map_lines and _continues_entry(lines[number]):
                words.append(lines[number].strip())
                number += 1
            entries.append(_entry(match["id"], _full_claim(match["id"], " ".join(filter(None, words)))))
        else:
            if not _is_generated(line):
                rest.append(line)
            number += 1
    knowledge_map = "".join(lines[number] for number in sorted(map_lines)).strip()
    record = _PROVENANCE.search(text)
    told = (record["of"], record["by"], record["seal"]) if record else ("", "", "")
    return WisdomFile(tuple(entries), knowledge_map, _without_empty_sections("".join(rest)), *told)


def render_wisdom(wisdom: WisdomFile, on: date, name: str = "") -> str:
    """The file in its one shape; `on` is the day it was made, `name` whose it is."""
    parts = [f"# {name} - {WISDOM_TITLE}\n" if name else f"# {WISDOM_TITLE}\n"]
    if wisdom.others:
        parts.append(_close_open_blocks(f"\n{wisdom.others}\n"))
    parts.append(f"\n## {ENTRIES_SECTION}\n\n")
    rows = [_row(entry) for entry in wisdom.entries]
    parts += rows or ["Nothing yet.\n"]
    count, size = len(wisdom.entries), sum(map(len, rows))
    parts.append(f"\n*Last compacted: {on.isoformat()} · {count} entries · {size} characters*\n")
    if wisdom.made_from:
        by = wisdom.made_by.replace("-->", "")
        parts.append(f"\n<!-- made_from: {wisdom.made_from} made_by: {by} hash: {_checksum(wisdom.entries)} -->\n")
    if wisdom.knowledge_map:
        parts.append(f"\n{wisdom.knowledge_map}\n")
    return "".join(parts)


def refresh_checksum(before: str, after: str) -> str:
    """The text after, which lost entries, sealed as it is now when the one before was."""
    was = parse_wisdom(before)
    return (
        after.replace(f"hash: {was.seal} ", f"hash: {_checksum(parse_wisdom(after).entries)} ")
        if was.is_sealed
        else after
    )


def unique_id(words: Iterable[str], taken: Iterable[str]) -> str:
    """An id of these words that no other entry has."""
    there = set(taken)
    base = make_slug(" ".join(words)) or "entry"
    name, number = base, 1
    while name in there:
        number += 1
        name = f"{base}-{number}"
    return name


def _close_open_blocks(text: str) -> str:
    """The text with an end for a fence, a comment or the like that it leaves open, and that would swallow the rest."""
    fence = FenceTracker()
    for line in text.split("\n"):
        fence.holds(line)
    ends = ("", f"{fence.mark}\n" if fence.mark else "", *_HTML_ENDS)
    return next(
        (
            text + end
            for end in ends
            if parse_sections(f"{text}{end}\n## {ENTRIES_SECTION}\n")[-1].title == ENTRIES_SECTION
        ),
        text,
    )


def _checksum(entries: Iterable[WisdomEntry]) -> str:
    return content_digest("".join(map(_row, entries)))[:_DIGEST_DIGITS]


def _row(entry: WisdomEntry) -> str:
    source = f" ({entry.source})" if entry.source else ""
    return f"- **{entry.id}** — {entry.claim}{source}\n"


def _entry(name: str, claim: str) -> WisdomEntry:
    id = make_slug(name) or "entry"
    if cited := _CITATION.search(claim):
        return WisdomEntry(id, claim[: cited.start()], cited["source"])
    return WisdomEntry(id, claim)


def _continues_entry(line: str) -> bool:
    """Whether a line belongs to the entry above it."""
    words = line.strip()
    return bool(words) and not words.startswith(("#", "-", "*", "+", ">", "|", "```", "<!--"))


def _is_generated(line: str) -> bool:
    """Whether a line is of the shape that is made anew: its headings, its footer."""
    words = line.strip()
    heading = words.lstrip("#").strip()
    is_title = words.startswith("# ") and (heading == WISDOM_TITLE or heading.endswith(f"- {WISDOM_TITLE}"))
    is_section = words.startswith("## ") and heading == ENTRIES_SECTION
    return (
        is_title
        or is_section
        or words == "Nothing yet."
        or bool(_FOOTER.fullmatch(words) or _PROVENANCE.fullmatch(words))
    )


def _without_empty_sections(text: str) -> str:
    """The text without headings that nothing stands under any more, and without blank lines around it."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = [part for part in parts if not part.startswith("## ") or part.partition("\n")[2].strip()]
    return trim_blank(re.sub(r"\n{3,}", "\n\n", "".join(kept)))


def _full_claim(title: str, claim: str) -> str:
    """The claim, with its title before it when that says more than the id that is made of it."""
    title = title.strip().rstrip(".:")
    if make_slug(title).replace("-", " ") == title.casefold().replace("-", " "):
        return claim
    return f"{title}: {claim}" if claim else title
