"""The document under the cursor, and for a hit the reasons for its rank.

It follows the cursor; the old document stays until the new one is loaded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from recall_tui.domain import Hit
from recall_tui.tui.document_pointer import Item, document_title, read_document
from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import DocumentLoaded
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.tui.widgets.search_status import reason_lines, rung_label
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

PREVIEW_DELAY_SECONDS = 0.06
"""The time that the cursor rests before the preview follows."""
_NO_SELECTION = Content("The selected document appears here.")


class PreviewView(DocumentView):
    """The view inside the preview; `enter` opens the whole document."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the whole document", id="open_preview"),
    ]

    class Opened(Message):
        """The user asked to open the document."""

    def action_open(self) -> None:
        """Request the whole document."""
        self.post_message(self.Opened())


class Preview(Vertical):
    """The panel on the right; while hidden it reads nothing."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(id="preview", classes="panel")
        self.delays = Debouncer(self)
        self.bench = bench
        self._number = 0
        self._light: re.Pattern[str] | None = None
        self._unread: tuple[Item, re.Pattern[str] | None] | None = None
        """The item to read once the panel is shown."""
        self._waiting: tuple[Item, re.Pattern[str] | None] | None = None
        """The next item to read; one at a time, since a long transcript is slow and two at once are slower."""
        self._is_reading = False
        self._hit: Hit | None = None
        self._shows_reasons = False
        self._where: tuple[str, ...] = ()
        """The words of the lower border about the document, besides its keys."""
        self._is_typing = False

    def compose(self) -> ComposeResult:
        """Yield the document and the reasons."""
        yield PreviewView(id="document")
        yield Static(id="why")

    def on_mount(self) -> None:
        """Show the placeholder."""
        self.follow(None, None)

    @property
    def view(self) -> PreviewView:
        """Return the document view."""
        return self.query_one(PreviewView)

    def follow(self, item: Item | None, light: re.Pattern[str] | None) -> None:
        """Show the item's document once the cursor rests, with the matches of `light` highlighted."""
        self._number += 1
        self._unread = self._waiting = None
        if item is None:
            self._where = ()
            self.delays.stop("read")
            self.border_title, self.border_subtitle = "Preview", ""
            self.view.say(_NO_SELECTION)
            self._explain(None)
        elif self.display:
            self.delays.after("read", PREVIEW_DELAY_SECONDS, lambda: self._read(item, light))
        else:
            self._unread = (item, light)

    def toggle_reasons(self) -> None:
        """Show or hide the reasons for the rank of a hit."""
        self._shows_reasons = not self._shows_reasons
        self._explain(self._hit)

    def wait(self) -> None:
        """Cancel the pending read, as the item under the cursor is about to change."""
        self.delays.stop("read")

    def tell(self, title: str, words: str, subtitle: str = "") -> None:
        """Show Markdown text under a title in place of a document."""
        self.follow(None, None)
        self.border_title, self.border_subtitle = plain_text(plain_line(title)), plain_text(plain_line(subtitle))
        self.view.show(RenderedDocument(words))

    def on_resize(self) -> None:
        """Read the skipped item when the panel is shown."""
        if self._unread is not None and self.display:
            self.follow(*self._unread)

    def _read(self, item: Item, light: re.Pattern[str] | None) -> None:
        if self._is_reading:
            self._waiting = item, light
            return
        number, self._light = self._number, light
        self._is_reading = True
        run_in_thread(
            self,
            lambda: read_document(self.bench, number, item),
            "read",
            lambda trouble: DocumentLoaded(number, document_title(item), trouble, None),
        )

    @on(DocumentLoaded)
    def _document_read(self, message: DocumentLoaded) -> None:
        self._is_reading = False
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self._read(*waiting)
        if message.number != self._number:
            return
        document, hit = message.document, message.hit
        self.border_title = plain_text(plain_line(message.title))
        self._explain(hit)
        if isinstance(document, DisplayError):
            self.border_subtitle, self._where = "▲ unreadable", ()
            self.view.say(plain_text(str(document)))
            return
        passage = message.passage
        self.view.show(document, passage, self._light, message.at)
        where = f"lines {passage[0]}–{passage[1]}" if passage else "passage" if hit else f"{len(document):,} lines"
        self._where = where, message.note
        self._say_keys()

    def tell_typing(self, is_typing: bool) -> None:
        """Leave out of the lower border the letters that go into a question while one is typed."""
        if is_typing != self._is_typing:
            self._is_typing = is_typing
            if self._where:
                self._say_keys()

    def _say_keys(self) -> None:
        keys = [f"{key_label(self.bench, 'open_preview', 'enter')} opens"]
        if not self._is_typing:
            keys.append(f"{key_label(self.bench, 'editor', 'o')} editor")
            keys += [f"{key_label(self.bench, 'why', 'w')} why"] if self._hit is not None else []
        self.border_subtitle = plain_text(" · ".join(filter(None, (*self._where, *keys))))

    def _explain(self, hit: Hit | None) -> None:
        why, self._hit = self.query_one("#why", Static), hit
        why.display = hit is not None and self._shows_reasons
        if hit is not None:
            rung = rung_label(hit.why.get("rung", ""))
            why.update(
                Content.assemble(("why ranked here", "bold"), f" · {rung}\n" if rung else "\n", reason_lines(hit))
            )
