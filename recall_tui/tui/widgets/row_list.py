"""A list of one-line rows with a cursor.

Only the visible rows are rendered, so ten rows and ten thousand take the same time; the cursor stays on its item when
the rows change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from recall_tui.storage.state.saved_searches import SavedSearch
from recall_tui.tui.keys.keymap import ExplainsDisabledKeys
from recall_tui.tui.text import highlight, line_strip, plain_line

T = TypeVar("T")
END_ROWS = 5
"""The last rows that count as the end."""
NO_ROW = "Nothing is selected"
_MAX_EMPTY_CELLS = 64
"""The widest line of the message in the middle of an empty list."""


class RowList(ExplainsDisabledKeys, ScrollView, Generic[T], can_focus=True, inherit_bindings=False):
    """Rows of one kind; a subclass defines their rendering and identity."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the selected row", id="open"),
        Binding("down,j", "move(1)", "Next row", show=False, id="next_row"),
        Binding("up,k", "move(-1)", "Previous row", show=False, id="previous_row"),
        Binding("pagedown", "page(1)", "Next page", show=False, id="next_page"),
        Binding("pageup", "page(-1)", "Previous page", show=False, id="previous_page"),
        Binding("home,g", "first", "First row", show=False, id="first_row"),
        Binding("end,G", "last", "Last row", show=False, id="last_row"),
    ]
    LEFT_OUT = frozenset(("open",))
    HEAD_ROWS: ClassVar[int] = 0
    """1 for a list with names above its columns; they stay in view."""
    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--cursor", "rows--empty"}

    cursor = reactive(0, repaint=True)
    is_led = reactive(False)
    """Another, focused widget moves the cursor, so the bar is shown without focus here."""

    class FromRows(Message):
        """A message of a list."""

        def __init__(self, rows: RowList[Any]) -> None:
            super().__init__()
            self.rows = rows

        @property
        def control(self) -> RowList[Any]:
            """Return the list that sent the message."""
            return self.rows

    class Moved(FromRows):
        """The cursor moved to another row or another item."""

    class Opened(FromRows):
        """The row under the cursor was opened."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.items: Sequence[T] = ()
        self.empty = Content("")
        self.head_rows = 0
        """The rows above the items."""
        self._wished = ""
        """The key of the item that the cursor moves to once it is shown."""

    def draw(self, item: T, width: int) -> Content:
        """Render a row of at most `width` cells."""
        raise NotImplementedError

    def draw_at(self, index: int, width: int) -> Content:
        """Render the row of an item in its place among the others."""
        return self.draw(self.items[index], width)

    def heads(self, width: int) -> Content:
        """Render the names of the columns; only asked for when `HEAD_ROWS` is 1."""
        raise NotImplementedError

    def key_of(self, item: T) -> object:
        """Return the item's identity across reloads."""
        raise NotImplementedError

    @property
    def current(self) -> T | None:
        """Return the item under the cursor."""
        return self.items[self.cursor] if 0 <= self.cursor < len(self.items) else None

    @property
    def key(self) -> str:
        """Return the key of the current or requested item; empty when there is none."""
        return self._wished or (str(self.key_of(self.current)) if self.current is not None else "")

    def wish(self, key: str) -> None:
        """Move the cursor to the item with this key once it is shown, unless the cursor is moved before."""
        self._wished = key
        self.show(self.items)

    def show(self, items: Sequence[T], empty: Content | None = None, *, keep: bool = True) -> None:
        """Show other rows; with `keep` the cursor stays on its item if that is still there."""
        was = self.current
        key = self.key_of(was) if was is not None and keep else None
        before, above = self.cursor, self.scroll_offset.y
        self.items = items
        if empty is not None:
            self.empty = empty
        self.head_rows = self.HEAD_ROWS if items else 0
        self.virtual_size = Size(0, len(items) + self.head_rows)
        wished = self._place_of_wish()
        place = wished if wished is not None else self._place_of(key) if key is not None else 0
        self.set_reactive(RowList.cursor, place)
        if wished is not None:
            self.call_after_refresh(self._scroll_to_cursor)
        elif above and keep:
            self.scroll_to(y=above + place - before, animate=False, force=True)
        elif not keep:
            self.scroll_to(y=0, animate=False, force=True)
        # Only a list whose height depends on its rows affects the layout around it.
        self.refresh(layout=self.styles.auto_dimensions)
        self.refresh_bindings()
        now = self.current
        if (self.key_of(now) if now is not None else None) != key or not keep:
            self.post_message(self.Moved(self))

    def _place_of_wish(self) -> int | None:
        places = (at for at, item in enumerate(self.items) if str(self.key_of(item)) == self._wished)
        place = next(places, None) if self._wished else None
        if place is not None:
            self._wished = ""
        return place

    def _place_of(self, key: object) -> int:
        for place, item in enumerate(self.items):
            if self.key_of(item) == key:
                return place
        return max(0, min(self.cursor, len(self.items) - 1))

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor within the rows."""
        return max(0, min(cursor, len(self.items) - 1))

    def watch_cursor(self) -> None:
        """Scroll to the cursor and post `Moved`."""
        self._wished = ""
        self._scroll_to_cursor()
        self.post_message(self.Moved(self))

    def _scroll_to_cursor(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1 + self.head_rows), animate=False, force=True)

    def on_resize(self) -> None:
        """Keep the cursor in sight: no key may act on a row that is not."""
        self.call_after_refresh(self._scroll_to_cursor)

    def render_line(self, y: int) -> Strip:
        """Render a line of the screen."""
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y - self.head_rows
        if not self.items:
            return self._empty_line(y, width)
        if y < self.head_rows:
            return line_strip(self.heads(width), width, self.visual_style)
        if index >= len(self.items):
            return Strip.blank(width, self.visual_style.rich_style)
        style = self.visual_style
        if index == self.cursor and (self.has_focus or self.is_led):
            style = self.get_visual_style("rows--cursor")
        line = self.draw_at(index, width)
        return line_strip(line.truncate(max(0, width), ellipsis=True), width, style)

    def _empty_line(self, y: int, width: int) -> Strip:
        style = self.get_visual_style("rows--empty")
        lines = self._empty_lines(width)
        row = y - max(0, self.scrollable_content_region.height - len(lines)) // 2
        if not 0 <= row < len(lines):
            return Strip.blank(width, style.rich_style)
        indent = max(1, (width - max(line.cell_length for line in lines)) // 2)
        return line_strip(Content.assemble(" " * indent, lines[row]), width, style)

    def _empty_lines(self, width: int) -> list[Content]:
        return self.empty.wrap(min(max(1, width - 2), _MAX_EMPTY_CELLS))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of rows, or of the lines of the empty message."""
        return len(self.items) + self.head_rows or len(self._empty_lines(width))

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Explain that nothing can be opened in an empty list."""
        return NO_ROW if action == "open" and self.current is None else ""

    def action_move(self, by: int) -> None:
        """Move the cursor by rows."""
        self.cursor += by

    def action_page(self, by: int) -> None:
        """Move the cursor by pages."""
        self.cursor += by * max(1, self.scrollable_content_region.height - 1 - self.head_rows)

    def action_first(self) -> None:
        """Move to the first row."""
        self.cursor = 0

    def action_last(self) -> None:
        """Move to the last row."""
        self.cursor = len(self.items) - 1

    def action_open(self) -> None:
        """Open the item under the cursor."""
        if self.current is not None:
            self.post_message(self.Opened(self))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the pointer; a second click opens the row."""
        row = event.y - self.gutter.top
        index = row + self.scroll_offset.y - self.head_rows
        if row < self.head_rows or not 0 <= index < len(self.items):
            return
        if event.chain > 1:
            self.action_open()
        self.cursor = index


_MUTED = "$text-muted"


def search_line(search: SavedSearch, pattern: re.Pattern[str] | None, width: int) -> Content:
    """Render `◆ auth history   why did we pick jwt`; a recent search has no name and no mark."""
    question = plain_line(search.question)
    if not search.name:
        return Content.assemble("   ", highlight(Content(question), pattern).truncate(max(0, width - 4), ellipsis=True))
    name = highlight(Content(plain_line(search.name)), pattern).truncate(max(0, width // 3), ellipsis=True)
    room = max(0, width - name.cell_length - 7)
    words = highlight(Content(question), pattern).truncate(room, ellipsis=True)
    return Content.assemble(" ", ("◆ ", "$accent"), name.stylize("bold"), "   ", words.stylize_before(_MUTED))
