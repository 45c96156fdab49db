"""A passage or a whole document on its way to others: copied with its source, or shared as one HTML page.

A page has its tools folded, no thoughts, and its secrets masked; no file is overwritten.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on

from recall_tui.features.documents.excerpt import Excerpt, whole_document
from recall_tui.features.documents.session_label import label_document
from recall_tui.tui import messages
from recall_tui.tui.app_screen import AppScreen
from recall_tui.tui.screens.reader.reading_view import cite_lines, passage_at
from recall_tui.tui.text import plain_line
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.features.documents.lookup import Document
    from recall_tui.tui.document_pointer import Item
    from recall_tui.tui.screens.reader.reading_view import ReaderDocument
    from recall_tui.workbench import Workbench

_MAX_NAME_CHARS = 48
_NOT_NAME = re.compile(r"[^a-z0-9]+")


class PassageActions(AppScreen):
    """A screen with a document whose passages can be handed on."""

    bench: Workbench
    item: Item
    source: Document | None = None

    if TYPE_CHECKING:

        @property
        def page(self) -> ReaderDocument:
            """The document."""

    @property
    def is_session(self) -> bool:
        """Whether the document is a conversation."""
        return bool(self.page.document.turns)

    def action_copy(self) -> None:
        """Copy the passage at the cursor with its source."""
        if self.source is None or not len(self.page.document):
            self.host.copy_passage(self.item)
        else:
            self.host.copy_cited(cite_lines(self.bench, self.source, self._passage_lines()))

    def _passage_lines(self) -> tuple[int, int]:
        """The lines, from 1, of the passage that the cursor is in, or of what belongs together around it."""
        page = self.page
        passage = page.passage
        is_inside = passage is not None and passage[0] <= page.cursor + 1 <= passage[1]
        return passage if passage is not None and is_inside else passage_at(page.document, page.cursor)

    def action_share(self) -> None:
        """Ask for a file, and write the whole document there."""
        self._share("Share this session" if self.is_session else "Share this document", None)

    def action_share_passage(self) -> None:
        """Ask for a file, and write the passage at the cursor there."""
        self._share("Share this passage", self._passage_lines())

    def _share(self, what: str, lines: tuple[int, int] | None) -> None:
        from recall_tui.tui.screens.export_name_modal import ExportNameModal

        source, bench = self.source, self.bench
        if source is None:
            return

        def named(path: Path | None) -> None:
            if path is not None:
                run_in_thread(
                    self, lambda: messages.BulkFinished(share(bench, source, lines, path), has_changed=False), "share"
                )

        self.app.push_screen(ExportNameModal(bench.store.environment, what, suggest_name(source)), named)

    @on(messages.BulkFinished)
    def _shared(self, message: messages.BulkFinished) -> None:
        self.host.say(message.words)


def suggest_name(document: Document) -> str:
    """Return a file in the home folder that is named after the session or the document."""
    label = label_document(document)
    title = label.title if label is not None else document.path.stem
    words = _NOT_NAME.sub("-", plain_line(title).lower()).strip("-")
    if len(words) > _MAX_NAME_CHARS:
        words = words[: _MAX_NAME_CHARS + 1].rpartition("-")[0] or words[:_MAX_NAME_CHARS]
    return f"~/{words or 'session'}.html"


def share(bench: Workbench, document: Document, lines: tuple[int, int] | None, to: Path) -> str:
    """Write a document, or only some of its lines, to a new file; return what came of it."""
    from recall_tui.features.transfer.export import parts_renderer, write_export

    part = whole_document(document)
    if lines is not None:
        text = "\n".join(document.text.split("\n")[lines[0] - 1 : lines[1]]) + "\n"
        part = Excerpt(document, lines, text, is_whole=False)
    made = write_export(bench.store, parts_renderer(bench.store, [part], has_thoughts=False), to)
    masked = f"{made.masked} secret{'s' * (made.masked != 1)} masked" if made.masked else "no secrets in it"
    return f"Shared to {plain_line(str(made.path))}, {masked}"
