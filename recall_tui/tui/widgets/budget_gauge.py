"""How full MEMORY.md is, as a bar, a number and a word.

The bar is cut where the sections end; nothing is said by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from textual.content import Content
from textual.widgets import Static

from recall_tui.domain import Section
from recall_tui.tui.seen import SeenMemory, Trouble
from recall_tui.tui.text import plain

_STYLES = {"ok": "$success", "watch": "$warning", "full": "$error"}
_MARKS = {"ok": "●", "watch": "▲", "full": "■"}


class BudgetGauge(Static):
    """The bar in its panel."""

    def __init__(self) -> None:
        super().__init__(id="memory", classes="panel")
        self.border_title = "MEMORY.md"
        self._seen: SeenMemory | Trouble | None = None
        self._ready: int | None = None

    def show(self, seen: SeenMemory | Trouble) -> None:
        """Show a new measure."""
        self._seen = seen
        self._name_sections()
        self.refresh()

    def show_ready(self, count: int) -> None:
        """Say how many sections are ready to be extracted."""
        self._ready = count
        self._name_sections()

    def _name_sections(self) -> None:
        if not isinstance(self._seen, SeenMemory) or self._seen.is_missing:
            self.border_subtitle = ""
            return
        count = len(self._seen.sections)
        text = f"{count} section{'' if count == 1 else 's'}"
        self.border_subtitle = f"{text} · {self._ready} ready to extract" if self._ready else text

    def render(self) -> Content:
        """The bar, the lines, the percentage and the word."""
        seen, width = self._seen, self.content_size.width - 2
        if seen is None or width <= 0:
            return Content("")
        if isinstance(seen, Trouble):
            return Content.assemble(("▲ ", "$error"), plain(str(seen).replace("\n", "  ·  ")))
        if seen.is_missing:
            return Content("No MEMORY.md yet: what every session should know goes there.").stylize("$text-muted")
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
        bar = self._bar(seen.sections, budget.lines, budget.share, max(8, width - len(words) - len(level)), style)
        return Content.assemble(" ", bar, words, (level, style), " ")

    @staticmethod
    def _bar(sections: Sequence[Section], lines: int, share: float, width: int, style: str) -> Content:
        filled = min(width, round(share * width)) if lines else 0
        ends = {round(section.end / max(1, lines) * filled) - 1 for section in sections}
        cells = ["╸" if at in ends and at < filled - 1 else "━" for at in range(filled)]
        full = Content("".join("".join(run) for _, run in groupby(cells))).stylize(style)
        return Content.assemble(full, ("─" * (width - filled), "$border-blurred"))
