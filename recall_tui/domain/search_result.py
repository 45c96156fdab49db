"""The result of a search."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple


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
    why: Mapping[str, object] = MappingProxyType({})
    chunks: tuple[tuple[tuple[int, int], str], ...] = ()
    """Lines and text of its best passages, if requested."""


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
