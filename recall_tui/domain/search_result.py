"""What a search answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple


class Hit(NamedTuple):
    """One answer to a question, and why it is one."""

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
    """Lines and text of its best passages, when they were asked for."""


class SearchResult(NamedTuple):
    """What a search found, how, and in what."""

    query: str
    rung: str
    """Which step of the ladder answered: exact, all words, any word, spelling, …"""
    took_ms: float
    total: int
    hits: tuple[Hit, ...]
    searched: Mapping[str, int] = MappingProxyType({})
    """How much there was to search: passages, sources, failed."""
    notes: tuple[str, ...] = ()
    """What a person should know of how it was understood, such as a corrected word."""
