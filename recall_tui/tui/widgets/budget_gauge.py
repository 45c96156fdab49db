"""The size of MEMORY.md against its budget, as a bar, a number and a word.

The bar is notched at the ends of sections; no information is conveyed by colour alone.
"""

from __future__ import annotations

from itertools import groupby

from textual import on
from textual.content import Content
from textual.widgets import Static

from recall_tui.tui.app_screen import WIDE_MIN_COLUMNS
from recall_tui.tui.memory_view_model import DisplayError, MemoryView
from recall_tui.tui.messages import SectionsMeasured
from recall_tui.tui.text import plain_text

_STYLES = {"ok": "$success", "watch": "$warning", "full": "$error"}
_MIN_PLACE_CELLS = 9
"""Cells in which the file's name fits."""
_FRAME_CELLS = 8
"""Cells of the border beside its title."""
_MARKS = {"ok": "●", "watch": "▲", "full": "■"}


class BudgetGauge(Static):
    """The bar in its panel."""

    def __init__(self, place: str = "", *, is_shared: bool = False) -> None:
        """`place` is the path of MEMORY.md, shown where the bar above has no room for it."""
        super().__init__(id="memory", classes="panel")
        self._place = place
        self._is_shared = is_shared
        self._seen: MemoryView | DisplayError | None = None
        self._ready: int | None = None
        self._won = 0
        self._lit: tuple[int, int] | None = None

    def show(self, seen: MemoryView | DisplayError) -> None:
        self._seen = seen
        self._name_sections()
        self.refresh()

    def on_mount(self) -> None:
        """Name the file."""
        self._name_file()

    def on_resize(self) -> None:
        """Name the file by its path where the bar above does not."""
        self._name_file()

    def _name_file(self) -> None:
        """Mark a team's memory and sample data as such; a path that does not fit is cut from the left."""
        place = self._place if self._place and self.app.size.width < WIDE_MIN_COLUMNS else "MEMORY.md"
        shared = " · shared with the team" if self._is_shared else ""
        demo = " · demo, sample data" if getattr(self.app, "is_demo", False) else ""
        room = max(_MIN_PLACE_CELLS, self.app.size.width - len(shared) - len(demo) - _FRAME_CELLS)
        shown = place if len(place) <= room else "…" + place[len(place) - room + 1 :]
        self.border_title = plain_text(f"{shown}{shared}{demo}")

    @on(SectionsMeasured)
    def _sections_weighed(self, message: SectionsMeasured) -> None:
        self.show_ready(message.ready)

    def show_ready(self, count: int) -> None:
        """Show the number of sections that are ready to extract."""
        self._ready = count
        self._name_sections()

    def show_won(self, lines: int) -> None:
        """Show the number of lines saved."""
        self._won = lines
        self._name_sections()

    def light(self, lines: tuple[int, int] | None) -> None:
        """Highlight the share of the lines, from 1; None for no highlight."""
        if lines != self._lit:
            self._lit = lines
            self.refresh()

    def _name_sections(self) -> None:
        if not isinstance(self._seen, MemoryView) or self._seen.is_missing:
            self.border_subtitle = ""
            return
        count = len(self._seen.sections)
        text = f"{count} section{'' if count == 1 else 's'}"
        ready = f"{self._ready} ready to extract" if self._ready else ""
        won = f"▼ {self._won} line{'' if self._won == 1 else 's'} saved" if self._won > 0 else ""
        self.border_subtitle = " · ".join(filter(None, (text, ready, won)))

    def render(self) -> Content:
        """Render the bar, the amount, the percentage and the level."""
        seen, width = self._seen, self.content_size.width - 2
        if seen is None or width <= 0:
            return Content("")
        if isinstance(seen, DisplayError):
            return Content.assemble(("▲ ", "$error"), plain_text(str(seen).replace("\n", "  ·  ")))
        if seen.is_missing:
            return Content("No MEMORY.md yet. It contains what every session should know.").stylize("$text-muted")
        budget = seen.budget
        style = _STYLES[budget.level]
        is_heavy = budget.bytes * budget.max_lines > budget.lines * budget.max_bytes
        amount = (
            f"{budget.bytes / 1024:.1f}/{budget.max_bytes / 1024:.0f} kB"
            if is_heavy
            else f"{budget.lines}/{budget.max_lines} lines"
        )
        words = f"  {amount}  {budget.percent} %  "
        level = f"{_MARKS[budget.level]} {budget.word}"
        bar = self._bar(seen, max(8, width - len(words) - len(level)), style)
        return Content.assemble(" ", bar, words, (level, style), " ")

    def _bar(self, seen: MemoryView, width: int, style: str) -> Content:
        lines = seen.budget.lines
        filled = min(width, round(seen.budget.share * width)) if lines else 0
        scale = filled / max(1, lines)
        ends = {round(section.end * scale) - 1 for section in seen.sections}
        first, last = self._lit or (0, 0)
        start = min(int((first - 1) * scale), filled - 1)
        lit = range(start, max(start + 1, round(last * scale))) if last else range(0)
        cells = [
            (
                "═" if at in lit else "╸" if at in ends and at < filled - 1 else "━",
                f"bold {style}" if at in lit else style,
            )
            for at in range(filled)
        ]
        runs = [("".join(cell for cell, _ in run), own) for own, run in groupby(cells, key=lambda cell: cell[1])]
        return Content.assemble(*runs, ("─" * (width - filled), "$border-blurred"))
