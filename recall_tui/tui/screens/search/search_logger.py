"""Which questions were settled: one that stood for some seconds with its answer, or of which a hit was opened.

Each is logged once for dreams to learn from, and only where dreaming is on; a log that cannot be written is no trouble.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.storage.state import search_log
from recall_tui.tui.messages import SearchesLoaded
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.domain import SearchResult
    from recall_tui.tui.screens.search.search_box import SearchBox
    from recall_tui.workbench import Workbench

LOG_AFTER_SECONDS = 3.0
"""Somebody who types on pauses for less, and somebody who looks at hits for more."""


class SearchLogger:
    """The question that stands, on its way into the log."""

    def __init__(self, box: SearchBox, bench: Workbench) -> None:
        self._box = box
        self._bench = bench
        self._delays = Debouncer(box)
        self._standing: tuple[int, SearchResult] | None = None
        self._noted = 0
        """The number of the last question that was logged."""

    def begin(self, number: int, answer: SearchResult) -> None:
        """A question has its answer; it may have had an older one before."""
        self._standing = number, answer
        if number != self._noted:
            self._delays.after("stood", LOG_AFTER_SECONDS, self.note)

    def end(self) -> None:
        """The question stands no more."""
        self._delays.stop("stood")
        self._standing = None

    def note(self) -> None:
        """Log the question that stands, unless it was."""
        self._delays.stop("stood")
        if self._standing is None or self._standing[0] == self._noted:
            return
        self._noted, answer = self._standing
        store = self._bench.store
        if not store.config.get("dream.enabled"):
            return

        def log() -> SearchesLoaded:
            search_log.log_search(store, answer)
            return SearchesLoaded(None)

        run_in_thread(self._box, log, f"log {self._noted}", lambda trouble: SearchesLoaded(None))
