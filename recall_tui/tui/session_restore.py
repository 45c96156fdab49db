"""The bookmark while the app is open: each page is noted when it is left, and taken up again when it is first shown.

A bookmark that cannot be kept stops nobody.
"""

from __future__ import annotations

import contextlib
from threading import Lock
from typing import TYPE_CHECKING

from textual.screen import Screen

from recall_tui.storage.state import app_state
from recall_tui.storage.state.app_state import AppState
from recall_tui.tui.page import Page
from recall_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store


class SessionRestore:
    """Where the person is in one memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self.is_first = not app_state.has_state(store)
        """The app was never opened with this memory."""
        self._before = self._bookmark = app_state.read_state(store)

    def take_up(self, page: Page) -> None:
        """Put a page's cursors, and on the screen that was shown last the focus, where they were."""
        for rows in page.query(RowList):
            if key := self._before.cursors.get(_name(page, rows)):
                rows.wish(key)
            if self._before.screen == page.NAME and rows.id and rows.id == self._before.panel:
                page.set_focus(rows)

    def note(self, screen: Screen[object]) -> None:
        """Note where the person is, if it is a page."""
        if not isinstance(screen, Page):
            return
        cursors = {_name(screen, rows): rows.key for rows in screen.query(RowList) if rows.key}
        focused = screen.focused
        self._bookmark = AppState(
            screen=screen.NAME,
            panel=(focused.id if isinstance(focused, RowList) else "") or "",
            cursors={**self._bookmark.cursors, **cursors},
        )

    def keep(self) -> None:
        """Write down what was noted last."""
        with self._lock, contextlib.suppress(OSError):
            app_state.write_state(self._store, self._bookmark)


def _name(page: Page, rows: RowList[object]) -> str:
    return f"{page.NAME}/{rows.id}"
