"""Home: the budget, the search, the window, the archive or its hits, and the document under the cursor.

The panels do their own work; this screen says which list the preview follows and where the focus goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.widgets import Input

from recall_tui.domain import Hit, SessionLabel, WindowEntry
from recall_tui.features.capture.session_marker import captures_sessions
from recall_tui.features.context.consume import handed_text, window_text
from recall_tui.storage.git_exclusion import publishes_sessions
from recall_tui.text.session_line import fit_columns, label_entry
from recall_tui.tui import messages
from recall_tui.tui.document_pointer import Item, document_reference
from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.memory_view_model import (
    EXPECTED_ERRORS,
    DisplayError,
    HomeView,
    WindowView,
    load_first_view,
    load_view,
)
from recall_tui.tui.screens.home.archive_list import ArchiveList
from recall_tui.tui.screens.home.summary_screen import SummaryActions
from recall_tui.tui.screens.search.request import count_sections
from recall_tui.tui.screens.search.search_box import SearchBox
from recall_tui.tui.text import display_path, plain_line, plain_text
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.preview import Preview, PreviewView
from recall_tui.tui.widgets.row_list import END_ROWS, NO_ROW, RowList
from recall_tui.tui.widgets.search_status import no_hits_text
from recall_tui.tui.widgets.session_row import (
    EDGE_CELLS,
    HitExcerpt,
    label_day,
    session_row,
)
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_EMPTY = Content("Nothing yet. The summary of each session that ends appears here, for the next session.")
_EMPTY_BY_CHOICE = Content(
    "Nothing yet. A session appears here when you add it: A in Health (6), or recall-tui archive."
)
_HANDED_OVER = Content(
    "Handed over to the session that started last. The summary of the next session that ends appears here."
)
_SIGN_CELLS = 2
"""Cells of the sign before a session in the window."""


class WindowList(RowList[WindowEntry]):
    """The window in its panel, newest first; the session that drops out next is marked as soon as it is full."""

    def __init__(self, now: datetime, text_of: Callable[[], str], *, fills_itself: bool = True) -> None:
        """`text_of` reads the window's text as it is handed over; `fills_itself`: hooks add each session that ends."""
        super().__init__(id="window", classes="panel")
        self.border_title = "Recent"
        self._text_of = text_of
        self._empty = _EMPTY if fills_itself else _EMPTY_BY_CHOICE
        self._now = now
        self._labels: Mapping[str, SessionLabel] = {}
        self._is_full = self._has_years = False

    def show_window(
        self, seen: WindowView | DisplayError, now: datetime, labels: Mapping[str, SessionLabel] = MappingProxyType({})
    ) -> None:
        """Show the window as it is now, its sessions by their labels as far as these are known."""
        self._now, self._labels = now, labels
        if isinstance(seen, DisplayError):
            self.border_subtitle = "▲ unreadable"
            self.show((), plain_text(str(seen)))
            return
        # Of a window that holds one session it says nothing that the next one takes its place.
        self._is_full = len(seen.entries) >= seen.max_entries > 1
        is_last = len(seen.entries) == seen.max_entries == 1
        count = "the last session" if is_last else f"{len(seen.entries)} of {seen.max_entries}"
        self.border_subtitle = f"{count} · ○ drops out next" if self._is_full else count
        free = plain_line(seen.free_text)
        days = [label_day(self._label(entry), now) for entry in seen.entries]
        self._has_years = any(day is not None and day.year != now.year for day in days)
        empty = _HANDED_OVER if seen.was_handed_over else self._empty
        self.show(seen.entries, Content.assemble("Notes of your own: ", free) if free else empty)

    def draw(self, item: WindowEntry, width: int) -> Content:
        """A session's row; a hollow dot before the one that drops out next."""
        # The columns of the list below; the sign takes its cells from the title.
        columns = fit_columns(width - EDGE_CELLS, has_years=self._has_years)
        columns = columns._replace(title=max(0, columns.title - _SIGN_CELLS))
        lead = " ○ " if self._is_full and item is self.items[-1] else " ● "
        return session_row(self._label(item), columns, self._now, lead=lead)

    def action_show_recent(self) -> None:
        """Show the recent sessions as `recall-tui consume` prints them for the next one."""
        from recall_tui.tui.screens.text_modal import TextModal

        try:
            text = self._text_of().strip()
        except EXPECTED_ERRORS as error:
            text = f"▲ {DisplayError.of(error)}"
        self.app.push_screen(TextModal("Recent sessions, for the next one", plain_text(text) if text else self._empty))

    def _label(self, entry: WindowEntry) -> SessionLabel:
        return self._labels.get(entry.session_id) or label_entry(entry)

    def key_of(self, item: WindowEntry) -> object:
        """The session."""
        return item.session_id, item.ended_at


class Home(SummaryActions):
    """The workbench."""

    NAME = "home"
    AUTO_FOCUS = "#archive"
    LEFT_OUT = frozenset(("copy", "edit"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+r", "searches", "Earlier searches", show=False, tooltip="Recent and saved searches", id="searches"
        ),
        Binding("slash", "search", "Search", priority=True, tooltip="Search everything in this memory", id="search"),
        Binding("d", "app.go('distill')", "Distill", tooltip="Keep MEMORY.md under its budget", id="to_distill"),
        Binding("escape", "leave_search", "Back", tooltip="One step back: stop, unmark, leave the search", id="back"),
        Binding("y", "copy", "Copy", tooltip="Copy the passage with its source", id="copy"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the file in $EDITOR", id="editor"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._source: RowList[Any] | None = None
        """The list whose cursor the preview follows."""

    def panels(self) -> ComposeResult:
        """The budget and the search above, the lists and the preview below."""
        store = self.bench.store
        now = store.now()
        place = display_path(store.layout.memory_file, store.environment.home)
        fills_itself = captures_sessions(store)
        yield BudgetGauge(place, is_shared=publishes_sessions(store))
        yield SearchBox(self.bench, self.host.stopwatch)
        with Horizontal(id="body"):
            with Vertical(id="lists"):
                yield WindowList(now, lambda: handed_text(window_text(store)), fills_itself=fills_itself)
                yield ArchiveList(store.now, fills_itself=fills_itself)
                yield HitExcerpt()
            yield Preview(self.bench)

    def on_mount(self) -> None:
        """Show what is there; everything slower comes after the first paint."""
        self._source = self.archive
        self.host.index_changed.subscribe(self, lambda _: self.search_box.ask_again())
        seen = load_first_view(self.bench)
        self._take(seen)
        self.call_after_refresh(self.look_again if self.archive.items else self._weigh)

    @property
    def archive(self) -> ArchiveList:
        """The index or the hits."""
        return self.query_one(ArchiveList)

    @property
    def search_box(self) -> SearchBox:
        """Where the question is typed."""
        return self.query_one(SearchBox)

    @property
    def current(self) -> Item | None:
        """What is under the cursor that the preview follows."""
        return self._source.current if self._source is not None else None

    def look_again(self) -> None:
        """Read the panels' files anew; a question that stands is asked again."""
        run_in_thread(self, lambda: messages.MemoryLoaded(load_view(self.bench)), "look")
        self._weigh()

    def _weigh(self) -> None:
        # What cannot be read is said in its own panel; there is nothing to add here.
        run_in_thread(
            self.query_one(BudgetGauge),
            lambda: messages.SectionsMeasured(count_sections(self.bench)),
            "weigh",
            lambda trouble: messages.SectionsMeasured(0),
        )

    def _take(self, seen: HomeView) -> None:
        self.query_one(BudgetGauge).show(seen.memory)
        self.query_one(WindowList).show_window(seen.window, self.bench.store.now(), seen.recent)
        self.archive.take_rows(seen.rows, seen.labels, are_all=seen.has_all_rows)
        self._follow()

    @on(messages.MemoryLoaded)
    def _memory_looked_at(self, message: messages.MemoryLoaded) -> None:
        self._take(message.seen)
        self.search_box.ask_again()

    @on(SearchBox.Asked)
    def _asked(self) -> None:
        self.query_one(Preview).wait()

    @on(SearchBox.Answered)
    @on(SearchBox.Unanswered)
    def _answered(self, message: SearchBox.Answered | SearchBox.Unanswered) -> None:
        if isinstance(message, SearchBox.Unanswered):
            self.archive.show_trouble(message.trouble)
            return
        again, back = key_label(self.bench, "refresh", "r"), key_label(self.bench, "back", "escape")
        is_indexing = bool(self.host.busy)
        nothing = no_hits_text(message.answer, message.sifted, is_indexing=is_indexing, again=again, back=back)
        self.add_class("-answering")
        self.archive.show_answer(message.answer, nothing, message.pattern, keep=message.is_anew)
        self.refresh_bindings()

    @on(SearchBox.Left)
    def _left(self) -> None:
        self.set_focus(self.archive)

    @on(SearchBox.Emptied)
    def _emptied(self) -> None:
        self.remove_class("-answering")
        self.archive.end_answer()
        self.refresh_bindings()

    @on(SearchBox.Led)
    def _led(self, message: SearchBox.Led) -> None:
        if message.is_page:
            self.archive.action_page(message.by)
        else:
            self.archive.action_move(message.by)

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        if message.rows is self._source:
            self._follow()
        is_at_end = self.archive.cursor >= len(self.archive.items) - END_ROWS
        if message.rows is self.archive and self.archive.is_answering and is_at_end:
            self.search_box.ask_for_more()

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        is_asking = event.widget is self.search_box
        self.archive.is_led = is_asking
        self.query_one(Preview).tell_typing(is_asking)
        source = self.archive if is_asking else event.widget
        if isinstance(source, RowList) and source is not self._source:
            self._source = source
            self._follow()

    def _follow(self) -> None:
        item = self.current
        light = self.archive.pattern if isinstance(item, Hit) else None
        self.query_one(Preview).follow(item, light)
        self.query_one(HitExcerpt).show(item if isinstance(item, Hit) else None, light)

    @on(RowList.Opened)
    @on(PreviewView.Opened)
    @on(Input.Submitted)
    def _opened(self) -> None:
        from recall_tui.tui.screens.reader.screen import ReaderScreen

        if (item := self.current) is not None:
            self.search_box.settle()
            if isinstance(item, Hit):
                self.search_box.settling.note()
            pattern = self.archive.pattern if isinstance(item, Hit) else None
            self.app.push_screen(ReaderScreen(self.bench, item, pattern))

    def action_search(self) -> None:
        """Go to the search, at once: what is typed right after the key belongs to it."""
        self.set_focus(self.search_box)

    def action_leave_search(self) -> None:
        """One step back: stop the work, or take the marks off, or the question back; the archive has the focus then."""
        if self.is_at_work:
            self.stop_work()
        elif self.archive.marked:
            self.archive.unmark()
        else:
            self.search_box.empty()
        self.set_focus(self.archive)

    def action_searches(self) -> None:
        """Choose among the searches of before."""
        self.search_box.action_recall()

    def action_copy(self) -> None:
        """Copy what is under the cursor."""
        if (item := self.current) is not None:
            self.host.copy_passage(item)

    def action_edit(self) -> None:
        """Open the file under the cursor in the editor."""
        if (item := self.current) is not None:
            line = item.lines[0] if isinstance(item, Hit) else 1
            self.host.edit(lambda: self.bench.document(document_reference(item)).path, line)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no search to go to from the search, and none to leave without one."""
        if action == "search":
            return not isinstance(self.focused, SearchBox)
        if action == "leave_search":
            return self.is_mounted and bool(
                self.search_box.question or self.focused is self.search_box or self.archive.marked or self.is_at_work
            )
        return super().check_action(action, parameters)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """What needs something under the cursor."""
        if action in ("copy", "edit"):
            return NO_ROW if self.current is None else ""
        return super().why_not(action, parameters)
