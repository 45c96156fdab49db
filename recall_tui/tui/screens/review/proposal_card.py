"""The proposal under the cursor as a card: what and why, the documents it changes, and what it rests on.

`space` picks single documents; what is not picked stays as it is when the proposal is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from recall_tui.features.curation.review import AffectedDocument
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import ProposalDiffReady
from recall_tui.tui.screens.review.view_model import CardRow, ProposalDiff, ProposalView, load_diff
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.citation_list import render_citation
from recall_tui.tui.widgets.diff_view import DiffView
from recall_tui.tui.widgets.preview import PREVIEW_DELAY_SECONDS
from recall_tui.tui.widgets.row_list import NO_ROW, RowList
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_STATE_LABELS = {
    "create": "new",
    "change": "changes",
    "remove": "goes",
    "same": "already applied",
    "taken": "accepted",
    "stale": "▲ changed since",
    "outside": "▲ outside",
    "unreadable": "▲ unreadable",
    "by hand": "▲ by hand",
}
_CLOSED_STATES = ("taken", "stale", "outside", "unreadable", "by hand")
_NOT_THERE = "This document does not exist yet"
_NO_DOCUMENT = "Select a document"
_NOT_OPEN = "Nothing to select: it was accepted, or has changed"


class ProposalRows(RowList[CardRow]):
    """The documents, each with whether it is picked, and the evidence."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pick", "Pick", tooltip="Select or deselect this document", id="pick"),
    ]
    LEFT_OUT = frozenset(("open", "pick"))

    class Picked(RowList.FromRows):
        """A document was picked, or left out."""

    def __init__(self, is_picked: Callable[[str], bool]) -> None:
        super().__init__(id="parts")
        self._is_picked = is_picked

    def draw(self, item: CardRow, width: int) -> Content:
        """`● memory/master.md   changes`, or a link."""
        if not isinstance(item, AffectedDocument):
            return render_citation(item, width)
        is_left = item.state not in _CLOSED_STATES
        mark = ("●" if self._is_picked(item.path) else "○") if is_left else "✓" if item.state == "taken" else "■"
        style = {"✓": "$success", "■": "$error"}.get(mark, "$accent")
        right = _STATE_LABELS[item.state]
        words = Content(plain_line(item.path)).truncate(max(0, width - len(right) - 6), ellipsis=True)
        gap = max(0, width - words.cell_length - len(right) - 4)
        return Content.assemble(" ", (f"{mark} ", style), words, " " * gap, (right, "$text-muted"), " ")

    def key_of(self, item: CardRow) -> object:
        """Its path, or its words."""
        return item.path if isinstance(item, AffectedDocument) else ("from", item.words)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """What is not there cannot be opened, and what cannot be accepted is not picked."""
        part = self.current
        if action not in ("open", "pick"):
            return super().why_not(action, parameters)
        if part is None:
            return NO_ROW
        if action == "pick":
            if not isinstance(part, AffectedDocument):
                return _NO_DOCUMENT
            return _NOT_OPEN if part.state in _CLOSED_STATES else ""
        return self.why_open(part)

    @staticmethod
    def why_open(part: CardRow) -> str:
        """What stands in the way of opening a document or a piece of evidence."""
        is_there = (
            part.state not in ("create", "outside")
            if isinstance(part, AffectedDocument)
            else bool(part.reference) and part.is_there
        )
        return "" if is_there else _NOT_THERE

    def action_pick(self) -> None:
        """Pick the document, or leave it out."""
        self.post_message(self.Picked(self))


class ProposalCard(Vertical):
    """The card in its panel."""

    def __init__(self) -> None:
        super().__init__(id="card", classes="panel")
        self.card: ProposalView | None = None
        self._picks: dict[str, frozenset[str]] = {}
        """The documents that were picked by hand, by proposal."""

    def compose(self) -> ComposeResult:
        """What and why, then the rows."""
        yield Static(id="reason")
        yield ProposalRows(lambda path: path in self.picks)

    @property
    def rows(self) -> ProposalRows:
        """The documents and the evidence."""
        return self.query_one(ProposalRows)

    @property
    def picks(self) -> frozenset[str]:
        """The documents that accepting would change; none of a proposal that comes too late, unless picked by hand."""
        card = self.card
        if card is None:
            return frozenset()
        every = frozenset(card.waiting.left)
        return self._picks.get(card.id, frozenset() if card.why_not else every) & every

    def show(self, card: ProposalView | None) -> None:
        """Show a proposal, or nothing."""
        is_other = self.card is None or card is None or card.id != self.card.id
        self.card, self.display = card, card is not None
        if card is None:
            self.rows.show(())
            return
        told = card.waiting.proposal
        self.border_title = plain_text(plain_line(told.kind))
        late = plain_text(f"\n▲ {plain_line(card.why_not)}").stylize("$warning") if card.why_not else Content("")
        why = Content.assemble("\n", plain_line(told.why)) if told.why.strip() else Content("")
        self.query_one("#reason", Static).update(Content.assemble((plain_line(told.title) or "—", "bold"), late, why))
        self.rows.show(card.parts, keep=not is_other)
        self.tell()

    def tell(self) -> None:
        """Say in the border how many documents are picked, and how old the proposal is."""
        if (card := self.card) is None:
            return
        count, picked = len(card.waiting.documents), len(self.picks)
        documents = f"{picked} of {count} selected" if count > 1 or picked < count else "1 document"
        self.border_subtitle = " · ".join(filter(None, (documents, card.age)))
        self.rows.refresh()

    def turn(self, path: str) -> None:
        """Pick a document of the card, or leave it out."""
        if self.card is not None:
            self._picks[self.card.id] = self.picks ^ {path}
            self.tell()


_NO_CARD = Content("The diff of the selected proposal appears here.")
_NO_CHANGE = Content("All of it is already applied; accept the proposal to close it.")


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
        yield DiffView(id="diff", folds_metadata=True)

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
        late = "■ out of date · " if card.why_not else ""
        self.border_subtitle = f"{late}+{drawn.more} −{drawn.fewer} lines"
        self.view.show(drawn.lines)
