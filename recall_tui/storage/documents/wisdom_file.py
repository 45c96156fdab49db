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

from recall_tui.storage.documents.wiki_page import slug_of
from recall_tui.storage.files.atomic import digest
from recall_tui.storage.markdown.outline import lines_of, sections, trimmed
from recall_tui.storage.markdown.quoting import Fence

TITLE = "Wisdom"
SECTION = "Patterns and lessons"
MAP = "Knowledge Map"
_ENTRY = re.compile(r"[-*+]\s+\*\*(?P<id>[^*\n]{1,120})\*\*\s*(?:[—–:-]+\s*)?(?P<claim>.*)")
_TITLED = re.compile(r"(?:[-*+]\s+)?\*\*(?P<id>[^*\n]{1,120})\*\*[.:]?\s*(?P<claim>.*)")
_PLACE = r"[\w./-]{1,200}\.md:\d{1,7}(?:-\d{1,7})?"
_CITATION = re.compile(rf"(?<!\s)\s*+\((?P<source>{_PLACE}(?:; {_PLACE}){{0,9}})\)$")
_RECORD = re.compile(r"<!-- made_from: (?P<of>\w{1,64}) made_by: (?P<by>[^\n]{0,200}?) hash: (?P<seal>\w{1,64}) -->")
_DIGITS = 16
_ENDS = ("-->\n", "</pre>\n", "?>\n", "]]>\n", ">\n")
"""What ends the kinds of HTML that go on over blank lines."""
_FOOTER = re.compile(
    r"\*(?:Last (?:compacted|updated)\b.*|(?=[^*\n]*+\*\Z)[^*\n]*?\bentries\b[^*\n]*)\*", re.IGNORECASE
)


class Entry(NamedTuple):
    """One thing that holds."""

    id: str
    """A few of its words, joined by hyphens."""
    claim: str
    source: str = ""
    """Document and lines, such as `memory/2026-03-06.md:4-6`, several with `; ` between; empty without any."""


@dataclass(frozen=True, slots=True)
class Wisdom:
    """The file as it is read."""

    entries: tuple[Entry, ...] = ()
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
        return bool(self.seal) and self.seal == _seal(self.entries)


def parse(text: str) -> Wisdom:
    """The entries, the map and the rest of a file, whoever wrote it."""
    lines = lines_of(text)
    map_lines: set[int] = set()
    for section in sections(text):
        if section.title == MAP and section.level == 2:
            map_lines |= set(range(section.start, section.end))
    entries: list[Entry] = []
    rest: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        match = _ENTRY.match(line) or _TITLED.match(line)
        if number in map_lines:
            number += 1
        elif match:
            words = [match["claim"].strip()]
            number += 1
            while not words[0] and number < len(lines) and not lines[number].strip():
                number += 1
            while number < len(lines) and number not in map_lines and _goes_on(lines[number]):
                words.append(lines[number].strip())
                number += 1
            entries.append(_entry(match["id"], _whole(match["id"], " ".join(filter(None, words)))))
        else:
            if not _is_ours(line):
                rest.append(line)
            number += 1
    knowledge_map = "".join(lines[number] for number in sorted(map_lines)).strip()
    record = _RECORD.search(text)
    told = (record["of"], record["by"], record["seal"]) if record else ("", "", "")
    return Wisdom(tuple(entries), knowledge_map, _bare("".join(rest)), *told)


def render(wisdom: Wisdom, on: date, name: str = "") -> str:
    """The file in its one shape; `on` is the day it was made, `name` whose it is."""
    parts = [f"# {name} - {TITLE}\n" if name else f"# {TITLE}\n"]
    if wisdom.others:
        parts.append(_closed(f"\n{wisdom.others}\n"))
    parts.append(f"\n## {SECTION}\n\n")
    rows = [_row(entry) for entry in wisdom.entries]
    parts += rows or ["Nothing yet.\n"]
    count, size = len(wisdom.entries), sum(map(len, rows))
    parts.append(f"\n*Last compacted: {on.isoformat()} · {count} entries · {size} characters*\n")
    if wisdom.made_from:
        by = wisdom.made_by.replace("-->", "")
        parts.append(f"\n<!-- made_from: {wisdom.made_from} made_by: {by} hash: {_seal(wisdom.entries)} -->\n")
    if wisdom.knowledge_map:
        parts.append(f"\n{wisdom.knowledge_map}\n")
    return "".join(parts)


def resealed(before: str, after: str) -> str:
    """The text after, which lost entries, sealed as it is now when the one before was."""
    was = parse(before)
    return after.replace(f"hash: {was.seal} ", f"hash: {_seal(parse(after).entries)} ") if was.is_sealed else after


def unique_id(words: Iterable[str], taken: Iterable[str]) -> str:
    """An id of these words that no other entry has."""
    there = set(taken)
    base = slug_of(" ".join(words)) or "entry"
    name, number = base, 1
    while name in there:
        number += 1
        name = f"{base}-{number}"
    return name


def _closed(text: str) -> str:
    """The text with an end for a fence, a comment or the like that it leaves open, and that would swallow the rest."""
    fence = Fence()
    for line in text.split("\n"):
        fence.holds(line)
    ends = ("", f"{fence.mark}\n" if fence.mark else "", *_ENDS)
    return next((text + end for end in ends if sections(f"{text}{end}\n## {SECTION}\n")[-1].title == SECTION), text)


def _seal(entries: Iterable[Entry]) -> str:
    return digest("".join(map(_row, entries)))[:_DIGITS]


def _row(entry: Entry) -> str:
    source = f" ({entry.source})" if entry.source else ""
    return f"- **{entry.id}** — {entry.claim}{source}\n"


def _entry(name: str, claim: str) -> Entry:
    id = slug_of(name) or "entry"
    if cited := _CITATION.search(claim):
        return Entry(id, claim[: cited.start()], cited["source"])
    return Entry(id, claim)


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the entry above it."""
    words = line.strip()
    return bool(words) and not words.startswith(("#", "-", "*", "+", ">", "|", "```", "<!--"))


def _is_ours(line: str) -> bool:
    """Whether a line is of the shape that is made anew: its headings, its footer."""
    words = line.strip()
    heading = words.lstrip("#").strip()
    is_title = words.startswith("# ") and (heading == TITLE or heading.endswith(f"- {TITLE}"))
    is_section = words.startswith("## ") and heading == SECTION
    return (
        is_title or is_section or words == "Nothing yet." or bool(_FOOTER.fullmatch(words) or _RECORD.fullmatch(words))
    )


def _bare(text: str) -> str:
    """The text without headings that nothing stands under any more, and without blank lines around it."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = [part for part in parts if not part.startswith("## ") or part.partition("\n")[2].strip()]
    return trimmed(re.sub(r"\n{3,}", "\n\n", "".join(kept)))


def _whole(title: str, claim: str) -> str:
    """The claim, with its title before it when that says more than the id that is made of it."""
    title = title.strip().rstrip(".:")
    if slug_of(title).replace("-", " ") == title.casefold().replace("-", " "):
        return claim
    return f"{title}: {claim}" if claim else title
