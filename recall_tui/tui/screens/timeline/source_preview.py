"""The page or the session under the cursor, and below a page what it rests on.

The links are those of the page that is shown; until the new one is read the old ones stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult

from recall_tui.features.documents.citations import Citation, citations
from recall_tui.tui.document_pointer import Pointer
from recall_tui.tui.messages import CitationsFound, DocumentRead
from recall_tui.tui.widgets.citation_list import CitationList
from recall_tui.tui.widgets.preview import Preview
from recall_tui.tui.workers import in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class Evidence(Preview):
    """What is under the cursor, with its links."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._cites = False

    def compose(self) -> ComposeResult:
        """The document, the reasons of hits, which are none here, and the links."""
        yield from super().compose()
        yield CitationList(id="citations")

    @property
    def citations(self) -> CitationList:
        """What the page rests on."""
        return self.query_one(CitationList)

    def on_mount(self) -> None:
        """Nothing is linked yet."""
        self.citations.display = False

    def show_page(self, item: Pointer) -> None:
        """Show a page with what it rests on."""
        self._cites = True
        self.follow(item, None)

    def show_session(self, item: Pointer) -> None:
        """Show a session."""
        self._cites = False
        self.follow(item, None)

    def show_words(self, title: str, words: str) -> None:
        """Show words in place of a page."""
        self._cites = False
        self._link(())
        self.tell(title, words)

    @on(DocumentRead)
    def _cite(self, message: DocumentRead) -> None:
        source = message.source
        if message.number != self._number:
            return
        if source is None or not self._cites:
            self._link(())
            return
        layout = self.bench.layout
        in_thread(self, lambda: CitationsFound(citations(layout, source.text)), "cite")

    @on(CitationsFound)
    def _citations_found(self, message: CitationsFound) -> None:
        message.stop()
        if self._cites:
            self._link(message.citations)

    def _link(self, found: tuple[Citation, ...]) -> None:
        self.citations.display = bool(found)
        self.citations.take(found)
        self.citations.border_title = f"rests on {len(found)}"
