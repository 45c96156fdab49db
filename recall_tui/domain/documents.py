"""Documents of a memory: their kinds and sections, and references to their lines."""

from __future__ import annotations

import re
from typing import NamedTuple


class DocumentKind(NamedTuple):
    """A kind of document and its traits; `kind:` of a search and `list --kind` name it."""

    name: str
    creation_command: str = ""
    """The command that makes the first one; empty when there is none."""
    is_session: bool = False
    """It is a session, or is about a single one."""
    is_derived: bool = False
    """It was made from other documents."""
    states_facts: bool = False
    """It states what was true at its date, so that a newer one can supersede it."""
    is_period: bool = False
    """It is the page of a period and leads to the days it was made from."""
    has_name: bool = False
    """It has a name and a description, which a question may ask for."""
    is_note: bool = False
    """It is one of the short files of typed memories and dreams."""
    is_side_file: bool = False
    """It is kept by an agent beside its transcripts, and filed with them."""
    is_handed_over: bool = False
    """Every session starts with it."""
    is_listed: bool = True
    is_searched: bool = True


DOCUMENT_KINDS = (
    DocumentKind("conversation", "archive --all-unarchived", is_session=True),
    DocumentKind("summary", "summarize", is_session=True, is_derived=True),
    DocumentKind("transcript", "archive --all-unarchived", is_session=True),
    DocumentKind("memory", states_facts=True, is_handed_over=True),
    DocumentKind("topic", states_facts=True, has_name=True),
    DocumentKind("window", is_derived=True, is_handed_over=True),
    DocumentKind("index", is_searched=False),
    DocumentKind("daily", 'log "…"', states_facts=True),
    DocumentKind("weekly", "compact weekly", is_derived=True, states_facts=True, is_period=True),
    DocumentKind("monthly", "compact monthly", is_derived=True, states_facts=True, is_period=True),
    DocumentKind("wisdom", "compact wisdom", is_derived=True, states_facts=True),
    DocumentKind("dreams", "dream", is_searched=False),
    DocumentKind("identity", is_searched=False),
    DocumentKind("master", "synthesize", is_derived=True),
    DocumentKind("wiki", "wiki stub SLUG --category CATEGORY", is_derived=True, states_facts=True, has_name=True),
    DocumentKind("typed", has_name=True, is_note=True),
    DocumentKind("insight", is_derived=True, is_note=True),
    DocumentKind("contradiction", is_note=True, is_searched=False),
    DocumentKind("plan", is_side_file=True, is_listed=False),
    DocumentKind("todo", is_side_file=True, is_listed=False),
    DocumentKind("history", is_side_file=True, is_listed=False),
)
"""All kinds, in the order in which they are listed."""
SESSION_KINDS = frozenset(kind.name for kind in DOCUMENT_KINDS if kind.is_session)
DERIVED_KINDS = frozenset(kind.name for kind in DOCUMENT_KINDS if kind.is_derived)
FACT_KINDS = frozenset(kind.name for kind in DOCUMENT_KINDS if kind.states_facts)
SIDE_FILE_KINDS = frozenset(kind.name for kind in DOCUMENT_KINDS if kind.is_side_file)
HANDED_OVER_KINDS = frozenset(kind.name for kind in DOCUMENT_KINDS if kind.is_handed_over)
PERIOD_KINDS = tuple(kind.name for kind in DOCUMENT_KINDS if kind.is_period)
NAMED_KINDS = tuple(kind.name for kind in DOCUMENT_KINDS if kind.has_name)
NOTE_KINDS = tuple(kind.name for kind in DOCUMENT_KINDS if kind.is_note)

SOURCE_LINES = r":(\d{1,7})(?:-(\d{1,7}))?"
"""The lines of a reference: the first and, for a range, the last one."""
_SOURCE_LINES_END = re.compile(SOURCE_LINES + r"$")


class SourceRef(NamedTuple):
    """A document, or lines of it; its text is `memory/2026-03-06.md:4-6`, or `:4` for a single line."""

    document: str
    """Path relative to the memory's root, the id of a session, or an address."""
    first: int = 0
    """The first line, from 1; 0 for the whole document."""
    last: int = 0
    """The last line; 0 for the whole document."""

    @property
    def lines(self) -> tuple[int, int] | None:
        """The first and last line; None for the whole document."""
        return (self.first, self.last) if self.first else None

    def __str__(self) -> str:
        if not self.first:
            return self.document
        last = f"-{self.last}" if self.last > self.first else ""
        return f"{self.document}:{self.first}{last}"


def parse_source_ref(text: str) -> SourceRef:
    """Parse a reference; text without lines, or with line 0, is a whole document."""
    text = text.strip()
    lines = _SOURCE_LINES_END.search(text)
    if lines is None or not (first := int(lines[1])):
        return SourceRef(text)
    return SourceRef(text[: lines.start()], first, int(lines[2] or first))


class Section(NamedTuple):
    """A heading and its text, up to the next heading of the same or a higher level."""

    title: str
    level: int
    """1 for `#`, 2 for `##`; 0 for the text before the first heading."""
    start: int
    """The line of the heading, from 0."""
    end: int
    """The line after the last one."""
    path: tuple[str, ...] = ()
    """The titles of the parent headings, and its own."""

    @property
    def lines(self) -> int:
        """Return the number of lines, including the heading."""
        return self.end - self.start
