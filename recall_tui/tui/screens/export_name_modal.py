"""Asks for the file that something shall be exported to.

Nothing is written here; the path that was typed is handed back, and nothing is at it.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.environment import Environment
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.tui.screens.prompt_modal import PromptModal

_FORMAT_LABELS = {"md": "Markdown", "html": "a single HTML page", "json": "JSON, for recall-tui import"}


class ExportBox(Input):
    """Where the path is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "submit", "Save", tooltip="Write the file; existing files are not overwritten", id="export_there"
        ),
        Binding("escape", "screen.close", "Back", tooltip="Back without exporting", id="close_export"),
    ]


class ExportNameModal(PromptModal[Path]):
    """The path of a new file."""

    PANEL = "export-name"

    def __init__(self, environment: Environment, what: str, suggested: str) -> None:
        super().__init__()
        self._environment = environment
        self._what = what
        self._suggested = suggested

    def title_words(self) -> str:
        """What goes where."""
        return f"{self._what} to"

    def box(self) -> Input:
        """The path."""
        return ExportBox(self._suggested, id="export-to", select_on_focus=False)

    def below(self) -> Label:
        """What can be written."""
        return Label(Content("format by suffix: .md, .html, .json · secrets are masked"), id="forms")

    def meaning(self, text: str) -> str:
        """What would be written there."""
        from recall_tui.features.transfer.export import format_for

        return _FORMAT_LABELS[format_for(self.value(text))]

    def value(self, text: str) -> Path:
        """The path, from the home folder on with `~`, else from the current one; nothing is at it."""
        from recall_tui.features.transfer.export import format_for

        words = text.strip()
        home = str(self._environment.home)
        path = self._environment.cwd / Path(home + words[1:] if words == "~" or words.startswith("~/") else words)
        format_for(path)
        if path.exists() or path.is_symlink():
            raise ConflictError(f"{path.name} exists already")
        if not path.parent.is_dir():
            raise NotFoundError(f"no such folder: {path.parent}")
        return path
