"""WISDOM.md: long-lasting insights in few lines, in one format; any other content is preserved.

Entries are read from every format the published design writes. An entry without a citation is the user's or older than
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
"""Ends of the kinds of HTML blocks that continue over blank lines."""
_FOOTER = re.compile(
    r"\*(?:Last (?:compacted|updated)\b.*|(?=[^*\n]*+\*\Z)[^*\n]*?\bentries\b[^*\n]*)\*", re.IGNORECASE
)


class WisdomEntry(NamedTuple):
    """A long-lasting insight."""

    id: str
    """A few of its words, joined by hyphens."""
    claim: str
    source: str = ""
    """Document and lines, such as `memory/2026-03-06.md:4-6`, several joined by `; `; empty without a source."""


@dataclass(frozen=True, slots=True)
class WisdomFile:
    """The parsed file."""

    entries: tuple[WisdomEntry, ...] = ()
    knowledge_map: str = ""
    """The section of that name with its heading; empty when there is none."""
    others: str = ""
    """Other content: further sections, the user's text."""
    made_from: str = ""
    """Digest of the model's input; empty when no model was used."""
    made_by: str = ""
    """The model's name."""
    seal: str = ""
    """Digest of the entries as written then."""

    @property
    def is_sealed(self) -> bool:
        """Return whether a model produced the entries and nobody has changed them since."""
        return bool(self.seal) and self.seal == _checksum(self.entries)


def parse_wisdom(text: str) -> WisdomFile:
    """Parse the entries, the map and the rest of a file, whoever wrote it."""
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
    """Render the file in its one format; `on` is the day it was made, `name` its owner's name."""
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
    """Return `after`, which lost entries, with its checksum updated if that of `before` was valid."""
    was = parse_wisdom(before)
    return (
        after.replace(f"hash: {was.seal} ", f"hash: {_checksum(parse_wisdom(after).entries)} ")
        if was.is_sealed
        else after
    )


def unique_id(words: Iterable[str], taken: Iterable[str]) -> str:
    """Return an id made of these words that no other entry has."""
    there = set(taken)
    base = make_slug(" ".join(words)) or "entry"
    name, number = base, 1
    while name in there:
        number += 1
        name = f"{base}-{number}"
    return name


def _close_open_blocks(text: str) -> str:
    """Close a fence, comment or HTML block that the text leaves open and that would swallow the rest."""
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
    words = line.strip()
    return bool(words) and not words.startswith(("#", "-", "*", "+", ">", "|", "```", "<!--"))


def _is_generated(line: str) -> bool:
    """Return whether a line is regenerated at each write: headings, footer, provenance."""
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
    """Remove headings without content, and surrounding blank lines."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = [part for part in parts if not part.startswith("## ") or part.partition("\n")[2].strip()]
    return trim_blank(re.sub(r"\n{3,}", "\n\n", "".join(kept)))


def _full_claim(title: str, claim: str) -> str:
    """Return the claim, preceded by its title if that says more than the id made from it."""
    title = title.strip().rstrip(".:")
    if make_slug(title).replace("-", " ") == title.casefold().replace("-", " "):
        return claim
    return f"{title}: {claim}" if claim else title
