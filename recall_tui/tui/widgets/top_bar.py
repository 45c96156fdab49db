"""The line above every screen: the program, its screens, which memory this is and how it is.

It shows what the app knows and asks nobody.
"""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from recall_tui.domain import HealthReport
from recall_tui.tui.screens.table import SCREENS
from recall_tui.tui.text import plain

HEALTH = {"healthy": ("● ", "$success"), "degraded": ("▲ ", "$warning"), "down": ("■ ", "$error")}
"""The sign of each level, and its colour; the word stands beside it."""

LEAST_PATH = 9
"""Cells in which the end of a path still says which memory it is."""


class TopBar(Static):
    """One line, made anew when something in it changes."""

    health: reactive[HealthReport | None] = reactive(None)
    busy = reactive("")

    def __init__(self, here: str, memory: str) -> None:
        super().__init__()
        self._here = here
        self._memory = memory

    def watch_health(self, health: HealthReport | None) -> None:
        """Give the reasons to who hovers."""
        self.tooltip = plain("\n".join(health.reasons)) if health and health.reasons else None

    def render(self) -> Content:
        """The line, with the memory's path cut from the left when there is no room."""
        width = self.content_size.width
        right = self._health()
        left = self._tabs(width - right.cell_length - 3)
        room = max(0, width - left.cell_length - right.cell_length - 4)
        path = self._memory if len(self._memory) <= room else "…" + self._memory[len(self._memory) - room + 1 :]
        memory = Content(path if room >= LEAST_PATH else "").stylize("$text-muted")
        gap = width - left.cell_length - memory.cell_length - right.cell_length - 3
        return Content.assemble(left, " " * max(1, gap), memory, "  ", right, " ")

    def _tabs(self, room: int) -> Content:
        """The program and its screens; what does not fit goes: first the program's name, then a gap, then names."""
        for has_name, gap, has_titles in ((True, 2, True), (False, 2, True), (False, 1, True), (False, 1, False)):
            tabs = Content(" ") if not has_name else Content.assemble((" recall-tui ", "bold $accent"), " " * gap)
            for place, screen in enumerate(SCREENS):
                is_here = screen.name == self._here
                words = f"{screen.number} {screen.title}" if has_titles or is_here else str(screen.number)
                style = "bold" if is_here else "$text-muted"
                tabs = Content.assemble(tabs, " " * (gap if place else 0), (words, style))
            if tabs.cell_length <= room:
                break
        return tabs

    def _health(self) -> Content:
        if self.busy:
            return Content(f"◌ {self.busy}").stylize("$text-muted")
        if self.health is None:
            return Content("")
        mark = HEALTH[self.health.level]
        return Content.assemble(mark, (self.health.level, "" if self.health.level == "healthy" else mark[1]))
