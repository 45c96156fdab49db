"""Asks for a folder, over the screen it was asked for on: typed, completed, with what is there said beside it.

Nothing is opened here; the folder that was typed is handed back.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from recall_tui.paths import Places
from recall_tui.tui import messages
from recall_tui.tui.explaining import Explaining
from recall_tui.tui.folders import FolderSuggestions, about, folder_of, names
from recall_tui.tui.screens.modal import Modal
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.key_line import KeyLine
from recall_tui.tui.work import Delays, in_thread

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


class FolderName(Modal[Path | None]):
    """A folder; dismissed with it, or with None."""

    AUTO_FOCUS = "#folder"

    def __init__(self, places: Places) -> None:
        super().__init__()
        self.delays = Delays(self)
        self._places = places
        self._number = 0

    def compose(self) -> ComposeResult:
        """The folder and how it may go on."""
        panel = Vertical(id="folder-name", classes="panel")
        panel.border_title = "Open another folder"
        with panel:
            suggester = FolderSuggestions(self._places)
            box = FolderBox(id="folder", placeholder="a folder, such as ~/agent", suggester=suggester)
            box.cursor_blink = False
            yield box
            yield Static(id="inside")
        yield KeyLine(has_palette=False)

    def on_mount(self) -> None:
        """Say what is here."""
        self._look("")

    @on(Input.Changed, "#folder")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        text = event.value
        self.delays.after("look", LOOK_AFTER, lambda: self._look(text))

    def _look(self, text: str) -> None:
        self._number += 1
        number, places = self._number, self._places
        in_thread(self, lambda: messages.FolderLookedAt(number, about(text, places), names(text, places)), "look")

    @on(messages.FolderLookedAt)
    def _looked_at(self, message: messages.FolderLookedAt) -> None:
        if message.number == self._number:
            self.query_one("#folder-name").border_subtitle = plain(one_line(message.words))
            shown = "  ".join(f"{one_line(name)}/" for name in message.names[:_SHOWN])
            self.query_one("#inside", Static).update(Content(shown))

    @on(Input.Submitted, "#folder")
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.dismiss(folder_of(event.value, self._places))

    def action_close(self) -> None:
        """Open none."""
        self.dismiss(None)
