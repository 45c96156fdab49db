"""What wants to change, newest first: whether it is safe, what it is, and how old.

A row says in a word, beside its sign, whether accepting needs a look or comes too late.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from recall_tui.features.curation.review import NOTHING, SOURCES
from recall_tui.tui.memory_view import Trouble
from recall_tui.tui.screens.review.view import Card
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.row_list import Rows

_WIDE_FROM = 60
"""Cells from which there is room for the kind."""
_EMPTY = Content(f"{NOTHING} {SOURCES}")


class ProposalList(Rows[Card]):
    """The proposals in their panel."""

    def __init__(self) -> None:
        super().__init__(id="proposals", classes="panel")
        self.border_title = "Review"

    def show_cards(self, cards: Sequence[Card] | Trouble, applied: int = 0) -> None:
        """Show the proposals as they are now, and how many of others applied themselves."""
        if isinstance(cards, Trouble):
            self.border_subtitle = "▲ unreadable"
            self.show((), plain(str(cards)))
            return
        safe, late = sum(card.is_safe for card in cards), sum(bool(card.waiting.stale) for card in cards)
        waiting = f"{len(cards)} wait" + "s" * (len(cards) == 1) + f" · ● {safe} safe" if cards else ""
        parts = (waiting, f"■ {late} stale" if late else "", f"{applied} applied by settings" if applied else "")
        self.border_subtitle = " · ".join(filter(None, parts))
        self.show(tuple(cards), _EMPTY)

    def draw(self, item: Card, width: int) -> Content:
        """`● safe   Synthesise 3 new summaries into master.md   master  2d ago`."""
        mark, word, style = sign_of(item)
        told = item.waiting.proposal
        kind = Content(one_line(told.kind)).truncate(14, ellipsis=True).plain if width >= _WIDE_FROM else ""
        right = "  ".join(filter(None, (kind, item.age)))
        left = Content.assemble(" ", (f"{mark} {word:<5}  ", style))
        room = max(0, width - left.cell_length - len(right) - 3)
        title = Content(one_line(told.title) or "—").truncate(room, ellipsis=True)
        gap = max(0, room - title.cell_length)
        return Content.assemble(left, title, " " * gap, "  ", (right, "$text-muted"), " ")

    def key_of(self, item: Card) -> object:
        """Its id."""
        return item.id


def sign_of(card: Card) -> tuple[str, str, str]:
    """The sign of how much thought a proposal needs, its word and its colour."""
    if card.why_not:
        return "■", "stale" if card.waiting.stale else "stuck", "$error"
    return ("●", "safe", "$success") if card.is_safe else ("▲", "look", "$warning")
