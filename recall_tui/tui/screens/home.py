"""Home: the budget, the search, the window, the archive or its hits, and the document under the cursor.

Typing never waits: questions are asked in a thread, and an answer to an older question is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus
from textual.timer import Timer
from textual.widgets import Input

from recall_tui.domain import Answer, Hit, IndexRow, WindowEntry
from recall_tui.tui import messages
from recall_tui.tui.asking import Question, ask, read_document, reference_of, section_count
from recall_tui.tui.screens.page import Page
from recall_tui.tui.seen import Seen, Trouble, look
from recall_tui.tui.widgets.archive_list import ArchiveList
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.preview import Preview, PreviewView
from recall_tui.tui.widgets.rows import Rows
from recall_tui.tui.widgets.search_box import SearchBox
from recall_tui.tui.widgets.window_list import WindowList
from recall_tui.tui.work import in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

PREVIEW_DELAY = 0.06
"""Seconds that the cursor rests before the preview follows."""
SEARCH_DELAY = 0.02
"""Seconds between the last key and the question."""
BUSY_AFTER = 0.15
"""Seconds before a question says that it is still being answered."""


class Home(Page):
    """The workbench."""

    NAME = "home"
    AUTO_FOCUS = "#archive"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", tooltip="Search everything this memory holds", id="search"),
        Binding("escape", "leave_search", "Back", tooltip="Leave the search; the archive comes back", id="back"),
        Binding("y", "copy", "Copy", tooltip="Copy the passage with where it is from", id="copy"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the file in $EDITOR", id="editor"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._question = Question(0, "")
        self._waiting: dict[str, Timer] = {}
        self._reading = 0
        self._source: Rows[IndexRow | Hit] | Rows[WindowEntry] | None = None

    def panels(self) -> ComposeResult:
        now = self.bench.store.now()
        yield BudgetGauge()
        yield SearchBox()
        with Horizontal(id="body"):
            with Vertical(id="lists"):
                yield WindowList(now)
                yield ArchiveList(now.tzinfo)
            yield Preview()

    def on_mount(self) -> None:
        super().on_mount()
        self._take(look(self.bench))
        self.query_one(Preview).show_nothing("The document under the cursor is shown here.")
        self._source = self.archive
        self.call_after_refresh(self._after_first_paint)

    @property
    def archive(self) -> ArchiveList:
        """The index or the hits."""
        return self.query_one(ArchiveList)

    @property
    def search_box(self) -> SearchBox:
        """Where the question is typed."""
        return self.query_one(SearchBox)

    def _after_first_paint(self) -> None:
        self._weigh()
        self._follow_cursor()

    def look_again(self) -> None:
        """Read the panels' files anew; a question that stands is asked again."""
        in_thread(self, lambda: messages.MemoryLookedAt(look(self.bench)), "look")
        self._weigh()

    def _weigh(self) -> None:
        in_thread(self, lambda: messages.SectionsWeighed(section_count(self.bench)), "weigh", _unweighed)

    def _take(self, seen: Seen) -> None:
        self.query_one(BudgetGauge).show(seen.memory)
        self.query_one(WindowList).show_window(seen.window, self.bench.store.now())
        self.archive.take_rows(seen.rows)

    @on(messages.MemoryLookedAt)
    def _memory_looked_at(self, message: messages.MemoryLookedAt) -> None:
        self._take(message.seen)
        self._follow_cursor()
        if self._question.text:
            self._ask()

    @on(messages.SectionsWeighed)
    def _sections_weighed(self, message: messages.SectionsWeighed) -> None:
        self.query_one(BudgetGauge).show_ready(message.ready)

    # Asking.

    def action_search(self) -> None:
        self.search_box.focus()

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        text = event.value.strip()
        if text == self._question.text:
            return
        self._question = Question(self._question.number + 1, text)
        if not text:
            self._stop_waiting("ask", "busy")
            self.archive.end_answer()
            self.search_box.say("")
            return
        self._after("ask", SEARCH_DELAY, self._ask)
        self._after("busy", BUSY_AFTER, lambda: self.search_box.say("searching…"))

    def _ask(self) -> None:
        question = self._question
        stopwatch = self.app.stopwatch
        in_thread(
            self,
            lambda: ask(self.bench, question, stopwatch),
            "ask",
            lambda trouble: messages.SearchFailed(question.number, trouble),
        )

    @on(messages.HitsFound)
    def _hits_found(self, message: messages.HitsFound) -> None:
        if message.number != self._question.number:
            return
        self._stop_waiting("busy")
        is_same = self._question.number == self._question.answered
        self._question = self._question.with_answer()
        self.archive.show_answer(
            message.answer, self._question.pattern_of(message.answer), _count(message.answer), keep=is_same
        )
        self.search_box.say(_status(message.answer, message.took_ms))

    @on(messages.SearchFailed)
    def _search_failed(self, message: messages.SearchFailed) -> None:
        if message.number == self._question.number:
            self._stop_waiting("busy")
            self.search_box.say("")
            self.archive.show_trouble(message.trouble)

    @on(SearchBox.Led)
    def _led(self, event: SearchBox.Led) -> None:
        self.archive.action_page(event.by) if event.is_page else self.archive.action_move(event.by)

    @on(Input.Submitted, "#search")
    def _submitted(self) -> None:
        self.archive.action_open()

    def action_leave_search(self) -> None:
        with self.prevent(Input.Changed):
            self.search_box.value = ""
        self._question = Question(self._question.number + 1, "")
        self._stop_waiting("ask", "busy")
        self.search_box.say("")
        self.archive.end_answer()
        self.archive.focus()

    # Reading.

    @on(Rows.Moved)
    def _moved(self, event: Rows.Moved) -> None:
        if event.rows is self._source:
            self._after("preview", PREVIEW_DELAY, self._follow_cursor)

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """The preview follows the list that has the focus; the search leads the hits."""
        widget = event.widget
        self.archive.is_led = widget is self.search_box
        source = self.archive if widget is self.search_box else widget
        if isinstance(source, Rows) and source is not self._source:
            self._source = source
            self._after("preview", PREVIEW_DELAY, self._follow_cursor)

    def _follow_cursor(self) -> None:
        item = self._source.current if self._source is not None else None
        self._reading += 1
        if item is None:
            self.query_one(Preview).show_nothing("The document under the cursor is shown here.")
            return
        if not self.query_one(Preview).display:
            return
        number = self._reading
        in_thread(self, lambda: read_document(self.bench, number, item), "preview")

    @on(messages.DocumentRead)
    def _document_read(self, message: messages.DocumentRead) -> None:
        if message.number != self._reading:
            return
        preview = self.query_one(Preview)
        if isinstance(message.document, Trouble):
            preview.show_trouble(message.title, message.document)
        else:
            preview.show(message.title, message.document, message.hit, self.archive.pattern if message.hit else None)

    @on(Rows.Opened)
    @on(PreviewView.Opened)
    def _opened(self) -> None:
        from recall_tui.tui.screens.reader import Reader

        item = self._source.current if self._source is not None else None
        if item is not None:
            hit = item if isinstance(item, Hit) else None
            self.app.push_screen(Reader(self.bench, item, self.archive.pattern if hit else None))

    def action_copy(self) -> None:
        item = self._source.current if self._source is not None else None
        if item is not None:
            self.app.copy_passage(item)

    def action_edit(self) -> None:
        item = self._source.current if self._source is not None else None
        if item is not None:
            line = item.lines[0] if isinstance(item, Hit) else 1
            self.app.edit(lambda: Path(self.bench.document(reference_of(item)).path), line)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs something under the cursor, or a search to leave, is not offered without it."""
        if action in ("copy", "edit"):
            return self._source is not None and self._source.current is not None
        if action == "leave_search":
            return bool(self._question.text) or self.focused is self.search_box
        return True

    def _after(self, name: str, seconds: float, do: Callable[[], object]) -> None:
        self._stop_waiting(name)
        self._waiting[name] = self.set_timer(seconds, do)

    def _stop_waiting(self, *names: str) -> None:
        for name in names:
            if timer := self._waiting.pop(name, None):
                timer.stop()


def _unweighed(_: Trouble) -> messages.SectionsWeighed:
    return messages.SectionsWeighed(0)


def _count(answer: Answer) -> str:
    return f"{len(answer.hits)} of {answer.total}" if answer.total > len(answer.hits) else str(answer.total)


def _status(answer: Answer, took_ms: float) -> str:
    hits = f"{answer.total} hit{'' if answer.total == 1 else 's'}"
    return f"{answer.rung} · {hits} · {took_ms:.0f} ms" if answer.hits else f"nothing found · {took_ms:.0f} ms"
