"""The sections of MEMORY.md in the order of the file, each with its lines as a bar.

The heaviest is marked, and the bars are measured by it.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from recall_tui.storage.documents.budget import SECTION_LINES
from recall_tui.tui.memory_view import Trouble
from recall_tui.tui.screens.distill.view import Part
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.row_list import Rows

_EMPTY = Content("The sections of MEMORY.md and their lines appear here.")
_UNTITLED = "(before the first heading)"


class PartList(Rows[Part]):
    """The sections in their panel."""

    def __init__(self) -> None:
        super().__init__(id="parts", classes="panel")
        self.border_title = "Sections"
        self._heaviest: Part | None = None
        self._marked: Part | None = None

    def show_parts(self, parts: Sequence[Part] | Trouble) -> None:
        """Show the sections as they are now."""
        if isinstance(parts, Trouble):
            self._heaviest = None
            self.border_subtitle = "▲ unreadable"
            self.show((), plain(str(parts)))
            return
        self._heaviest = max(parts, key=lambda part: part.lines, default=None)
        self.border_subtitle = "▲ heaviest" if self._heaviest else ""
        self.show(parts, _EMPTY)

    def mark(self, line: int) -> None:
        """Mark the section that a line, from 1, stands in, and bring it into view."""
        self._marked = next((part for part in self.items if part.start <= line <= part.end), None)
        if self._marked is not None:
            self.cursor = self.items.index(self._marked)
        self.refresh()

    def draw(self, item: Part, width: int) -> Content:
        """`▲ Debugging   ━━━━━━━━━━╸  38`."""
        title = Content(one_line(item.title) or _UNTITLED)
        name = max(8, min(24, width * 9 // 20))
        number = f"{item.lines:>4}"
        room = max(0, width - name - len(number) - 6)
        bar = _bar(item.lines, self._heaviest.lines if self._heaviest else item.lines, room)
        style = "$warning" if item.lines > SECTION_LINES else "$primary"
        return Content.assemble(
            ("▸" if item is self._marked else " ", "$accent"),
            ("▲ " if item is self._heaviest else "  ", "$warning"),
            title.truncate(name, ellipsis=True).pad_right(max(0, name - title.cell_length)),
            " ", (f"{bar:<{room}}", style), " ", (number, "" if item.lines > SECTION_LINES else "$text-muted"), " ",
        )  # fmt: skip

    def key_of(self, item: Part) -> object:
        """Its title, and which of that title it is."""
        return item.key


def _bar(lines: int, most: int, width: int) -> str:
    halves = max(1, round(lines / max(1, most) * width * 2)) if width else 0
    return "━" * (halves // 2) + "╸" * (halves % 2)
