"""The document under the cursor, and for a hit the reasons for its rank.

It follows the cursor; until the new document is there the old one stays.
"""

from __future__ import annotations

import re
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from recall_tui.domain import Hit
from recall_tui.tui.lines import why_lines
from recall_tui.tui.rendered import Rendered
from recall_tui.tui.seen import Trouble
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.document_view import DocumentView


class PreviewView(DocumentView):
    """The preview's own view: `enter` opens the document whole."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open this document, whole", id="open_preview"),
    ]

    class Opened(Message):
        """The document shall be opened."""

    def action_open(self) -> None:
        self.post_message(self.Opened())


class Preview(Vertical):
    """The panel on the right."""

    def __init__(self) -> None:
        super().__init__(id="preview", classes="panel")

    def compose(self) -> ComposeResult:
        yield PreviewView(id="document")
        yield Static(id="why")

    @property
    def view(self) -> PreviewView:
        """Where the document is."""
        return self.query_one(PreviewView)

    def show(self, title: str, document: Rendered, hit: Hit | None, pattern: re.Pattern[str] | None) -> None:
        """Show a document; with a hit, its passage, its words and why it is ranked where it is."""
        self.border_title = plain(one_line(title))
        passage = hit.lines if hit and hit.lines[0] else None
        self.view.show(document, passage, pattern)
        where = f"lines {passage[0]}–{passage[1]} · " if passage else ("" if hit else f"{len(document)} lines · ")
        self.border_subtitle = f"{where}enter opens · o editor"
        self._explain(hit)

    def show_trouble(self, title: str, trouble: Trouble) -> None:
        """Say why the document cannot be shown."""
        self.border_title = plain(one_line(title))
        self.border_subtitle = "▲ unreadable"
        self.view.say(plain(str(trouble)))
        self._explain(None)

    def show_nothing(self, words: str) -> None:
        """Say what will be shown here."""
        self.border_title = "Preview"
        self.border_subtitle = ""
        self.view.say(Content(words))
        self._explain(None)

    def _explain(self, hit: Hit | None) -> None:
        why = self.query_one("#why", Static)
        why.display = hit is not None
        if hit is not None:
            why.update(Content.assemble(("why ranked here\n", "bold"), why_lines(hit.why, hit.score)))
