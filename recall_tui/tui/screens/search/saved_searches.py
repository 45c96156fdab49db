"""The searches that a memory's person comes back to, read and changed in a thread.

What is known of them arrives as a message; a search that cannot be remembered stops nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from recall_tui.storage.state import saved_searches
from recall_tui.storage.state.saved_searches import SavedSearches
from recall_tui.tui.messages import ActionFailed, SearchesLoaded
from recall_tui.tui.workers import WorkerHost, run_in_thread

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store


class SavedSearchLoader:
    """The searches of one memory, as one widget hears of them."""

    def __init__(self, asker: WorkerHost, store: Store) -> None:
        self._asker = asker
        self._store = store

    def read(self) -> None:
        """Tell what is there."""
        run_in_thread(
            self._asker, lambda: SearchesLoaded(saved_searches.read_searches(self._store)), "searches", _ignore_failure
        )

    def asked(self, question: str) -> None:
        """Remember a question that was worth asking."""
        self._change("asked", lambda known: known.with_asked(question), "", is_told=False)

    def save(self, name: str, question: str) -> None:
        """Give a question a name."""
        self._change("saved", lambda known: known.with_saved(name, question), f"Saved {name}: {question}")

    def forget(self, name: str, question: str) -> None:
        """Take a search with a name out, or without one a recent question."""

        def how(known: SavedSearches) -> SavedSearches:
            return known.without_saved(name) if name else known.without_asked(question)

        self._change("forgot", how, f"Removed {name or 'from the recent searches'}: {question}   ctrl+z restores it")

    def put_back(self, name: str, question: str) -> None:
        """Restore the removed search."""

        def how(known: SavedSearches) -> SavedSearches:
            return known.with_saved(name, question) if name else known.with_asked(question)

        self._change("put back", how, f"Restored {name or 'among the recent searches'}: {question}")

    def _change(
        self, group: str, how: Callable[[SavedSearches], SavedSearches], said: str, *, is_told: bool = True
    ) -> None:
        run_in_thread(
            self._asker,
            lambda: SearchesLoaded(saved_searches.update(self._store, how), said),
            group,
            ActionFailed if is_told else _ignore_failure,
        )


def _ignore_failure(trouble: object) -> SearchesLoaded:
    """What cannot be remembered is no news; whatever is wrong with the state folder is said by the health."""
    return SearchesLoaded(None)
