"""The result of a search."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, TypedDict, cast


class SessionLabel(NamedTuple):
    """The facts by which a person recognizes a session; see `text.session_line` for how they are written."""

    title: str
    project: str = ""
    """The name of the folder it worked in."""
    agent: str = ""
    ended_at: datetime | None = None
    length: str = ""
    """As `text.dates.duration_text` writes it."""


class HitReasons(TypedDict, total=False):
    """Reasons for a hit and its place, under published names; a hit found beside the words has only some of them."""

    rung: str
    words: list[str]
    """Words of the question that the passage holds."""
    shares: dict[str, float]
    """For each of them, its share of the question by rarity; all words of the question are 1."""
    fields: list[str]
    corrected: dict[str, str]
    """Misspelt words of the question, each with the word that was found instead."""
    phrase: float
    kind_weight: float
    when: float
    lean: float
    """Factors of the score: the document's kind, the time asked for, "latest" or "first"."""
    parts: dict[str, float]
    """Terms of the score by name, such as `passage`, `whole`, `embedding`."""
    through: str
    """The document that led to it."""
    validity: Mapping[str, str]
    """Dates and place of a claim that was superseded, or that superseded another."""


_NO_REASONS = cast(HitReasons, MappingProxyType({}))


class Hit(NamedTuple):
    """A search hit with the reasons for its rank."""

    id: str
    document: str
    """Relative to the memory's root when inside it, else absolute."""
    kind: str
    result_type: Literal["raw", "summary"]
    title: str
    score: float
    snippet: str
    lines: tuple[int, int]
    """First and last line of the passage, from 1."""
    session_id: str = ""
    project: str = ""
    date: datetime | None = None
    heading: str = ""
    why: HitReasons = _NO_REASONS
    chunks: tuple[tuple[tuple[int, int], str], ...] = ()
    """Lines and text of its best passages, if requested."""
    label: SessionLabel | None = None
    """The label of its session, if requested; see `search.session_labels`."""
    matches: int = 0
    """Passages of the session or document that were found; 0 for a hit that only a page or a name led to."""


class SearchResult(NamedTuple):
    """The hits of a search and how they were found."""

    query: str
    rung: str
    """The match tier that gave the hits: exact, all words, any word, spelling, …"""
    took_ms: float
    total: int
    hits: tuple[Hit, ...]
    searched: Mapping[str, int] = MappingProxyType({})
    """The size of the searched index: passages, sources, failed."""
    notes: tuple[str, ...] = ()
    """Remarks about the interpretation of the query, such as a corrected word."""
