"""The line above every screen: the program, its screens, the memory's path and its health.

It shows the app's state and does no I/O.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from recall_tui.domain import HealthReport
from recall_tui.tui.screen_table import SCREENS
from recall_tui.tui.text import plain_text

HEALTH_SIGNS = {"healthy": ("● ", "$success"), "degraded": ("▲ ", "$warning"), "down": ("■ ", "$error")}
"""The sign and colour of each level; the word is next to it."""

MAX_LEVEL_CELLS = 10
"""The cells of the longest sign and word of health, which are always reserved."""
MAX_BADGE = 9
"""The most proposals that the badge of Review counts in one cell; more are a `+`."""
MIN_PATH_CELLS = 9
"""The minimum cells in which the end of a path still identifies the memory."""


class TopBar(Static):
    """The top line, re-rendered when a part of it changes."""

    health: reactive[HealthReport | None] = reactive(None)
    busy = reactive("")
    proposals = reactive(0)
    """Proposals that wait in Review."""

    class TabClicked(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, here: str, memory: str) -> None:
        super().__init__()
        self._here = here
        self._memory = memory

    def watch_health(self, health: HealthReport | None) -> None:
        """Show the reasons as a tooltip."""
        self.tooltip = plain_text("\n".join(health.reasons)) if health and health.reasons else None

    def render(self) -> Content:
        """Render the line; a path that does not fit is cut from the left."""
        width = self.content_size.width
        left = self._tabs(width - MAX_LEVEL_CELLS - 3)
        right = self._health(width - left.cell_length - 4)
        room = max(0, width - left.cell_length - right.cell_length - 4)
        path = self._memory if len(self._memory) <= room else "…" + self._memory[len(self._memory) - room + 1 :]
        memory = Content(path if room >= MIN_PATH_CELLS else "").stylize("$text-muted")
        after = "  " if memory.plain else ""
        gap = width - left.cell_length - memory.cell_length - len(after) - right.cell_length - 1
        return Content.assemble(left, " " * max(1, gap), memory, after, right, " ")

    def on_click(self, event: events.Click) -> None:
        """Show the screen whose tab was clicked; a click on the health opens Health."""
        width, x = self.content_size.width, event.x
        tabs = self._tabs(width - MAX_LEVEL_CELLS - 3)
        name = next((name for start, end, name in self._tab_places(tabs.plain) if start <= x < end), "")
        if not name and x >= width - MAX_LEVEL_CELLS - 1:
            name = "health"
        if name:
            self.post_message(TopBar.TabClicked(name))

    def _tab_places(self, line: str) -> Iterator[tuple[int, int, str]]:
        """Yield the first cell of each tab, the cell after it, and its screen."""
        at = 0
        for screen in SCREENS:
            start = line.index(str(screen.number), at)
            at = start + 1
            following = line.find(str(screen.number + 1), at)
            end = len(line) if following < 0 else following
            yield start, start + len(line[start:end].rstrip()), screen.name
            at = end

    def _tabs(self, room: int) -> Content:
        """Render the program and its screens; in less space first the program's name is dropped, then the titles."""
        brand = Content.assemble((" recall-tui ", "bold $accent"))
        for head, gap in ((brand, "  "), (Content(""), "  "), (Content(""), " ")):
            tabs = self._joined(head, gap, has_titles=True)
            if tabs.cell_length <= room:
                return tabs
        return self._joined(Content(""), " ", has_titles=False)

    def _joined(self, head: Content, gap: str, *, has_titles: bool) -> Content:
        line = head
        for screen in SCREENS:
            is_here = screen.name == self._here
            words = f"{screen.number} {screen.title}" if has_titles or is_here else str(screen.number)
            if screen.name == "review" and self.proposals:
                words += f"·{self.proposals if self.proposals <= MAX_BADGE else '+'}"
            line = Content.assemble(line, gap, (words, "bold" if is_here else "$text-muted"))
        return line

    def _health(self, room: int) -> Content:
        if self.busy:
            # The amount done matters more than the label; the screens beside it stay where they are.
            short = self.busy.partition(" · ")[0]
            forms = (self.busy, short, short.rpartition("indexing ")[2])
            words = next((form for form in forms if len(form) + 2 <= room), forms[-1])
            return Content(f"◌ {words}").stylize("$text-muted")
        if self.health is None:
            return Content("")
        if self.health.is_new:
            return Content("○ new").stylize("$text-muted")
        mark = HEALTH_SIGNS[self.health.level]
        return Content.assemble(mark, (self.health.level, "" if self.health.level == "healthy" else mark[1]))
