"""The rolling window: what the next session is handed, newest first.

The session that drops out next is marked as soon as the window is full.
"""

from __future__ import annotations

from datetime import datetime

from textual.content import Content

from recall_tui.domain import WindowEntry
from recall_tui.tui.memory_view import SeenWindow, Trouble
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.row_labels import window_line
from recall_tui.tui.widgets.row_list import Rows

_EMPTY = Content("Nothing yet. The summary of each session that ends is kept here and handed to the next one.")


class WindowList(Rows[WindowEntry]):
    """The window in its panel."""

    def __init__(self, now: datetime) -> None:
        super().__init__(id="window", classes="panel")
        self.border_title = "Window"
        self._now = now
        self._is_full = False

    def show_window(self, seen: SeenWindow | Trouble, now: datetime) -> None:
        """Show the window as it is now."""
        self._now = now
        if isinstance(seen, Trouble):
            self.border_subtitle = "▲ unreadable"
            self.show((), plain(str(seen)))
            return
        self._is_full = len(seen.entries) >= seen.max_entries
        count = f"{len(seen.entries)} of {seen.max_entries}"
        self.border_subtitle = f"{count} · ○ drops out next" if self._is_full else count
        free = one_line(seen.free_text)
        self.show(seen.entries, Content.assemble("Notes of your own: ", free) if free else _EMPTY)

    def draw(self, item: WindowEntry, width: int) -> Content:
        """A session's row."""
        return window_line(item, self._now, width, leaves_next=self._is_full and item is self.items[-1])

    def key_of(self, item: WindowEntry) -> object:
        """The session."""
        return item.session_id, item.ended_at
