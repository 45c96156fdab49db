"""Timeline: what happened when, as a year of days, a tree of months, weeks, days, sessions, and what is kept of each.

The map and the tree stand on the same day; the one that has the focus leads, and what stands beside them follows.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import DescendantFocus

from recall_tui.domain import Hit
from recall_tui.lifecycle.citations import Citation, citations
from recall_tui.lifecycle.timeline import glance, timeline
from recall_tui.search.day_words import bounds
from recall_tui.search.when import When
from recall_tui.tui import messages
from recall_tui.tui.reading import Item, Pointer, reference_of
from recall_tui.tui.screens.page import Page
from recall_tui.tui.seen import Trouble
from recall_tui.tui.tending import BUSY_AFTER
from recall_tui.tui.text import plain
from recall_tui.tui.time_lines import day_name, empty_day_page, name_of, page_of, sums, sums_of, when_name
from recall_tui.tui.time_nodes import Node, day_node, month_key, week_key
from recall_tui.tui.widgets.evidence import Evidence
from recall_tui.tui.widgets.heat_map import HeatMap
from recall_tui.tui.widgets.preview import PreviewView
from recall_tui.tui.widgets.rows import Rows
from recall_tui.tui.widgets.time_tree import TimeTree
from recall_tui.tui.work import Delays, in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class Timeline(Page):
    """The days of a memory."""

    NAME = "timeline"
    SHEET = "timeline.tcss"
    AUTO_FOCUS = "#tree"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "go_to_date", "Date", tooltip="Go to a date, in words", id="date"),
        Binding("c", "cite", "Links", tooltip="Go to what this page rests on", id="links"),
        Binding(
            "<", "year(-1)", "Year before", show=False, tooltip="The year before that holds something", id="year_before"
        ),
        Binding(">", "year(1)", "Next year", show=False, tooltip="The next year that holds something", id="next_year"),
        Binding("y", "copy", "Copy", tooltip="Copy the summary with where it is from", id="copy_from_timeline"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the file in $EDITOR", id="edit_from_timeline"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.delays = Delays(self)
        self._is_stale = self._is_whole = False
        self._hovered: date | None = None

    def panels(self) -> ComposeResult:
        """The year above, the tree and what is kept below."""
        today = self.bench.store.now().date()
        yield HeatMap(today)
        with Horizontal(id="sides"):
            yield TimeTree(today)
            yield Evidence(self.bench)

    def on_mount(self) -> None:
        """Look at what happened, now and whenever something else can be found."""
        self.host.index_changed.subscribe(self, lambda _: self.look_again())
        self.look_again()

    @property
    def heat(self) -> HeatMap:
        """The year."""
        return self.query_one(HeatMap)

    @property
    def time_tree(self) -> TimeTree:
        """The months, weeks, days and sessions."""
        return self.query_one(TimeTree)

    @property
    def evidence(self) -> Evidence:
        """What is kept of what is under the cursor."""
        return self.query_one(Evidence)

    @property
    def current(self) -> Node | None:
        """What is under the cursor that leads; None on a day of which nothing is known."""
        if not self.heat.has_focus:
            return self.time_tree.current
        day = self.time_tree.timeline.days.get(self.heat.cursor)
        return day_node(day) if day else None

    @property
    def item(self) -> Pointer | None:
        """The document under the cursor that leads."""
        return self.current.item if self.current is not None else None

    def look_again(self) -> None:
        """Look at what happened in the background, or later when another screen is shown."""
        self._is_stale = not self.is_current
        if self._is_stale:
            return
        bench = self.bench
        self.delays.after("busy", BUSY_AFTER, self._glance)
        in_thread(
            self,
            lambda: messages.TimelineRead(timeline(bench.store, bench.archive, bench.index)),
            "look",
            messages.TimelineRead,
        )

    def on_screen_resume(self) -> None:
        """Look at what changed while another screen was shown."""
        if self._is_stale:
            self.look_again()

    def _glance(self) -> None:
        """Show what is soon known while the rest takes its time."""
        if not self.time_tree.items:
            self.time_tree.show((), plain("looking …"))
            in_thread(self, lambda: messages.TimelineRead(glance(self.bench.store), is_whole=False), "glance")

    @on(messages.TimelineRead)
    def _timeline_read(self, message: messages.TimelineRead) -> None:
        if self._is_whole and not message.is_whole:
            return
        self.delays.stop("busy")
        self._is_whole = message.is_whole
        if isinstance(message.timeline, Trouble):
            self.host.complain(message.timeline)
            return
        today = self.bench.store.now().date()
        self.heat.show(message.timeline.days, today)
        self.time_tree.take(message.timeline, today)
        self._follow()

    @on(Rows.Moved, "#tree")
    @on(DescendantFocus)
    def _follow(self) -> None:
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

    def _show(self, node: Node | None) -> None:
        if node is not None and node.item is not None:
            (self.evidence.show_page if node.is_page else self.evidence.show_session)(node.item)
        elif node is not None:
            self.evidence.show_words(name_of(node), page_of(node))
        elif self.heat.has_focus:
            self.evidence.show_words(day_name(self.heat.cursor), empty_day_page(self.heat.cursor, self.heat.today))
        else:
            self.evidence.follow(None, None)

    def _say_where(self) -> None:
        """Say in the border of the map what the pointer or the cursor is on."""
        heat, days = self.heat, self.time_tree.timeline.days
        heat.border_title = f"{heat.first:%b %Y} – {heat.last:%b %Y}"
        node = self.time_tree.current
        if self._hovered is None and not heat.has_focus and node is not None and node.kind in ("month", "week"):
            heat.border_subtitle = plain(f"{name_of(node)} · {sums_of(node)}")
            return
        day = self._hovered or heat.cursor
        known = days.get(day)
        what = sums(known.count, known.messages) if known else "nothing"
        heat.border_subtitle = plain(f"{day_name(day)} · {what}")

    @on(HeatMap.Moved)
    def _day_moved(self, message: HeatMap.Moved) -> None:
        if message.day is not None:
            self.time_tree.lead_to(message.day)
            self._follow()

    @on(HeatMap.Hovered)
    def _day_hovered(self, message: HeatMap.Hovered) -> None:
        self._hovered = message.day
        self._say_where()

    @on(HeatMap.Opened)
    def _day_opened(self, message: HeatMap.Opened) -> None:
        if message.day is not None:
            self._go_to_day(message.day)

    def _go_to_day(self, day: date) -> None:
        self.time_tree.focus()
        self.time_tree.stand_on(day)

    def action_year(self, by: int) -> None:
        """Go to the year before or after of which something is known, near to where this day stands in its own."""
        day = self.heat.in_other_year(by)
        if day is None:
            self.host.say(f"Nothing is known of any year {'after' if by > 0 else 'before'} this one")
            return
        if self.heat.has_focus:
            self.heat.point(day)
            self.time_tree.lead_to(day)
            self._follow()
        else:
            self.time_tree.stand_on(day)

    def action_go_to_date(self) -> None:
        """Ask for a date in words."""
        from recall_tui.tui.screens.date_words import DateWords

        def meant(days: When | None) -> None:
            if days is not None:
                self._go_to(days)

        if self.is_active:
            self.app.push_screen(DateWords(self.time_tree.timeline, self.bench.store.now()), meant)

    def _go_to(self, meant: When) -> None:
        """Go to the days that were meant, or to the nearest of which something is known, and say so."""
        first, last = bounds(meant)
        known = self.time_tree.timeline.within(first, last)
        self.time_tree.focus()
        if known and meant.grain in ("month", "week"):
            key = month_key if meant.grain == "month" else week_key
            if self.time_tree.stand_on_key(key(known[0].date)):
                return
        # Of what is said to begin then, the beginning is meant.
        day = known[-1 if meant.end is None else 0].date if known else self.time_tree.timeline.nearest(first, last)
        if day is None:
            self.host.say("Nothing is known of any day yet")
            return
        if not known:
            self.host.say(f"Nothing on {when_name(meant)}; the nearest is {day_name(day)}")
        self.time_tree.stand_on(day)

    @on(Rows.Opened, "#tree")
    @on(PreviewView.Opened)
    def _opened(self) -> None:
        if self.item is not None:
            self._read(self.item)

    def _read(self, item: Item) -> None:
        from recall_tui.tui.screens.reader import Reader

        # A second key may come before the first one's screen is there.
        if self.is_active:
            self.app.push_screen(Reader(self.bench, item, None))

    @on(Rows.Opened, "#citations")
    def _cited_opened(self, message: Rows.Opened) -> None:
        if isinstance(message.rows.current, Citation):
            self._follow_link(message.rows.current)

    def _follow_link(self, cited: Citation) -> None:
        if cited.day is not None:
            self._go_to(When(cited.day, cited.day, "day", (0, 0)))
        elif cited.lines is None:
            self._read(Pointer(cited.reference, cited.words))
        else:
            self._read(Hit("", cited.reference, "", "raw", cited.words, 0.0, "", cited.lines))

    def action_cite(self) -> None:
        """Go to the links of the page; where they have no room, ask for one of them."""
        if self.evidence.display:
            self.evidence.citations.focus()
            return
        node, bench = self.current, self.bench
        if node is not None and node.item is not None:
            reference = node.item.reference
            in_thread(
                self, lambda: messages.CitationsFound(citations(bench.layout, bench.document(reference).text)), "cite"
            )

    @on(messages.CitationsFound)
    def _citations_found(self, message: messages.CitationsFound) -> None:
        from recall_tui.tui.screens.links import Links

        def chosen(cited: Citation | None) -> None:
            if cited is not None:
                self._follow_link(cited)

        if self.is_active and self.current is not None:
            self.app.push_screen(Links(name_of(self.current), message.citations), chosen)

    def action_copy(self) -> None:
        """Copy what is under the cursor."""
        if self.item is not None:
            self.host.copy_passage(self.item)

    def action_edit(self) -> None:
        """Open the file under the cursor in the editor."""
        if (item := self.item) is not None:
            self.host.edit(lambda: self.bench.document(reference_of(item)).path, 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a document under the cursor, links, or another year, is not offered without it."""
        if not self.is_mounted:
            return True
        if action in ("copy", "edit"):
            return self.item is not None
        if action == "cite":
            node = self.current
            return node is not None and node.is_page and (not self.evidence.display or self.evidence.citations.display)
        if action == "year":
            return self.heat.in_other_year(-1) is not None or self.heat.in_other_year(1) is not None
        return True
