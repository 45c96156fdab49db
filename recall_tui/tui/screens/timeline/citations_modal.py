"""What a page rests on, over the screen it was asked for on.

Nothing is opened here; the link that was chosen is handed back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from recall_tui.features.documents.citations import Citation
from recall_tui.tui.modal import Modal
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.citation_list import CitationList
from recall_tui.tui.widgets.footer import KeyFooter


class CitationsModal(Modal[Citation | None]):
    """The links of one page; dismissed with the one that was chosen."""

    AUTO_FOCUS = "#links"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Back", tooltip="Back to where you were", id="close_links"),
    ]

    def __init__(self, title: str, found: Sequence[Citation]) -> None:
        super().__init__()
        self._title = title
        self._found = found

    def compose(self) -> ComposeResult:
        """The links in their panel."""
        panel = Vertical(id="links-of", classes="panel")
        panel.border_title = plain_text(plain_line(self._title))
        panel.border_subtitle = f"cites {len(self._found)}"
        with panel:
            yield CitationList(id="links")
        yield KeyFooter(has_palette=False)

    def on_mount(self) -> None:
        """Show them."""
        self.query_one(CitationList).take(self._found)

    @on(CitationList.Opened)
    def _chosen(self, message: CitationList.Opened) -> None:
        message.stop()
        self.dismiss(message.rows.current)

    def action_close(self) -> None:
        """Choose none."""
        self.dismiss(None)
