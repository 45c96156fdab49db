"""The reader: one document, whole, at the passage it was opened for; prompts are chapters, what tools said is folded.

It is left with one key, and the screen below is as it was.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from recall_tui.domain import SkippedResult
from recall_tui.tui import messages
from recall_tui.tui.document_pointer import Item, document_reference, document_title, read_document
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER_SECONDS
from recall_tui.tui.screens.reader.find_box import FindBox
from recall_tui.tui.screens.reader.passage_actions import PassageActions
from recall_tui.tui.screens.reader.reading_view import ReaderDocument
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.turn_rows import TIME_MODES, TimeMode
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.features.documents.lookup import Document
    from recall_tui.features.documents.resume import ResumeCommand
    from recall_tui.workbench import Workbench

_TIME_NOTICES: dict[TimeMode, str] = {
    "time": "Turns show the time of day",
    "elapsed": "Turns show the time since the start",
    "off": "Turns show no times",
}
_RESUME_PENDING = SkippedResult("still checking whether this session can be resumed")


class ReaderScreen(PassageActions):
    """The document of one row."""

    AUTO_FOCUS = "#page"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "back", "Back", tooltip="Back to where you were", id="back"),
        Binding(
            "right_square_bracket", "chapter(1)", "Chapter", tooltip="The next prompt or heading", id="next_chapter"
        ),
        Binding(
            "left_square_bracket",
            "chapter(-1)",
            "Chapter before",
            show=False,
            tooltip="The previous prompt or heading",
            id="previous_chapter",
        ),
        Binding("t", "turn_all", "Tools", tooltip="Unfold or fold all tools and thoughts", id="turn_all"),
        Binding("f,slash", "find", "Find", priority=True, tooltip="Find words in this document", id="find"),
        Binding("n", "find_next(1)", "Next match", show=False, tooltip="The next match", id="next_match"),
        Binding("N", "find_next(-1)", "Previous match", show=False, tooltip="The previous match", id="previous_match"),
        Binding("T", "times", "Times", show=False, tooltip="Times of turns: clock, since the start, none", id="times"),
        Binding("y", "copy", "Copy", tooltip="Copy the passage at the cursor with its source", id="copy"),
        Binding("R", "resume", "Resume", tooltip="Resume this session in its agent", id="resume"),
        Binding(
            "Y",
            "copy_resume",
            "Copy resume command",
            show=False,
            tooltip="Copy the command that resumes this session",
            id="copy_resume",
        ),
        Binding("e", "share", "Share", tooltip="Write this session as an HTML page, secrets masked", id="share"),
        Binding(
            "E", "share_passage", "Share passage", show=False, tooltip="The same, the passage alone", id="share_passage"
        ),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the file in $EDITOR at this place", id="editor"),
    ]

    def __init__(self, bench: Workbench, item: Item, pattern: re.Pattern[str] | None) -> None:
        super().__init__()
        self.bench = bench
        self.delays = Debouncer(self)
        self.item = item
        self._pattern = pattern
        self._is_shown = False
        self.source: Document | None = None
        self._where = ""
        self._times: TimeMode = "time"
        self._resuming: ResumeCommand | SkippedResult = _RESUME_PENDING

    def compose(self) -> ComposeResult:
        """The document, the words to find, the footer."""
        page = ReaderDocument(id="page")
        page.entitle(document_title(self.item))
        page.words = plain_text("")
        yield page
        yield FindBox(self._pattern)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Read the document, and again when it changes."""
        self._read()
        self.host.memory_changed.subscribe(self, self._memory_changed)

    def _memory_changed(self, _: Any) -> None:
        self._read()

    def _read(self) -> None:
        until = self.page.cursor + self.page.size.height if self._is_shown else 0
        self.delays.after("busy", BUSY_AFTER_SECONDS, lambda: self._say("reading …"))
        run_in_thread(self, lambda: read_document(self.bench, 0, self.item, until), "read")

    @property
    def page(self) -> ReaderDocument:
        """The document."""
        return self.query_one("#page", ReaderDocument)

    @property
    def find(self) -> FindBox:
        """What is looked for in the document."""
        return self.query_one(FindBox)

    @on(messages.DocumentLoaded)
    def _document_read(self, message: messages.DocumentLoaded) -> None:
        self.delays.stop("busy")
        page, document = self.page, message.document
        page.entitle(message.title)
        self.source = message.source
        self._work_out_resuming(message.source)
        if isinstance(document, DisplayError):
            self._where = "▲ unreadable"
            self._say(self._where)
            page.say(plain_text(str(document)))
            return
        document.times = self._times
        passage, lines = message.passage, f"{len(document):,} lines"
        where = f"passage: lines {passage[0]:,}–{passage[1]:,} of {len(document):,}" if passage else lines
        name = message.source.path.stem if message.source is not None and message.source.head is None else ""
        self._where = " · ".join(filter(None, (plain_line(name), where, _usage_line(message.source), message.note)))
        if self._is_shown:
            page.show_again(document)
        else:
            page.show(document, passage, self._pattern, message.at)
        self._is_shown = True
        self.find.look_in(document)
        self._tell_place()

    @on(ReaderDocument.Moved)
    @on(FindBox.Said)
    def _tell_place(self) -> None:
        """Say in the border at which chapter and match one is, of how many."""
        page = self.page
        chapters = len(page.document.chapters)
        chapter = f"chapter {page.chapter} of {chapters:,}" if chapters and page.chapter else ""
        found = self._resuming
        resume = "" if isinstance(found, SkippedResult) else plain_line(found.short_line)
        self._say(" · ".join(filter(None, (self.find.said, chapter, self._where, resume))))

    def _say(self, words: str) -> None:
        self.page.border_subtitle = plain_text(words)

    def action_back(self) -> None:
        """Go back to where one was."""
        self.dismiss()

    def action_chapter(self, by: int) -> None:
        """Go to another chapter."""
        self.page.move_to_chapter(by)

    def action_turn_all(self) -> None:
        """Fold everything that tools said and agents thought, or unfold it."""
        self.page.turn_all()

    def action_find(self) -> None:
        """Ask for words to find."""
        self.find.open()

    @on(FindBox.Left)
    def _find_left(self) -> None:
        self.page.focus()

    @on(FindBox.Found)
    def _found(self) -> None:
        found = self.find.matches
        self.page.light(self.find.pattern)
        self._go_to(found.first_from(self.page.cursor) if found else None, "Not in this document")
        self.refresh_bindings()

    def action_find_next(self, by: int) -> None:
        """Go to another match."""
        if (found := self.find.matches) is not None:
            nothing = "No later match" if by > 0 else "No earlier match"
            self._go_to(found.step(self.page.cursor, by), nothing)

    def _go_to(self, line: int | None, nothing: str) -> None:
        if line is None:
            self.host.say(nothing)
            self._tell_place()
        else:
            self.page.move_to(line)

    def action_times(self) -> None:
        """Show the next kind of times, and say which: no turn may begin in view."""
        self._times = TIME_MODES[(TIME_MODES.index(self._times) + 1) % len(TIME_MODES)]
        self.page.show_times(self._times)
        self.host.say(_TIME_NOTICES[self._times])

    def action_edit(self) -> None:
        """Open the file in the editor at the cursor."""
        line = self.page.cursor + 1
        self.host.edit(lambda: self.bench.document(document_reference(self.item)).path, line)

    def _work_out_resuming(self, source: Document | None) -> None:
        from recall_tui.features.documents.resume import find_resume_command

        if source is None:
            self._resuming = SkippedResult("this document does not belong to a session")
            self.refresh_bindings()
            return
        run_in_thread(
            self, lambda: messages.ResumeCommandReady(find_resume_command(self.bench.store, source)), "resuming"
        )

    @on(messages.ResumeCommandReady)
    def _resuming_worked_out(self, message: messages.ResumeCommandReady) -> None:
        self._resuming = message.resuming
        self._tell_place()
        self.refresh_bindings()

    def action_resume(self) -> None:
        """Lend the terminal to the agent, with this session."""
        found = self._resuming
        if not isinstance(found, SkippedResult):
            self.host.lend(found.words, found.folder)

    def action_copy_resume(self) -> None:
        """Copy what a person types in a shell to go on with this session."""
        found = self._resuming
        if not isinstance(found, SkippedResult):
            self.host.copy_to_clipboard(found.shell_line)
            self.host.say(f"Copied: {found.shell_line}")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key of finding is a letter while one types what to find."""
        is_typing = isinstance(self.focused, FindBox)
        return not is_typing if action == "find" else super().check_action(action, parameters)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Matches can be walked through once there are some; not every session can be resumed."""
        if action == "find_next" and not (self.is_mounted and self.find.matches):
            return "Nothing is found yet; find find in this document first"
        if action in ("resume", "copy_resume") and isinstance(self._resuming, SkippedResult):
            return f"Not resumed: {self._resuming.reason}"
        if action in ("share", "share_passage") and not (self.source and len(self.page.document)):
            return "There is no document to share"
        if action == "times" and not (self.is_mounted and self.is_session):
            return "This document is no conversation"
        if action == "chapter" and not (self.is_mounted and self.page.document.chapters):
            return "This document has no chapters"
        return ""


def _usage_line(source: Document | None) -> str:
    """The model of a session and the tokens that it took, as far as its agent recorded them."""
    head = source.head if source is not None else None
    if head is None:
        return ""
    tokens = f"{head.tokens:,} token{'s' * (head.tokens != 1)}" if head.tokens else ""
    return " · ".join(filter(None, (plain_line(head.model), tokens)))
