"""Timeline: what happened when, and the keys that lead from a day to what was written and said on it.

Nothing is changed here; every key goes somewhere, opens or copies.
"""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from recall_tui.domain import Hit
from recall_tui.features.consolidation.timeline import TimelineMonth, TimelineWeek, propose_period
from recall_tui.features.documents.citations import Citation, citations
from recall_tui.features.documents.session_label import name_sessions
from recall_tui.search.time.interpret import TimeConstraint, closed_range
from recall_tui.tui import messages
from recall_tui.tui.document_pointer import DocumentPointer, Item, document_reference
from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.screens.timeline.heat_map import HeatMap
from recall_tui.tui.screens.timeline.labels import format_day, format_when, node_name, page_status
from recall_tui.tui.screens.timeline.nodes import month_key, week_key
from recall_tui.tui.screens.timeline.panels import TimelinePanels
from recall_tui.tui.screens.timeline.report_modal import ReportModal, ReportReady, make_report
from recall_tui.tui.widgets.preview import PreviewView
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.workers import run_in_thread


class TimelineScreen(TimelinePanels):
    """The days of a memory."""

    NAME = "timeline"
    SHEET = "timeline.tcss"
    AUTO_FOCUS = "#tree"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "go_to_date", "Date", tooltip="Go to a date, in words", id="date"),
        Binding("c", "cite", "Links", tooltip="Go to the sources of this page", id="links"),
        Binding(
            "<", "year(-1)", "Previous year", show=False, tooltip="The previous year with entries", id="year_before"
        ),
        Binding(">", "year(1)", "Next year", show=False, tooltip="The next year with entries", id="next_year"),
        Binding("w", "propose", "Write", tooltip="Propose the page of this week or month, for Review", id="propose"),
        Binding("S", "report", "Report", tooltip="Report the work of a day, a week or a month", id="report"),
        Binding("y", "copy", "Copy", tooltip="Copy the summary with its source", id="copy_from_timeline"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the file in $EDITOR", id="edit_from_timeline"),
    ]

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
            self.host.say(f"No entries in any year {'after' if by > 0 else 'before'} this one")
            return
        if self.heat.has_focus:
            self.heat.point(day)
            self.time_tree.lead_to(day)
            self.follow()
        else:
            self.time_tree.stand_on(day)

    def action_go_to_date(self) -> None:
        """Ask for a date in words."""
        from recall_tui.tui.screens.timeline.date_modal import DateModal

        def meant(days: TimeConstraint | None) -> None:
            if days is not None:
                self._go_to(days)

        if self.is_active:
            self.app.push_screen(DateModal(self.time_tree.timeline, self.bench.store.now()), meant)

    def _go_to(self, meant: TimeConstraint) -> None:
        """Go to the days that were meant, or to the nearest of which something is known, and say so."""
        first, last = closed_range(meant)
        known = self.time_tree.timeline.within(first, last)
        self.time_tree.focus()
        if known and meant.grain in ("month", "week"):
            key = month_key if meant.grain == "month" else week_key
            if self.time_tree.stand_on_key(key(known[0].date)):
                return
        # Of what is said to begin then, the beginning is meant.
        day = known[-1 if meant.end is None else 0].date if known else self.time_tree.timeline.nearest(first, last)
        if day is None:
            self.host.say("No entries yet")
            return
        if not known:
            self.host.say(f"Nothing {format_when(meant)}; the nearest is {format_day(day)}")
        self.time_tree.stand_on(day)

    @on(RowList.Opened, "#tree")
    @on(PreviewView.Opened)
    def _opened(self) -> None:
        if self.item is not None:
            self._read(self.item)

    def _read(self, item: Item) -> None:
        from recall_tui.tui.screens.reader.screen import ReaderScreen

        # A second key may come before the first one's screen is there.
        if self.is_active:
            self.app.push_screen(ReaderScreen(self.bench, item, None))

    @on(RowList.Opened, "#citations")
    def _cited_opened(self, message: RowList.Opened) -> None:
        if isinstance(message.rows.current, Citation):
            self._follow_link(message.rows.current)

    def _follow_link(self, cited: Citation) -> None:
        if cited.day is not None:
            self._go_to(TimeConstraint(cited.day, cited.day, "day", (0, 0)))
        elif cited.lines is None:
            self._read(DocumentPointer(cited.reference, cited.words))
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
            run_in_thread(
                self,
                lambda: messages.CitationsFound(
                    name_sessions(bench.store, citations(bench.layout, bench.document(reference).text))
                ),
                "cite",
            )

    @on(messages.CitationsFound)
    def _citations_found(self, message: messages.CitationsFound) -> None:
        from recall_tui.tui.screens.timeline.citations_modal import CitationsModal

        def chosen(cited: Citation | None) -> None:
            if cited is not None:
                self._follow_link(cited)

        if self.is_active and self.current is not None:
            self.app.push_screen(CitationsModal(node_name(self.current), message.citations), chosen)

    def action_propose(self) -> None:
        """Put the page of the week or month under the cursor into review."""
        thing = self.current.thing if self.current is not None else None
        if isinstance(thing, TimelineWeek | TimelineMonth):
            store, key = self.bench.store, thing.key

            def propose() -> messages.PageProposed:
                put = propose_period(store, key)
                return messages.PageProposed(put.title if put is not None else "")

            run_in_thread(self, propose, "propose")

    @on(messages.PageProposed)
    def _page_proposed(self, message: messages.PageProposed) -> None:
        review = key_label(self.bench, "review", "5")
        self.host.say(
            f"In Review: {message.title}   {review} opens it"
            if message.title
            else "Nothing to propose: it was reviewed before, or is up to date"
        )
        self.look_again()

    def action_report(self) -> None:
        """Work out what was done since yesterday, or in the week or month under the cursor, and show it."""
        node, bench = self.current, self.bench
        run_in_thread(self, lambda: make_report(bench, node), "report")

    @on(ReportReady)
    def _report_made(self, message: ReportReady) -> None:
        if not message.count:
            self.host.say(f"{message.span}: no archived session")
        elif self.is_active:
            self.app.push_screen(ReportModal(message, self._copy_report))

    def _copy_report(self, text: str) -> None:
        self.host.copy_to_clipboard(text)
        self.host.say("Copied the report as Markdown")

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only a week or a month of which something is to be done can be proposed."""
        if action != "propose" or not self.is_mounted:
            return super().why_not(action, parameters)
        thing = self.current.thing if self.current is not None else None
        if not isinstance(thing, TimelineWeek | TimelineMonth):
            return "Select a week or a month first"
        first = "the pages of its weeks come first" if isinstance(thing, TimelineMonth) else "the week is not over"
        words = {"waits": "Its page is in Review already", "": f"Its page is up to date, or {first}"}
        return words.get(thing.standing, "")

    def action_copy(self) -> None:
        """Copy what is under the cursor."""
        if self.item is not None:
            self.host.copy_passage(self.item)

    def action_edit(self) -> None:
        """Open the file under the cursor in the editor."""
        if (item := self.item) is not None:
            self.host.edit(lambda: self.bench.document(document_reference(item)).path, 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a document under the cursor, links, or another year, is not offered without it."""
        if not self.is_mounted:
            return True
        if action in ("copy", "edit"):
            return self.item is not None
        if action == "propose":
            return self.current is not None and page_status(self.current) in ("due", "behind")
        if action == "cite":
            node = self.current
            return node is not None and node.is_page and (not self.evidence.display or self.evidence.citations.display)
        if action == "year":
            return self.heat.has_other_year()
        return True
