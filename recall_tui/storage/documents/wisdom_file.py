"""WISDOM.md: long-lasting insights in few lines, in one format; any other content is preserved.

Entries are read from every format the published design writes. An entry without a citation is the user's or older than
this program, and is never dropped for another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
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
PROVENANCE = re.compile(r"<!-- made_from: (?P<of>\w{1,64}) made_by: (?P<by>[^\n]{0,200}?) hash: (?P<seal>\w{1,64}) -->")
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


class PlacedEntry(NamedTuple):
    """An entry, and the lines of the file that it takes."""

    entry: WisdomEntry
    start: int
    """Its first line, from 0."""
    end: int
    """The line after the last one."""


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
        return bool(self.seal) and self.seal == checksum(self.entries)


def parse_wisdom(text: str) -> WisdomFile:
    """Parse the entries, the map and the rest of a file, whoever wrote it."""
    lines = split_lines(text)
    map_lines = find_map_lines(text)
    placed = find_entries(lines, map_lines)
    taken = {number for one in placed for number in range(one.start, one.end)} | map_lines
    rest = [line for number, line in enumerate(lines) if number not in taken and not _is_generated(line)]
    knowledge_map = "".join(lines[number] for number in sorted(map_lines)).strip()
    record = PROVENANCE.search(text)
    told = (record["of"], record["by"], record["seal"]) if record else ("", "", "")
    return WisdomFile(tuple(one.entry for one in placed), knowledge_map, _without_empty_sections("".join(rest)), *told)


def find_map_lines(text: str) -> set[int]:
    """Return the lines, from 0, of the section that maps the wiki."""
    return {
        line
        for section in parse_sections(text)
        if section.title == MAP_SECTION and section.level == 2
        for line in range(section.start, section.end)
    }


def find_entries(lines: Sequence[str], map_lines: Collection[int]) -> list[PlacedEntry]:
    """Return the entries outside of the map, with the lines that they take."""
    found: list[PlacedEntry] = []
    number = 0
    while number < len(lines):
        match = _ENTRY.match(lines[number]) or _TITLED_ENTRY.match(lines[number])
        start, number = number, number + 1
        if start in map_lines or not match:
            continue
        words = [match["claim"].strip()]
        while not words[0] and number < len(lines) and not lines[number].strip():
            number += 1
        while number < len(lines) and number not in map_lines and _continues_entry(lines[number]):
            words.append(lines[number].strip())
            number += 1
        entry = _entry(match["id"], _full_claim(match["id"], " ".join(filter(None, words))))
        found.append(PlacedEntry(entry, start, number))
    return found


def render_wisdom(wisdom: WisdomFile, on: date, name: str = "") -> str:
    """Render the file in its one format; `on` is the day it was made, `name` its owner's name."""
    parts = [f"# {name} - {WISDOM_TITLE}\n" if name else f"# {WISDOM_TITLE}\n"]
    if wisdom.others:
        parts.append(close_open_blocks(f"\n{wisdom.others}\n"))
    parts.append(f"\n## {ENTRIES_SECTION}\n\n")
    rows = [render_row(entry) for entry in wisdom.entries]
    parts += rows or ["Nothing yet.\n"]
    parts.append(f"\n{render_footer(wisdom.entries, on)}")
    if wisdom.made_from:
        parts.append(f"\n{render_provenance(wisdom, wisdom.entries)}")
    if wisdom.knowledge_map:
        parts.append(f"\n{wisdom.knowledge_map}\n")
    return "".join(parts)


def render_footer(entries: Sequence[WisdomEntry], on: date) -> str:
    """Render the line that says when the file was made, and how much it holds."""
    size = sum(len(render_row(entry)) for entry in entries)
    return f"*Last compacted: {on.isoformat()} · {len(entries)} entries · {size} characters*\n"


def render_provenance(wisdom: WisdomFile, entries: Iterable[WisdomEntry]) -> str:
    """Render the line that says which model told `entries`, and of what."""
    by = wisdom.made_by.replace("-->", "")
    return f"<!-- made_from: {wisdom.made_from} made_by: {by} hash: {checksum(entries)} -->\n"


def refresh_checksum(before: str, after: str) -> str:
    """Return `after`, which lost entries, with its checksum updated if that of `before` was valid."""
    was = parse_wisdom(before)
    return (
        after.replace(f"hash: {was.seal} ", f"hash: {checksum(parse_wisdom(after).entries)} ")
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


def close_open_blocks(text: str) -> str:
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


def checksum(entries: Iterable[WisdomEntry]) -> str:
    """Return the digest of the entries as this program writes them."""
    return content_digest("".join(map(render_row, entries)))[:_DIGEST_DIGITS]


def render_row(entry: WisdomEntry) -> str:
    """Render the entry as a line of the list."""
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
        or bool(_FOOTER.fullmatch(words) or PROVENANCE.fullmatch(words))
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
