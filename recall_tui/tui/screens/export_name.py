"""Asks for the file that something shall be exported to, over the screen it was asked for on.

Nothing is written here; the path that was typed is handed back, and nothing is at it.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.errors import RecallError
from recall_tui.paths import Places
from recall_tui.tui.screens.modal import Modal
from recall_tui.tui.text import one_line
from recall_tui.tui.widgets.key_line import KeyLine

_FORMS = {"md": "Markdown", "html": "one page of HTML", "json": "JSON, which import takes back"}


class ExportBox(Input):
    """Where the path is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Export", tooltip="Write the file; none is overwritten", id="export_there"),
        Binding("escape", "screen.close", "Back", tooltip="Back without exporting", id="close_export"),
    ]


class ExportName(Modal[Path | None]):
    """The path of a new file; dismissed with it, or with None."""

    AUTO_FOCUS = "#export-to"

    def __init__(self, places: Places, count: int, today: date) -> None:
        super().__init__()
        self._places = places
        self._count = count
        self._suggested = f"~/recall-{today.isoformat()}.md"

    def compose(self) -> ComposeResult:
        """The path and what would be written there."""
        panel = Vertical(id="export-name", classes="panel")
        panel.border_title = f"Export {self._count} to"
        with panel:
            box = ExportBox(self._suggested, id="export-to", select_on_focus=False)
            box.cursor_blink = False
            yield box
            yield Label(Content("the ending says how: .md, .html, .json · secrets are masked"), id="forms")
        yield KeyLine(has_palette=False)

    @on(Input.Changed, "#export-to")
    def _typed(self, event: Input.Changed) -> None:
        """Say what would be written."""
        event.stop()
        self._say(self._trouble(event.value) or self._form(event.value))

    @on(Input.Submitted, "#export-to")
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        if trouble := self._trouble(event.value):
            self._say(trouble)
        else:
            self.dismiss(self._path(event.value))

    def _path(self, name: str) -> Path:
        """The path that is meant: from the home folder on with `~`, else from the current one."""
        words = name.strip()
        home = str(self._places.home)
        return self._places.cwd / Path(home + words[1:] if words == "~" or words.startswith("~/") else words)

    def _form(self, name: str) -> str:
        from recall_tui.lifecycle.export import form_of

        return _FORMS[form_of(self._path(name))]

    def _trouble(self, name: str) -> str:
        try:
            path = self._path(name)
            self._form(name)
            if path.exists() or path.is_symlink():
                return f"▲ {one_line(path.name)} is there already"
            if not path.parent.is_dir():
                return f"▲ there is no folder {one_line(str(path.parent))}"
        except (RecallError, OSError, ValueError) as error:
            return f"▲ {one_line(str(error))}"
        return ""

    def _say(self, words: str) -> None:
        self.query_one("#export-name").border_subtitle = Content(words)

    def action_close(self) -> None:
        """Write nothing."""
        self.dismiss(None)
