"""What the choice under the cursor would change: a diff, and the lines before and after.

It follows the cursor; until the new diff is there the old one stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import ChangePreviewed
from recall_tui.tui.screens.distill.view_model import (
    ChangePreview,
    Choice,
    DistillView,
    budget_percents,
    line_counts,
    preview_change,
)
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.diff_view import DiffView
from recall_tui.tui.widgets.preview import PREVIEW_DELAY_SECONDS
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


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
            self.border_subtitle = "▲ cannot be made"
            return
        self.draft = message.draft
        plan, target = self.draft.plan, self.draft.target
        lines, percent = line_counts(plan), budget_percents(plan)
        self.border_title = Content.assemble("Change → ", plain_line(target)) if target else "Change"
        self.border_subtitle = f"{lines[0]} → {lines[1]} lines · {percent[0]} → {percent[1]} %"
        self.view.show(self.draft.diff)
