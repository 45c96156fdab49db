"""The timeline as a tree: month › week › day › session, newest first.

It is a list of the rows that are unfolded, so ten thousand sessions take no more than those that are seen; where
another widget leads the cursor, what is unfolded on its way is folded again behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.features.consolidation.timeline import MemoryTimeline
from recall_tui.tui.screens.timeline.labels import count_text, node_line
from recall_tui.tui.screens.timeline.nodes import (
    NodeKey,
    TimelineNode,
    build_nodes,
    day_key,
    month_key,
    path_to_day,
    week_key,
)
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.widgets.session_row import no_sessions_text

_EMPTY_TIMELINE = MemoryTimeline((), (), ())


class TimelineTree(RowList[TimelineNode]):
    """What happened, by month, week and day."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the selected page or session", id="open_node"),
        Binding("h,left", "fold", "Fold", show=False, tooltip="Fold this, or go to its parent", id="fold"),
        Binding("l,right", "unfold", "Unfold", tooltip="Unfold this, or go to its first child", id="unfold"),
        Binding("g", "screen.go_to_date", "Date", tooltip="Go to a date, in words", id="date"),
        Binding("home", "first", "First row", show=False, id="first_node"),
    ]

    def __init__(self, today: date, *, fills_itself: bool = True) -> None:
        super().__init__(id="tree", classes="panel")
        self._empty = no_sessions_text("by day", fills_itself=fills_itself)
        self.today = today
        self.timeline = _EMPTY_TIMELINE
        self.border_title = "Timeline"
        self._opened: set[NodeKey] = set()
        """What the person unfolded."""
        self._way: frozenset[NodeKey] = frozenset()
        """What is unfolded for the day that another widget leads to."""
        self._began: NodeKey | None = None
        """Where the cursor was put at first."""
        self._is_whole = False

    def take(self, timeline: MemoryTimeline, today: date, *, is_whole: bool = True) -> None:
        """Show what is known now; the cursor stays, at first it is on the newest day."""
        self.timeline, self.today = timeline, today
        words = "\n".join(("Nothing could be read.", *timeline.troubles)) if timeline.troubles else self._empty
        self.border_subtitle = plain_text(plain_line(" · ".join(_border_text(timeline))))
        is_untouched = self.current is None or self.current.key == self._began
        if timeline.days and (self._began is None or (is_untouched and not self._is_whole)):
            newest = next(iter(timeline.days))
            self._began = day_key(newest)
            self.stand_on(newest)
        self._is_whole = is_whole
        self._lay_out(plain_text(words))

    def _lay_out(self, empty: Content | None = None) -> None:
        self.show(build_nodes(self.timeline, self._opened | self._way), empty)

    def lead_to(self, day: date) -> None:
        """Go to a day, or to what is nearest to it in the tree; what is unfolded for that is folded again later."""
        self._way = path_to_day(day)
        self._stand_on(day)

    def stand_on(self, day: date) -> None:
        """Go to a day and unfold what it lies in."""
        self._opened |= path_to_day(day)
        self._way = frozenset()
        self._stand_on(day)

    def stand_on_key(self, key: NodeKey) -> bool:
        """Go to a row that is there when its month is unfolded; whether there is one."""
        if key[:1] == ("week",):
            self._opened.add(("month", *key[1:3]))
        self._lay_out()
        place = next((place for place, node in enumerate(self.items) if node.key == key), None)
        if place is not None:
            self.cursor = place
        return place is not None

    def keep_way(self) -> None:
        """Leave unfolded what was unfolded on the way: the person goes on from here."""
        self._opened |= self._way
        self._way = frozenset()

    def _stand_on(self, day: date) -> None:
        self._lay_out()
        places = {node.key: place for place, node in enumerate(self.items)}
        keys = (day_key(day), week_key(day), month_key(day))
        before = (place for place, node in enumerate(self.items) if node.first is not None and node.first <= day)
        nearest = next(before, max(0, len(self.items) - 1))
        self.cursor = next((places[key] for key in keys if key in places), nearest)

    def draw(self, item: TimelineNode, width: int) -> Content:
        """A row."""
        return node_line(item, width, self.today)

    def key_of(self, item: TimelineNode) -> object:
        """The day, or what it is besides."""
        return item.key

    def action_open(self) -> None:
        """Open what is under the cursor; what has no page of its own is unfolded or folded."""
        node = self.current
        if node is not None and node.item is None:
            self._turn(node)
        else:
            super().action_open()

    def action_fold(self) -> None:
        """Fold what is under the cursor, or go to what it lies in."""
        node = self.current
        if node is None:
            return
        if node.is_open:
            self._turn(node)
        elif node.parent:
            self.cursor = next(place for place, one in enumerate(self.items) if one.key == node.parent)

    def action_unfold(self) -> None:
        """Unfold what is under the cursor, or go to the first thing in it."""
        node = self.current
        if node is None or node.is_open is None:
            return
        if node.is_open:
            self.cursor += 1
        else:
            self._turn(node)

    def _turn(self, node: TimelineNode) -> None:
        if node.is_open is None:
            return
        self.keep_way()
        self._opened ^= {node.key}
        self._lay_out()
        self.call_after_refresh(self._show_children)

    def _show_children(self) -> None:
        """Scroll until what was unfolded below the cursor is seen, as far as there is room for it."""
        node, last = self.current, self.cursor
        if node is None:
            return
        while last + 1 < len(self.items) and self.items[last + 1].depth > node.depth:
            last += 1
        height = self.scrollable_content_region.height
        top = min(self.cursor, last + 1 - height)
        if top > self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what holds something can be unfolded, and only what is unfolded or in something folded."""
        node = self.current
        if action == "fold":
            return node is not None and bool(node.is_open or node.parent)
        if action == "unfold":
            return node is not None and node.is_open is not None
        return super().check_action(action, parameters)

    def on_click(self, event: events.Click) -> None:
        """Go to the row under the pointer; its mark unfolds or folds it, a second click opens it."""
        index = event.y - self.gutter.top + self.scroll_offset.y
        if not 0 <= index < len(self.items):
            return
        event.prevent_default()
        node = self.items[index]
        mark = 1 + 2 * node.depth
        self.cursor = index
        if mark <= event.x - self.gutter.left <= mark + 1:
            self._turn(node)
        elif event.chain > 1:
            self.action_open()


def _border_text(timeline: MemoryTimeline) -> Iterator[str]:
    """What the border says of it all; what could not be read stands in place of the days."""
    if timeline.troubles:
        more = f" and {len(timeline.troubles) - 1} more" if len(timeline.troubles) > 1 else ""
        yield f"▲ {timeline.troubles[0]}{more}"
    if timeline.count or timeline.months:
        yield count_text(timeline.count, "session")
        if not timeline.troubles:
            yield count_text(len(timeline.days), "day")
    if behind := timeline.standing("due", "behind"):
        yield f"▲ {behind} due"
    if waiting := timeline.standing("waits"):
        yield f"● {waiting} in review"
