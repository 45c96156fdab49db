"""Evidence in the whole text of archived sessions: which names they say are gone, and which names they meet.

A digest holds a few lines of its session; that a field was removed on the way is told in the session alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.quoting import FenceTracker
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.line_names import mentions_removal

_REMOVAL = re.compile(r"\b(?:removed|deleted|dropped|renamed)\b|→ remove\b", re.IGNORECASE)
_REMOVAL_STEMS = ("emoved", "eleted", "ropped", "enamed", "→ remove")
_BODY = "\n# Conversation "
_SURFACE_NAME = re.compile(r"(?<![\w-])--[a-z][\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
"""An option, or a variable of the environment."""
_MIN_LATER_SESSIONS = 20
"""Sessions that would have met an option, were it still there."""
_MAX_ROW_CHARS = 600
_MAX_ROWS = 200
"""Rows of one session."""


class SessionTexts:
    """The archives of a memory's sessions, the oldest first; each is read when it is asked for, and once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._removals: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _paths(self) -> Mapping[str, Path]:
        """The archives by name; none in a layout that has no archives."""
        entries = ArchiveFolder(self._store.layout).entries() if self._store.layout.archives else ()
        dated = [(when, one.name, one.path) for one in entries if (when := one.ended_at or one.date)]
        return {name: path for _, name, path in sorted(dated, key=lambda row: (row[0].timestamp(), row[1]))}

    @cached_property
    def _order(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self._paths)}

    def removals(self, name: str) -> tuple[str, ...]:
        """Return what a session says was removed or renamed; empty for a session without an archive."""
        if name not in self._paths:
            return ()
        if name not in self._removals:
            self._removals[name] = removal_rows(read_text(self._paths[name]))
        return self._removals[name]

    def lost_sight_of(self, text: str, name: str) -> bool:
        """Return whether a line of a session names options or variables, and no later session does.

        Where only a few sessions are later, or the line says that something is gone, it means nothing.
        """
        names, place = frozenset(_SURFACE_NAME.findall(text)), self._order.get(name, len(self._order))
        if not names or mentions_removal(text) or len(self._order) - place <= _MIN_LATER_SESSIONS:
            return False
        return not any(met & names for met in self._met[place + 1 :])

    @cached_property
    def _met(self) -> list[frozenset[str]]:
        return [frozenset(_SURFACE_NAME.findall(read_text(path))) for path in self._paths.values()]


def removal_rows(text: str) -> tuple[str, ...]:
    """Return the rows of a conversation, without what programs printed, that say that something is gone."""
    return tuple(row for row, _ in zip(_removal_rows(text), range(_MAX_ROWS), strict=False))


def _removal_rows(text: str) -> Iterator[str]:
    if not any(stem in text for stem in _REMOVAL_STEMS):
        return
    fence = FenceTracker()
    for row in text.partition(_BODY)[2].split("\n"):
        is_code = fence.holds(row)
        if not is_code and len(row) <= _MAX_ROW_CHARS and "`" in row and _REMOVAL.search(row):
            yield row
