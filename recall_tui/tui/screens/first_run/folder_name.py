"""Asks for a folder: typed, completed, with what is there said beside it.

Nothing is opened here; the folder that was typed is handed back.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from recall_tui.environment import Places
from recall_tui.errors import UsageError
from recall_tui.tui import messages
from recall_tui.tui.keys.availability import Explaining
from recall_tui.tui.screens.first_run.folder_input import FolderSuggestions, about, folder_of, names
from recall_tui.tui.screens.line_modal import LineModal
from recall_tui.tui.text import one_line
from recall_tui.tui.workers import Delays, in_thread

LOOK_AFTER = 0.05
"""Seconds between the last key and a look at the disk."""
_SHOWN = 60
"""Folders whose names are shown at most; more do not fit."""


class FolderBox(Explaining, Input):
    """Where the folder is typed."""

    LEFT_OUT = frozenset(("complete",))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Open", tooltip="Open the memory of this folder, or set one up", id="open_folder"),
        Binding("tab", "complete", "Complete", tooltip="Take the ending that is suggested", id="complete_folder"),
        Binding("escape", "screen.close", "Back", tooltip="Back without opening one", id="close_folder"),
    ]

    def watch__suggestion(self) -> None:
        """Let the footer speak of the suggestion."""
        self.refresh_bindings()

    def action_complete(self) -> None:
        """Take the suggested ending."""
        self.value = self._suggestion
        self.cursor_position = len(self.value)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Without a suggestion there is nothing to take."""
        return "No folder here begins so" if action == "complete" and not self._suggestion else ""


class FolderName(LineModal[Path]):
    """A folder."""

    PANEL = "folder-name"

    def __init__(self, places: Places) -> None:
        super().__init__()
        self.delays = Delays(self)
        self._places = places
        self._number = 0

    def title_words(self) -> str:
        """What is asked for."""
        return "Open another folder"

    def box(self) -> Input:
        """The folder."""
        return FolderBox(
            id="folder", placeholder="a folder, such as ~/agent", suggester=FolderSuggestions(self._places)
        )

    def below(self) -> Static:
        """How it may go on."""
        return Static(id="inside")

    def on_mount(self) -> None:
        """Say what is here."""
        self._look("")

    def typed(self, text: str) -> None:
        """Look at the disk when the typing rests."""
        self.delays.after("look", LOOK_AFTER, lambda: self._look(text))

    def _look(self, text: str) -> None:
        self._number += 1
        number, places = self._number, self._places
        in_thread(self, lambda: messages.FolderLookedAt(number, about(text, places), names(text, places)), "look")

    @on(messages.FolderLookedAt)
    def _looked_at(self, message: messages.FolderLookedAt) -> None:
        if message.number == self._number:
            self.say(message.words)
            shown = "  ".join(f"{one_line(name)}/" for name in message.names[:_SHOWN])
            self.query_one("#inside", Static).update(Content(shown))

    def value(self, text: str) -> Path:
        """The folder."""
        if not text.strip():
            raise UsageError("it needs a folder")
        return folder_of(text, self._places)
