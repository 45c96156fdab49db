"""Searches that a person comes back to: those asked lately, and those that were given a name.

They are state and no memory: one small file that only its owner reads, whole at any moment, and without secrets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import held
from recall_tui.text.cut import cut, one_line, plain

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

FILE = "searches.json"
LOCK = "searches.lock"
MOST_RECENT = 50
MOST_SAVED = 500
LONGEST_QUESTION = 500
"""Characters of a question that are kept."""
LONGEST_NAME = 60
PATIENCE_SECONDS = 1.0
"""How long a change waits for another window of the app."""


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A question with a name."""

    name: str
    question: str


@dataclass(frozen=True, slots=True)
class Searches:
    """What one memory was asked."""

    recent: tuple[str, ...] = ()
    """Newest first, each once."""
    saved: tuple[SavedSearch, ...] = ()
    """In the order of their names."""

    @property
    def questions(self) -> tuple[str, ...]:
        """Every question, those with a name first."""
        return (*(one.question for one in self.saved), *self.recent)

    def with_asked(self, question: str) -> Searches:
        """The same with a question as the newest."""
        asked = _kept(question, LONGEST_QUESTION)
        if not asked:
            return self
        return replace(self, recent=(asked, *(one for one in self.recent if one != asked))[:MOST_RECENT])

    def with_saved(self, name: str, question: str) -> Searches:
        """The same with a question under a name; what had the name before, or the question, is replaced."""
        made = SavedSearch(_kept(name, LONGEST_NAME), _kept(question, LONGEST_QUESTION))
        if not (made.name and made.question):
            return self
        others = (one for one in self.saved if one.name != made.name and one.question != made.question)
        saved = sorted((made, *others), key=lambda one: (one.name.casefold(), one.name))
        return replace(self, saved=tuple(saved[:MOST_SAVED]))

    def without_saved(self, name: str) -> Searches:
        """The same without the search of this name."""
        return replace(self, saved=tuple(one for one in self.saved if one.name != name))

    def without_asked(self, question: str) -> Searches:
        """The same without a question among the recent ones."""
        return replace(self, recent=tuple(one for one in self.recent if one != question))

    def without_naming(self, sessions: Collection[str]) -> Searches:
        """The same without questions that name one of these sessions."""

        def is_other(question: str) -> bool:
            return not any(id in question for id in sessions)

        saved = (one for one in self.saved if is_other(one.question) and is_other(one.name))
        return Searches(tuple(filter(is_other, self.recent)), tuple(saved))

    def named(self, name: str) -> SavedSearch | None:
        """The search of this name."""
        return next((one for one in self.saved if one.name == name), None)


def _kept(text: str, longest: int) -> str:
    """A text as it is kept: on one line, without secrets and control characters."""
    from recall_tui.text.secrets.redact import redact

    return cut(one_line(plain(redact(text))), longest)


def read(store: Store) -> Searches:
    """The memory's searches; none when there is no file, or none that can be read."""
    return _parsed(atomic.read_bytes(store.state / FILE)) or Searches()


def change(store: Store, how: Callable[[Searches], Searches]) -> Searches:
    """Change the memory's searches and say how they are then; a file that cannot be read is set aside."""
    path = store.state / FILE
    with held(store.state / LOCK, "searches", PATIENCE_SECONDS):
        data = atomic.read_bytes(path)
        before = _parsed(data)
        if before is None and data is not None:
            atomic.set_aside(path)
        after = how(before or Searches())
        if after != before:
            atomic.write(path, _rendered(after))
        return after


def _rendered(searches: Searches) -> bytes:
    saved = [{"name": one.name, "question": one.question} for one in searches.saved]
    table = {"recent": searches.recent, "saved": saved}
    return (json.dumps(table, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _parsed(data: bytes | None) -> Searches | None:
    """The searches that a file holds; None when it is no such file."""
    try:
        table = json.loads(data or b"")
        return Searches(
            tuple(map(_text, table["recent"]))[:MOST_RECENT],
            tuple(SavedSearch(_text(one["name"]), _text(one["question"])) for one in table["saved"]),
        )
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return one_line(plain(value))
