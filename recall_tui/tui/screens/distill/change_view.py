"""What the choice under the cursor would change: a diff, and the lines before and after.

It follows the cursor; until the new diff is there the old one stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from recall_tui.tui.memory_view import Trouble
from recall_tui.tui.messages import ChangeDrafted
from recall_tui.tui.screens.distill.view import Choice, Draft, Weighed, draft, lines_of, percent_of
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.diff_view import DiffView
from recall_tui.tui.widgets.preview import REST
from recall_tui.tui.workers import Delays, in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class Change(Vertical):
    """The panel below."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(id="change", classes="panel")
        self.delays = Delays(self)
        self._bench = bench
        self._number = 0
        self.draft: Draft | None = None
        """What is shown; None while it is not that of the choice that was asked for last."""
        self.border_title = "Change"

    def compose(self) -> ComposeResult:
        """The diff."""
        yield DiffView(id="diff")

    @property
    def view(self) -> DiffView:
        """Where the diff is."""
        return self.query_one(DiffView)

    def follow(self, weighed: Weighed, choice: Choice, target: str) -> None:
        """Show what a choice would change, as soon as the cursor rests; a `target` is the file it shall write."""
        self._number += 1
        number, self.draft = self._number, None
        self.delays.after("draft", REST, lambda: self._draft(number, weighed, choice, target))

    def say(self, words: Content) -> None:
        """Show words, there being no choice."""
        self._number += 1
        self.delays.stop("draft")
        self.draft = None
        self.border_title, self.border_subtitle = "Change", ""
        self.view.say(words)

    def _draft(self, number: int, weighed: Weighed, choice: Choice, target: str) -> None:
        in_thread(
            self,
            lambda: draft(self._bench, number, weighed, choice, target),
            "draft",
            lambda trouble: ChangeDrafted(number, trouble),
        )

    @on(ChangeDrafted)
    def _change_drafted(self, message: ChangeDrafted) -> None:
        if message.number != self._number:
            return
        if isinstance(message.draft, Trouble):
            self.say(plain(str(message.draft)))
            self.border_subtitle = "▲ cannot be made"
            return
        self.draft = message.draft
        plan, target = self.draft.plan, self.draft.target
        lines, percent = lines_of(plan), percent_of(plan)
        self.border_title = Content.assemble("Change → ", one_line(target)) if target else "Change"
        self.border_subtitle = f"{lines[0]} → {lines[1]} lines · {percent[0]} → {percent[1]} %"
        self.view.show(self.draft.diff)
