"""What the proposal under the cursor would change, as a diff against what is there now.

It follows the cursor; until the new diff is there the old one stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import ProposalDiffReady
from recall_tui.tui.screens.review.view_model import ProposalDiff, ProposalView, load_diff
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.diff_view import DiffView
from recall_tui.tui.widgets.preview import PREVIEW_DELAY_SECONDS
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_NO_CARD = Content("The change that the proposal under the cursor would make is shown here.")
_NO_CHANGE = Content("Everything that is proposed is there already; accepting it has it wait no more.")


class ProposalDiffView(Vertical):
    """The panel of the diff."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(id="change", classes="panel")
        self.delays = Debouncer(self)
        self._bench = bench
        self._number = 0
        self._card: ProposalView | None = None
        self.drawn: ProposalDiff | None = None
        """What is shown; None while it is not that of the proposal that was asked for last."""
        self.border_title = "Change"

    def compose(self) -> ComposeResult:
        """The diff."""
        yield DiffView(id="diff")

    @property
    def view(self) -> DiffView:
        """Where the diff is."""
        return self.query_one(DiffView)

    def follow(self, card: ProposalView | None) -> None:
        """Show what a proposal would change, as soon as the cursor rests."""
        self._number += 1
        number, self._card, self.drawn = self._number, card, None
        if card is None:
            self.delays.stop("draw")
            self._say(_NO_CARD, "")
            return
        self.delays.after("draw", PREVIEW_DELAY_SECONDS, lambda: self._draw(number, card))

    def _draw(self, number: int, card: ProposalView) -> None:
        run_in_thread(
            self,
            lambda: load_diff(self._bench, number, card),
            "draw",
            lambda trouble: ProposalDiffReady(number, trouble),
        )

    def _say(self, words: Content, what: str) -> None:
        self.border_title, self.border_subtitle = "Change", what
        self.view.say(words)

    @on(ProposalDiffReady)
    def _proposal_drawn(self, message: ProposalDiffReady) -> None:
        card, drawn = self._card, message.drawn
        if message.number != self._number or card is None:
            return
        if isinstance(drawn, DisplayError):
            self._say(plain_text(str(drawn)), "▲ cannot be shown")
            return
        self.drawn = drawn
        if not drawn.lines:
            self._say(plain_text(card.why_not) if card.why_not else _NO_CHANGE, "")
            return
        paths = [one.path for one in card.waiting.documents]
        what = plain_line(paths[0]) if len(paths) == 1 else f"{len(paths)} documents"
        self.border_title = Content.assemble("Change → ", what)
        late = "■ not as it is now · " if card.why_not else ""
        self.border_subtitle = f"{late}+{drawn.more} −{drawn.fewer} lines"
        self.view.show(drawn.lines)
