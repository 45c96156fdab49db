"""Recent and saved searches.

This is state, not memory: one small file that only its owner can read, replaced atomically and free of secrets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import acquire
from recall_tui.text.clean_line import clean_line
from recall_tui.text.cut import one_line, strip_controls

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

SEARCHES_FILE = "searches.json"
SEARCHES_LOCK = "searches.lock"
MAX_RECENT = 50
MAX_SAVED = 500
MAX_QUERY_CHARS = 500
"""The most characters of a query to store."""
MAX_NAME_CHARS = 60
LOCK_TIMEOUT_SECONDS = 1.0
"""Seconds that a change waits for another window of the app."""


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A query with a name."""

    name: str
    question: str


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """The searches of one memory."""

    recent: tuple[str, ...] = ()
    """Newest first, without repeats."""
    saved: tuple[SavedSearch, ...] = ()
    """Sorted by name."""

    @property
    def questions(self) -> tuple[str, ...]:
        """Every query, saved ones first."""
        return (*(one.question for one in self.saved), *self.recent)

    def with_asked(self, question: str) -> SavedSearches:
        """Return a copy with this query as the newest."""
        asked = clean_line(question, MAX_QUERY_CHARS)
        if not asked:
            return self
        return replace(self, recent=(asked, *(one for one in self.recent if one != asked))[:MAX_RECENT])

    def with_saved(self, name: str, question: str) -> SavedSearches:
        """Return a copy with the query saved under the name; entries with the same name or query are replaced."""
        made = SavedSearch(clean_line(name, MAX_NAME_CHARS), clean_line(question, MAX_QUERY_CHARS))
        if not (made.name and made.question):
            return self
        others = (one for one in self.saved if one.name != made.name and one.question != made.question)
        saved = sorted((made, *others), key=lambda one: (one.name.casefold(), one.name))
        return replace(self, saved=tuple(saved[:MAX_SAVED]))

    def without_saved(self, name: str) -> SavedSearches:
        return replace(self, saved=tuple(one for one in self.saved if one.name != name))

    def without_asked(self, question: str) -> SavedSearches:
        """Return a copy without this query among the recent ones."""
        return replace(self, recent=tuple(one for one in self.recent if one != question))

    def without_naming(self, sessions: Collection[str]) -> SavedSearches:
        """Return a copy without queries that name one of these sessions."""

        def is_other(question: str) -> bool:
            return not any(id in question for id in sessions)

        saved = (one for one in self.saved if is_other(one.question) and is_other(one.name))
        return SavedSearches(tuple(filter(is_other, self.recent)), tuple(saved))

    def named(self, name: str) -> SavedSearch | None:
        """Return the saved search with this name."""
        return next((one for one in self.saved if one.name == name), None)


def read_searches(store: Store) -> SavedSearches:
    """Read the memory's searches; empty when there is no readable file."""
    return _parse(atomic.read_bytes(store.state / SEARCHES_FILE)) or SavedSearches()


def update(store: Store, how: Callable[[SavedSearches], SavedSearches]) -> SavedSearches:
    """Change the memory's searches and return the result; an unreadable file is renamed and kept."""
    path = store.state / SEARCHES_FILE
    with acquire(store.state / SEARCHES_LOCK, "searches", LOCK_TIMEOUT_SECONDS):
        data = atomic.read_bytes(path)
        before = _parse(data)
        if before is None and data is not None:
            atomic.rename_broken(path)
        after = how(before or SavedSearches())
        if after != before:
            atomic.write_file(path, _render(after))
        return after


def _render(searches: SavedSearches) -> bytes:
    saved = [{"name": one.name, "question": one.question} for one in searches.saved]
    table = {"recent": searches.recent, "saved": saved}
    return (json.dumps(table, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _parse(data: bytes | None) -> SavedSearches | None:
    """Parse the searches file; None when it is missing or invalid."""
    try:
        table = json.loads(data or b"")
        return SavedSearches(
            tuple(map(_text, table["recent"]))[:MAX_RECENT],
            tuple(SavedSearch(_text(one["name"]), _text(one["question"])) for one in table["saved"]),
        )
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return one_line(strip_controls(value))
