"""What would make MEMORY.md lighter, heaviest first, each with its reason.

A row says in a word what its key does, and whether that needs a judgement.
"""

from __future__ import annotations

from textual.content import Content

from recall_tui.tui.memory_view import Trouble
from recall_tui.tui.screens.distill.view import Offer, Weighed
from recall_tui.tui.text import one_line
from recall_tui.tui.widgets.row_list import Rows

VERBS = {"extract": "extract", "duplicate": "merge", "empty": "drop", "comment": "drop", "stale": "drop"}
"""What is done about each kind of suggestion."""
_VERB = max(map(len, VERBS.values()))
_WIDE_FROM = 60
"""Cells from which there is room for the words beside the marks."""
_NOTHING = Content("Nothing weighs on MEMORY.md. What grows too long, empty, repeated or old is listed here.")
_MISSING = Content("No MEMORY.md yet. What weighs on it is listed here once there is one.")


class OfferList(Rows[Offer]):
    """The suggestions in their panel."""

    def __init__(self) -> None:
        super().__init__(id="offers", classes="panel")
        self.border_title = "Suggestions"

    def show_offers(self, weighed: Weighed | Trouble) -> None:
        """Show the suggestions as they are now."""
        if isinstance(weighed, Trouble):
            self.border_subtitle = ""
            self.show((), Content("There is nothing to suggest while MEMORY.md cannot be read."))
            return
        count, safe = len(weighed.offers), len(weighed.safe)
        self.border_subtitle = f"{count} · ● {safe} safe" if count else ""
        self.show(weighed.offers, _MISSING if weighed.memory.is_missing else _NOTHING)

    def draw(self, item: Offer, width: int) -> Content:
        """`● safe  extract  Debugging  38 lines, over 30  −35`."""
        suggestion = item.suggestion
        mark, word, style = ("●", "safe", "$success") if suggestion.is_safe else ("▲", "look", "$warning")
        is_wide = width >= _WIDE_FROM
        left = Content.assemble(
            " ", (f"{mark} {word}  " if is_wide else f"{mark} ", style), f"{VERBS[suggestion.kind]:<{_VERB}}  "
        )
        right = f"−{suggestion.saves}"
        reason = Content(one_line(suggestion.reason))
        title = Content(one_line(suggestion.title) or "—")
        room = max(0, width - left.cell_length - len(right) - 3)
        words = max(min(title.cell_length, room // 4), room - reason.cell_length - 2)
        title = title.truncate(words, ellipsis=True)
        body = Content.assemble(title, "  ", reason.stylize("$text-muted")).truncate(room, ellipsis=True)
        return Content.assemble(left, body.pad_right(max(0, room - body.cell_length)), "  ", (right, "bold"), " ")

    def key_of(self, item: Offer) -> object:
        """Its kind and title, and which of those it is."""
        return item.key
