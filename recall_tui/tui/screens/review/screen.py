"""Review: what wants to change, and the keys that accept or dismiss it.

Nothing applies itself but the kinds that the settings name. Every decision is one entry of the journal, so `u` takes it
back and the proposal waits again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content

from recall_tui.domain import Hit, Plan
from recall_tui.features.curation import review
from recall_tui.features.curation.review import EMPTY_MESSAGE, AffectedDocument
from recall_tui.tui import messages
from recall_tui.tui.document_pointer import DocumentPointer, Item
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.page import Page
from recall_tui.tui.screens.review.proposal_card import ProposalCard, ProposalDiffView, ProposalRows
from recall_tui.tui.screens.review.view_model import CardRow, ProposalView, load_proposals, proposal_text
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import NO_ROW, RowList
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_NO_SAFE = "No proposal is marked safe"
_NO_PICK = "No document is selected"
_NO_FILE = "The file does not exist yet"
_WIDE_MIN_CELLS = 60
"""Cells from which there is room for the kind."""
_EMPTY = Content(
    f"{EMPTY_MESSAGE} Changes that the program proposes wait here, each with its reasons and a diff: pages of weeks "
    "and months, wiki pages, corrections. You accept (a) or dismiss (x) each.\n\n"
    "w in Timeline (3) proposes the page of the selected week or month."
)


class ProposalList(RowList[ProposalView]):
    """The proposals in their panel, newest first; a word beside the sign says if one needs a look or comes too late."""

    def __init__(self) -> None:
        super().__init__(id="proposals", classes="panel")
        self.border_title = "Review"

    def show_cards(self, cards: Sequence[ProposalView] | DisplayError, applied: int = 0) -> None:
        """Show the proposals as they are now, and how many of others applied themselves."""
        if isinstance(cards, DisplayError):
            self.border_subtitle = "▲ unreadable"
            self.show((), plain_text(str(cards)))
            return
        safe, late = sum(card.is_safe for card in cards), sum(bool(card.waiting.stale) for card in cards)
        waiting = f"{len(cards)} wait" + "s" * (len(cards) == 1) + f" · ● {safe} safe" if cards else ""
        parts = (waiting, f"■ {late} stale" if late else "", f"{applied} applied by settings" if applied else "")
        self.border_subtitle = " · ".join(filter(None, parts))
        self.show(tuple(cards), _EMPTY)

    def draw(self, item: ProposalView, width: int) -> Content:
        """`● safe   Synthesise 3 new summaries into master.md   master  2d ago`."""
        mark, word, style = safety_sign(item)
        told = item.waiting.proposal
        kind = Content(plain_line(told.kind)).truncate(14, ellipsis=True).plain if width >= _WIDE_MIN_CELLS else ""
        right = "  ".join(filter(None, (kind, item.age)))
        left = Content.assemble(" ", (f"{mark} {word:<5}  ", style))
        room = max(0, width - left.cell_length - len(right) - 3)
        title = Content(plain_line(told.title) or "—").truncate(room, ellipsis=True)
        gap = max(0, room - title.cell_length)
        return Content.assemble(left, title, " " * gap, "  ", (right, "$text-muted"), " ")

    def key_of(self, item: ProposalView) -> object:
        """Its id."""
        return item.id


def safety_sign(card: ProposalView) -> tuple[str, str, str]:
    """The sign of how much thought a proposal needs, its word and its colour."""
    if card.why_not:
        return "■", "stale" if card.waiting.stale else "stuck", "$error"
    return ("●", "safe", "$success") if card.is_safe else ("▲", "look", "$warning")


class Review(Page):
    """What waits for a person."""

    NAME = "review"
    SHEET = "review.tcss"
    AUTO_FOCUS = "#proposals"
    LEFT_OUT = frozenset(("accept", "dismiss_it", "accept_safe", "copy", "edit"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "accept", "Accept", tooltip="Apply the change to the selected documents", id="accept"),
        Binding("x", "dismiss_it", "Dismiss", tooltip="Dismiss it; the same is not proposed again", id="dismiss"),
        Binding("A", "accept_safe", "All safe", tooltip="Accept every proposal that removes nothing", id="accept_safe"),
        Binding("escape", "app.go('home')", "Back", show=False, tooltip="Back to Home", id="back"),
        Binding("y", "copy", "Copy", show=False, tooltip="Copy the proposal, its reasons and its diff", id="copy"),
        Binding("t", "unfold", "Metadata", show=False, tooltip="Show or fold the page's metadata", id="metadata"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the document in $EDITOR", id="editor"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._is_changing = False
        """A decision is being made, or what it left is not shown yet."""

    def panels(self) -> ComposeResult:
        """The proposals with the card of one of them, and beside them its diff."""
        with Horizontal(id="sides"):
            with Vertical(id="left"):
                yield ProposalList()
                yield ProposalCard()
            yield ProposalDiffView(self.bench)

    def on_mount(self) -> None:
        """Look at what waits."""
        self.card.show(None)
        self.look_again()

    @property
    def proposals(self) -> ProposalList:
        """What waits."""
        return self.query_one(ProposalList)

    @property
    def card(self) -> ProposalCard:
        """The proposal under the cursor."""
        return self.query_one(ProposalCard)

    @property
    def change(self) -> ProposalDiffView:
        """What it would change."""
        return self.query_one(ProposalDiffView)

    def look_again(self) -> None:
        """Read what waits anew."""
        run_in_thread(self, lambda: load_proposals(self.bench), "look", messages.ProposalsLoaded)

    @on(messages.ProposalsLoaded)
    def _proposals_read(self, message: messages.ProposalsLoaded) -> None:
        self._is_changing = False
        self.proposals.show_cards(message.cards, message.applied)
        if isinstance(message.cards, DisplayError) or not message.cards:
            self.proposals.focus()
        self._follow()

    @on(RowList.Moved, "#proposals")
    def _follow(self) -> None:
        """Show the proposal under the cursor."""
        card = self.proposals.current
        self.card.show(card)
        self.change.display = card is not None
        self.set_class(card is None, "-empty")
        self.change.follow(card)
        self.refresh_bindings()

    @on(RowList.Moved, "#parts")
    def _part_moved(self) -> None:
        self.refresh_bindings()

    @on(ProposalRows.Picked)
    def _picked(self, message: ProposalRows.Picked) -> None:
        part = message.rows.current
        if isinstance(part, AffectedDocument):
            self.card.turn(part.path)
            self.refresh_bindings()

    @on(RowList.Opened, "#proposals")
    def _proposal_opened(self) -> None:
        """Show the proposal whole, over everything."""
        from recall_tui.tui.screens.text_modal import TextModal, color_diff

        card, drawn = self.proposals.current, self.change.drawn
        if self.is_active and card is not None and drawn is not None:
            told = card.waiting.proposal
            head = plain_text("\n".join((told.why, *(f"→ {words}" for words in told.evidence), "", "")))
            diff = color_diff("\n".join(drawn.lines))
            self.app.push_screen(TextModal(told.title, head.stylize("$text-muted") + diff))

    @on(RowList.Opened, "#parts")
    def _part_opened(self, message: RowList.Opened) -> None:
        from recall_tui.tui.screens.reader.screen import ReaderScreen

        if self.is_active and message.rows.current is not None:
            self.app.push_screen(ReaderScreen(self.bench, _item_of(message.rows.current), None))

    def action_accept(self) -> None:
        """Make the change of the proposal, or of it the documents that are picked."""
        if (card := self.card.card) is not None:
            picks = self.card.picks
            self._decide(lambda: self.bench.preview(review.accept, [card.id], picks), review.accept, [card.id], picks)

    def action_dismiss_it(self) -> None:
        """Have the proposal wait no more."""
        if (card := self.card.card) is not None:
            self._decide(lambda: self.bench.preview(review.dismiss, [card.id]), review.dismiss, [card.id])

    def action_accept_safe(self) -> None:
        """Accept every safe proposal, as one change."""
        self._decide(lambda: self.bench.preview(review.accept_safe), review.accept_safe)

    def _decide(self, planned: Callable[[], Plan], verb: Callable[..., Plan], *words: object) -> None:
        """Make a decision, one at a time."""
        if self._is_changing:
            return
        self._is_changing = True

        def decided() -> messages.ChangeCommitted:
            plan = planned()
            return messages.ChangeCommitted(self.bench.apply(verb, *words), "", plan.title, plan.notes)

        run_in_thread(self, decided, "decide")

    @on(messages.ChangeCommitted)
    def _change_made(self, message: messages.ChangeCommitted) -> None:
        if message.entry is None:
            self.look_again()

    @on(messages.ActionFailed)
    def _failed(self, message: messages.ActionFailed) -> None:
        """Say why nothing was changed, and look again."""
        message.stop()
        self.host.complain(message.trouble)
        self.look_again()

    def action_copy(self) -> None:
        """Copy the proposal."""
        if (card := self.card.card) is not None:
            run_in_thread(self, lambda: messages.TextCopied(proposal_text(self.bench, card)), "copy")

    @on(messages.TextCopied)
    def _text_copied(self, message: messages.TextCopied) -> None:
        self.host.copy_cited(message.text)

    def action_unfold(self) -> None:
        """Show the metadata at the head of the page, or fold it again."""
        self.query_one(ProposalDiffView).view.unfold()

    def action_edit(self) -> None:
        """Open the document, or the evidence under the cursor, in the editor."""
        if (part := self._part()) is not None:
            line = part.lines[0] if not isinstance(part, AffectedDocument) and part.lines else 1
            named = part.path if isinstance(part, AffectedDocument) else part.reference
            self.host.edit(lambda: self.bench.document(named).path, line)

    def _part(self) -> CardRow | None:
        """What is under the cursor of the card when it has the focus, else the first document."""
        card = self.card.card
        if card is None:
            return None
        return self.card.rows.current if self.card.rows.has_focus else next(iter(card.parts), None)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what can be done with what is under the cursor is offered."""
        if action not in self.LEFT_OUT:
            return ""
        card = self.card.card if self.is_mounted else None
        if action == "accept_safe":
            return "" if self.is_mounted and any(one.is_safe for one in self.proposals.items) else _NO_SAFE
        if card is None:
            return NO_ROW
        if action == "accept" and not self.card.picks:
            return card.why_not or _NO_PICK
        if action == "edit":
            part = self._part()
            is_there = part is not None and not self.card.rows.why_open(part)
            return "" if is_there else _NO_FILE
        return ""


def _item_of(part: CardRow) -> Item:
    """What the reader opens."""
    if isinstance(part, AffectedDocument):
        return DocumentPointer(part.path, part.path)
    if part.lines is None:
        return DocumentPointer(part.reference, part.words)
    return Hit("", part.reference, "", "raw", part.words, 0.0, "", part.lines)
