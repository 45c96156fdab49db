"""A screen that knows it belongs to this app."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType

from recall_tui.tui.keys.keymap import ExplainsDisabledKeys, WithKeymap
from recall_tui.tui.modal import DismissOnce

if TYPE_CHECKING:
    from recall_tui.tui.app import RecallApp

WIDE_MIN_COLUMNS = 100
"""Columns from which there is room for a second column of panels."""


class AppScreen(WithKeymap, ExplainsDisabledKeys, DismissOnce[None], inherit_bindings=False):
    """A full screen of the app."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next panel", show=False, id="next_panel"),
        Binding("shift+tab", "app.focus_previous", "Previous panel", show=False, id="previous_panel"),
        Binding("ctrl+c,super+c", "screen.copy_text", "Copy selected text", show=False, system=True),
    ]

    @property
    def host(self) -> RecallApp:
        """The app, with what it offers to its screens."""
        return cast("RecallApp", self.app)

    def on_unmount(self) -> None:
        """Hear no more of changes: whoever is told of them is kept until the next one."""
        self.host.memory_changed.unsubscribe(self)
        self.host.index_changed.unsubscribe(self)
