"""The panels of the timeline: a year of days, the tree of months, weeks, days and sessions, and what is kept of each.

The map and the tree stand on the same day; the one that has the focus leads, and what stands beside them follows.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import DescendantFocus

from recall_tui.features.capture.session_marker import captures_sessions
from recall_tui.features.consolidation.timeline import load_timeline, recent_summary
from recall_tui.features.documents.citations import Citation, citations
from recall_tui.features.documents.session_label import name_sessions
from recall_tui.tui import messages
from recall_tui.tui.document_pointer import DocumentPointer
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import CitationsFound, DocumentLoaded
from recall_tui.tui.page import Page
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER_SECONDS
from recall_tui.tui.screens.timeline.heat_map import HeatMap
from recall_tui.tui.screens.timeline.labels import (
    empty_day_page,
    format_day,
    node_name,
    node_page,
    node_totals,
    totals_text,
)
from recall_tui.tui.screens.timeline.nodes import TimelineNode, day_node
from recall_tui.tui.screens.timeline.tree import TimelineTree
from recall_tui.tui.text import plain_text
from recall_tui.tui.widgets.citation_list import CitationList
from recall_tui.tui.widgets.preview import Preview
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class TimelinePanels(Page):
    """What happened when, as it is."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.delays = Debouncer(self)
        self._is_stale = self._is_whole = False
        self._hovered: date | None = None

    def panels(self) -> ComposeResult:
        """The year above, the tree and what is kept below."""
        today = self.bench.store.now().date()
        yield HeatMap(today)
        with Horizontal(id="sides"):
            yield TimelineTree(today, fills_itself=captures_sessions(self.bench.store))
            yield SourcePreview(self.bench)

    def on_mount(self) -> None:
        """Look at what happened, now and whenever something else can be found."""
        self.host.index_changed.subscribe(self, lambda _: self.look_again())
        self.look_again()

    @property
    def heat(self) -> HeatMap:
        """The year."""
        return self.query_one(HeatMap)

    @property
    def time_tree(self) -> TimelineTree:
        """The months, weeks, days and sessions."""
        return self.query_one(TimelineTree)

    @property
    def evidence(self) -> SourcePreview:
        """What is kept of what is under the cursor."""
        return self.query_one(SourcePreview)

    @property
    def current(self) -> TimelineNode | None:
        """What is under the cursor that leads; None on a day of which nothing recorded."""
        if not self.heat.has_focus:
            return self.time_tree.current
        day = self.time_tree.timeline.days.get(self.heat.cursor)
        return day_node(day) if day else None

    @property
    def item(self) -> DocumentPointer | None:
        """The document under the cursor that leads."""
        return self.current.item if self.current is not None else None

    def look_again(self) -> None:
        """Look at what happened in the background, or later when another screen is shown."""
        self._is_stale = not self.is_current
        if self._is_stale:
            return
        bench = self.bench
        self.delays.after("busy", BUSY_AFTER_SECONDS, self._glance)
        run_in_thread(
            self,
            lambda: messages.TimelineLoaded(load_timeline(bench.store, bench.archive, bench.index)),
            "look",
            messages.TimelineLoaded,
        )

    def on_screen_resume(self) -> None:
        """Look at what changed while another screen was shown."""
        if self._is_stale:
            self.look_again()

    def _glance(self) -> None:
        """Show what is soon known while the rest takes its time."""
        if not self.time_tree.items:
            self.time_tree.show((), plain_text("loading …"))
            run_in_thread(
                self, lambda: messages.TimelineLoaded(recent_summary(self.bench.store), is_whole=False), "glance"
            )

    @on(messages.TimelineLoaded)
    def _timeline_read(self, message: messages.TimelineLoaded) -> None:
        if self._is_whole and not message.is_whole:
            return
        self.delays.stop("busy")
        self._is_whole = message.is_whole
        if isinstance(message.timeline, DisplayError):
            self.host.complain(message.timeline)
            return
        today = self.bench.store.now().date()
        self.heat.show(message.timeline.days, today)
        self.time_tree.take(message.timeline, today, is_whole=message.is_whole)
        self.follow()

    @on(RowList.Moved, "#tree")
    @on(DescendantFocus)
    def follow(self) -> None:
        """Have everything beside the cursor that leads say what is under it."""
        heat, node = self.heat, self.current
        self.time_tree.is_led = heat.has_focus
        if heat.has_focus:
            heat.point(heat.cursor)
        elif node is not None and node.first and node.last:
            known = self.time_tree.timeline.within(node.first, node.last)
            heat.point(known[0].date if known else node.first, (node.first, node.last))
        self._say_where()
        self._show(node)
        self.refresh_bindings()

    def _show(self, node: TimelineNode | None) -> None:
        if node is not None and node.item is not None:
            (self.evidence.show_page if node.is_page else self.evidence.show_session)(node.item)
        elif node is not None:
            self.evidence.show_words(node_name(node), node_page(node))
        elif self.heat.has_focus:
            self.evidence.show_words(format_day(self.heat.cursor), empty_day_page(self.heat.cursor, self.heat.today))
        else:
            self.evidence.follow(None, None)

    def _say_where(self) -> None:
        """Say in the border of the map what the pointer or the cursor is on."""
        heat, days = self.heat, self.time_tree.timeline.days
        heat.border_title = f"{heat.first:%b %Y} – {heat.last:%b %Y}"
        node = self.time_tree.current
        if self._hovered is None and not heat.has_focus and node is not None and node.kind in ("month", "week"):
            heat.border_subtitle = plain_text(f"{node_name(node)} · {node_totals(node)}")
            return
        day = self._hovered or heat.cursor
        known = days.get(day)
        what = totals_text(known.count, known.messages) if known else "nothing"
        heat.border_subtitle = plain_text(f"{format_day(day)} · {what}")

    @on(HeatMap.Moved)
    def _day_moved(self, message: HeatMap.Moved) -> None:
        if message.day is not None:
            self.time_tree.lead_to(message.day)
            self.follow()

    @on(HeatMap.Hovered)
    def _day_hovered(self, message: HeatMap.Hovered) -> None:
        self._hovered = message.day
        self._say_where()


class SourcePreview(Preview):
    """What is under the cursor, with its links; until a new page is read those of the old one stay."""

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

    def show_page(self, item: DocumentPointer) -> None:
        """Show a page with what it rests on."""
        self._cites = True
        self.follow(item, None)

    def show_session(self, item: DocumentPointer) -> None:
        """Show a session."""
        self._cites = False
        self.follow(item, None)

    def show_words(self, title: str, words: str) -> None:
        """Show words in place of a page."""
        self._cites = False
        self._link(())
        self.tell(title, words)

    @on(DocumentLoaded)
    def _cite(self, message: DocumentLoaded) -> None:
        source = message.source
        if message.number != self._number:
            return
        if source is None or not self._cites:
            self._link(())
            return
        store = self.bench.store
        run_in_thread(self, lambda: CitationsFound(name_sessions(store, citations(store.layout, source.text))), "cite")

    @on(CitationsFound)
    def _citations_found(self, message: CitationsFound) -> None:
        message.stop()
        if self._cites:
            self._link(message.citations)

    def _link(self, found: tuple[Citation, ...]) -> None:
        self.citations.display = bool(found)
        self.citations.take(found)
        self.citations.border_title = f"cites {len(found)}"
