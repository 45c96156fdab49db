"""Where the question is typed.

It leads the cursor of the hits without losing the focus, and says how the question was answered.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class SearchBox(Input):
    """The search in its panel."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "lead(1)", "Next hit", show=False, id="next_hit"),
        Binding("up", "lead(-1)", "Previous hit", show=False, id="previous_hit"),
        Binding("pagedown", "lead_page(1)", "Next page of hits", show=False, id="next_hits"),
        Binding("pageup", "lead_page(-1)", "Previous page of hits", show=False, id="previous_hits"),
        Binding("enter", "submit", "Open", tooltip="Open the hit under the cursor, whole", id="open_hit"),
    ]

    class Led(Message):
        """The cursor of the hits shall move."""

        def __init__(self, by: int, *, is_page: bool) -> None:
            super().__init__()
            self.by = by
            self.is_page = is_page

    def __init__(self) -> None:
        super().__init__(placeholder="a question in words, or kind: since: project: …", id="search", classes="panel")
        self.border_title = "Search"
        self.select_on_focus = False

    def say(self, words: str) -> None:
        """Say in the border how the question fared."""
        self.border_subtitle = words

    def action_lead(self, by: int) -> None:
        self.post_message(self.Led(by, is_page=False))

    def action_lead_page(self, by: int) -> None:
        self.post_message(self.Led(by, is_page=True))
