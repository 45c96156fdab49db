"""Sections and suggestions side by side, and which of them the keys act on.

The list that had the focus last leads; a section with a suggestion to extract it stands for that suggestion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.message import Message

from recall_tui.storage.documents.memory_file import MAX_SECTION_LINES
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import ChangePreviewed
from recall_tui.tui.screens.distill.view_model import (
    ChangePreview,
    Choice,
    DistillView,
    SectionRow,
    SuggestionRow,
    budget_percents,
    line_counts,
    preview_change,
)
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.diff_view import DiffView
from recall_tui.tui.widgets.preview import PREVIEW_DELAY_SECONDS
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_EMPTY = Content("The sections of MEMORY.md and their lines appear here.")
_UNTITLED = "(before the first heading)"
VERBS = {"extract": "extract", "duplicate": "merge", "empty": "drop", "comment": "drop", "stale": "drop"}
"""What is done about each kind of suggestion."""
_VERB_CELLS = max(map(len, VERBS.values()))
_WIDE_MIN_CELLS = 60
"""Cells from which there is room for the words beside the marks."""
_NO_SUGGESTIONS = Content("MEMORY.md is within budget. Long sections and empty, repeated or old text are listed here.")
_NO_MEMORY_FILE = Content("No MEMORY.md yet. Suggestions appear here once it exists.")


class SuggestionList(RowList[SuggestionRow]):
    """The suggestions in their panel, heaviest first; a row says what its key does, and if that needs a judgement."""

    def __init__(self) -> None:
        super().__init__(id="offers", classes="panel")
        self.border_title = "Suggestions"

    def show_offers(self, weighed: DistillView | DisplayError) -> None:
        """Show the suggestions as they are now."""
        if isinstance(weighed, DisplayError):
            self.border_subtitle = ""
            self.show((), Content("MEMORY.md cannot be read, so there are no suggestions."))
            return
        count, safe = len(weighed.offers), len(weighed.safe)
        self.border_subtitle = f"{count} · ● {safe} safe" if count else ""
        self.show(weighed.offers, _NO_MEMORY_FILE if weighed.memory.is_missing else _NO_SUGGESTIONS)

    def draw(self, item: SuggestionRow, width: int) -> Content:
        """`● safe  extract  Debugging  38 lines, over 30  −35`."""
        suggestion = item.suggestion
        mark, word, style = ("●", "safe", "$success") if suggestion.is_safe else ("▲", "look", "$warning")
        is_wide = width >= _WIDE_MIN_CELLS
        left = Content.assemble(
            " ", (f"{mark} {word}  " if is_wide else f"{mark} ", style), f"{VERBS[suggestion.kind]:<{_VERB_CELLS}}  "
        )
        right = f"−{suggestion.saves}"
        reason = Content(plain_line(suggestion.reason))
        title = Content(plain_line(suggestion.title) or "—")
        room = max(0, width - left.cell_length - len(right) - 3)
        words = max(min(title.cell_length, room // 4), room - reason.cell_length - 2)
        title = title.truncate(words, ellipsis=True)
        body = Content.assemble(title, "  ", reason.stylize("$text-muted")).truncate(room, ellipsis=True)
        return Content.assemble(left, body.pad_right(max(0, room - body.cell_length)), "  ", (right, "bold"), " ")

    def key_of(self, item: SuggestionRow) -> object:
        """Its kind and title, and which of those it is."""
        return item.key


class SectionList(RowList[SectionRow]):
    """The sections in the order of the file, each with its lines as a bar that is measured by the heaviest."""

    def __init__(self) -> None:
        super().__init__(id="parts", classes="panel")
        self.border_title = "Sections"
        self._heaviest: SectionRow | None = None
        self._marked: SectionRow | None = None

    def show_parts(self, parts: Sequence[SectionRow] | DisplayError) -> None:
        """Show the sections as they are now."""
        if isinstance(parts, DisplayError):
            self._heaviest = None
            self.border_subtitle = "▲ unreadable"
            self.show((), plain_text(str(parts)))
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

    def draw(self, item: SectionRow, width: int) -> Content:
        """`▲ Debugging   ━━━━━━━━━━╸  38`."""
        title = Content(f"{plain_line(item.title)} (top)" if item.is_top else plain_line(item.title) or _UNTITLED)
        name = max(8, min(24, width * 9 // 20))
        number = f"{item.lines:>4}"
        room = max(0, width - name - len(number) - 6)
        bar = _bar(item.lines, self._heaviest.lines if self._heaviest else item.lines, room)
        style = "$warning" if item.lines > MAX_SECTION_LINES else "$primary"
        return Content.assemble(
            ("▸" if item is self._marked else " ", "$accent"),
            ("▲ " if item is self._heaviest else "  ", "$warning"),
            title.truncate(name, ellipsis=True).pad_right(max(0, name - title.cell_length)),
            " ", (f"{bar:<{room}}", style), " ", (number, "" if item.lines > MAX_SECTION_LINES else "$text-muted"), " ",
        )  # fmt: skip

    def key_of(self, item: SectionRow) -> object:
        """Its title, and which of that title it is."""
        return item.key


def _bar(lines: int, most: int, width: int) -> str:
    halves = max(1, round(lines / max(1, most) * width * 2)) if width else 0
    return "━" * (halves // 2) + "╸" * (halves % 2)


class DistillLists(Horizontal):
    """What weighs on MEMORY.md."""

    class Moved(Message):
        """Something else is under the cursor that leads."""

    def __init__(self) -> None:
        super().__init__(id="weights")
        self._source: RowList[Any] | None = None

    def compose(self) -> ComposeResult:
        """The two lists."""
        yield SectionList()
        yield SuggestionList()

    @property
    def parts(self) -> SectionList:
        """The sections."""
        return self.query_one(SectionList)

    @property
    def offers(self) -> SuggestionList:
        """The suggestions."""
        return self.query_one(SuggestionList)

    @property
    def place(self) -> Choice | None:
        """What is under the cursor that leads."""
        place: Choice | None = self._source.current if self._source is not None else self.offers.current
        return place

    @property
    def current(self) -> Choice | None:
        """What the keys act on; None when the section under the cursor is too short to be extracted."""
        part = self.place
        if not isinstance(part, SectionRow):
            return part
        for offer in self.offers.items:
            first, last = offer.suggestion.lines
            if offer.suggestion.kind == "extract" and first <= part.end and part.start <= last:
                return offer
        return part if part.saves > 0 else None

    def show(self, weighed: DistillView | DisplayError) -> None:
        """Show both lists as they are now; the cursors stay on their things."""
        self.offers.show_offers(weighed)
        self.parts.show_parts(weighed if isinstance(weighed, DisplayError) else weighed.parts)

    def mark(self) -> tuple[int, int] | None:
        """Mark the section of what is under the cursor; the lines, from 1, that this is about."""
        place = self.place
        lines = None if place is None else (place.start, place.end)
        self.parts.mark(lines[0] if lines else 0)
        return lines

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        message.stop()
        if message.rows is (self._source or self.offers):
            self.post_message(self.Moved())

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, RowList) and event.widget is not self._source:
            self._source = event.widget
            self.post_message(self.Moved())


class ChangeView(Vertical):
    """The panel below."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(id="change", classes="panel")
        self.delays = Debouncer(self)
        self._bench = bench
        self._number = 0
        self.draft: ChangePreview | None = None
        """What is shown; None while it is not that of the choice that was asked for last."""
        self.border_title = "Change"

    def compose(self) -> ComposeResult:
        """The diff."""
        yield DiffView(id="diff")

    @property
    def view(self) -> DiffView:
        """Where the diff is."""
        return self.query_one(DiffView)

    def follow(self, weighed: DistillView, choice: Choice, target: str) -> None:
        """Show what a choice would change, as soon as the cursor rests; a `target` is the file it shall write."""
        self._number += 1
        number, self.draft = self._number, None
        self.delays.after("draft", PREVIEW_DELAY_SECONDS, lambda: self._draft(number, weighed, choice, target))

    def say(self, words: Content) -> None:
        """Show words, there being no choice."""
        self._number += 1
        self.delays.stop("draft")
        self.draft = None
        self.border_title, self.border_subtitle = "Change", ""
        self.view.say(words)

    def _draft(self, number: int, weighed: DistillView, choice: Choice, target: str) -> None:
        run_in_thread(
            self,
            lambda: preview_change(self._bench, number, weighed, choice, target),
            "draft",
            lambda trouble: ChangePreviewed(number, trouble),
        )

    @on(ChangePreviewed)
    def _change_drafted(self, message: ChangePreviewed) -> None:
        if message.number != self._number:
            return
        if isinstance(message.draft, DisplayError):
            self.say(plain_text(str(message.draft)))
            self.border_subtitle = "▲ cannot be applied"
            return
        self.draft = message.draft
        plan, target = self.draft.plan, self.draft.target
        lines, percent = line_counts(plan), budget_percents(plan)
        self.border_title = Content.assemble("Change → ", plain_line(target)) if target else "Change"
        self.border_subtitle = f"{lines[0]} → {lines[1]} lines · {percent[0]} → {percent[1]} %"
        self.view.show(self.draft.diff)
