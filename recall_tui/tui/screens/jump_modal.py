"""Jump letters: each panel of the screen below gets a letter, and the letter takes the focus there.

Any other key closes it and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Label

from recall_tui.tui.modal import Modal

JUMP_LETTERS = "asdfghjkl"
"""The row under the fingers."""


class Jump(Modal[Widget | None]):
    """Letters over the panels."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, panels: Sequence[Widget]) -> None:
        super().__init__()
        self._panels = dict(zip(JUMP_LETTERS, panels, strict=False))

    def compose(self) -> ComposeResult:
        """A letter on each panel."""
        for letter, panel in self._panels.items():
            label = Label(f" {letter} ", classes="letter", markup=False)
            frame = panel if panel.styles.border_top[0] else panel.parent
            region = frame.region if isinstance(frame, Widget) else panel.region
            label.styles.offset = (region.right - len(letter) - 5, region.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        """Take the letter, or close."""
        event.stop()
        event.prevent_default()
        self.dismiss(self._panels.get(event.character or ""))

    def on_click(self) -> None:
        """Close."""
        self.dismiss(None)
