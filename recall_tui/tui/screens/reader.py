"""The reader: one document, whole, scrolled to the passage it was opened for.

It is left with one key, and the screen below is as it was.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Input

from recall_tui.tui import messages
from recall_tui.tui.reading import Item, read_document, reference_of, title_of
from recall_tui.tui.screens.app_screen import AppScreen
from recall_tui.tui.seen import Trouble
from recall_tui.tui.text import one_line, pattern_of, plain
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.work import in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class FindBox(Input):
    """Where the words to find in the document are typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Find", id="find_now"),
        Binding("escape", "screen.leave_find", "Leave", id="leave_find"),
    ]


class Reader(AppScreen):
    """The document of one row."""

    AUTO_FOCUS = "#page"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "back", "Back", tooltip="Back to where you were", id="back"),
        Binding("right_square_bracket", "chapter(1)", "Chapter", tooltip="The next heading", id="next_chapter"),
        Binding(
            "left_square_bracket",
            "chapter(-1)",
            "Chapter before",
            show=False,
            tooltip="The heading before",
            id="previous_chapter",
        ),
        Binding("f,slash", "find", "Find", tooltip="Find words in this document", id="find"),
        Binding("n", "find_next(1)", "Next match", show=False, tooltip="The next match", id="next_match"),
        Binding("N", "find_next(-1)", "Previous match", show=False, tooltip="The match before", id="previous_match"),
        Binding("y", "copy", "Copy", tooltip="Copy the passage with where it is from", id="copy"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the file in $EDITOR at this place", id="editor"),
    ]

    def __init__(self, bench: Workbench, item: Item, pattern: re.Pattern[str] | None) -> None:
        super().__init__()
        self.bench = bench
        self._item = item
        self._pattern = pattern
        self._is_shown = False

    def compose(self) -> ComposeResult:
        """The document, the words to find, the footer."""
        page = DocumentView(id="page")
        page.border_title = plain(one_line(title_of(self._item)))
        yield page
        find = FindBox(id="find", placeholder="words in this document")
        find.display = False
        find.cursor_blink = False
        yield find
        yield Footer()

    def on_mount(self) -> None:
        """Read the document, and again when it changes."""
        self._read()
        self.host.memory_changed.subscribe(self, self._memory_changed)

    def _memory_changed(self, _: Any) -> None:
        self._read()

    def _read(self) -> None:
        in_thread(self, lambda: read_document(self.bench, 0, self._item), "read")

    @property
    def page(self) -> DocumentView:
        """The document."""
        return self.query_one("#page", DocumentView)

    @on(messages.DocumentRead)
    def _document_read(self, message: messages.DocumentRead) -> None:
        page, document = self.page, message.document
        page.border_title = plain(one_line(message.title))
        if isinstance(document, Trouble):
            page.border_subtitle = "▲ unreadable"
            page.say(plain(str(document)))
            return
        passage, lines = message.passage, f"{len(document)} lines"
        where = f"lines {passage[0]}–{passage[1]} of {len(document)}" if passage else lines
        page.border_subtitle = " · ".join(filter(None, (where, message.note)))
        if self._is_shown:
            page.show_again(document)
        else:
            page.show(document, passage, self._pattern, message.at)
        self._is_shown = True

    def action_back(self) -> None:
        """Go back to where one was."""
        self.dismiss()

    def action_chapter(self, by: int) -> None:
        """Go to another heading."""
        self.page.move_to_heading(by)

    def action_find(self) -> None:
        """Ask for words to find."""
        box = self.query_one("#find", FindBox)
        box.display = True
        box.focus()

    def action_leave_find(self) -> None:
        """Go back to the document."""
        self.query_one("#find", FindBox).display = False
        self.page.focus()

    @on(Input.Submitted, "#find")
    def _find(self, event: Input.Submitted) -> None:
        self._pattern = pattern_of(event.value.split())
        self.page.pattern = self._pattern
        self.action_leave_find()
        self.action_find_next(1)

    def action_find_next(self, by: int) -> None:
        """Go to another match."""
        if not self.page.move_to_match(by):
            self.host.say("No match further on" if by > 0 else "No match before")

    def action_copy(self) -> None:
        """Copy the passage, or the summary."""
        self.host.copy_passage(self._item)

    def action_edit(self) -> None:
        """Open the file in the editor where the view starts."""
        line = self.page.line
        self.host.edit(lambda: self.bench.document(reference_of(self._item)).path, line)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Matches can be walked through once there is something to match."""
        if action == "find_next":
            return self._pattern is not None
        return True
