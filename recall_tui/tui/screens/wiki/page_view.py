"""A wiki page as one reads it: `[[links]]` show their words, one of them is under the cursor, and each can be followed.

A link is what this module made of a pair of brackets; nothing in a page's text can make another.
"""

from __future__ import annotations

import re
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.style import Style

from recall_tui.storage.documents.wiki_page import WikiLink, find_line_links
from recall_tui.tui.keys.keymap import ExplainsDisabledKeys
from recall_tui.tui.text import plain_line
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.widgets.markdown_lines import RenderedDocument

_OPEN, _CLOSE = "\ue0f0", "\ue0f1"
"""Mark where a link's words are while the line around them is read; none of them is left in what is shown."""
_LINK_META_KEY = "wiki-link"


class LinkedPage(RenderedDocument):
    """A page whose links are words."""

    def __init__(self, text: str) -> None:
        super().__init__(text.replace(_OPEN, "").replace(_CLOSE, ""))
        self.links: list[WikiLink] = []
        """In the order of the text, each with its line, from 1."""
        self.chosen = -1
        """The place of the link under the cursor."""
        self._first_of: dict[int, int] = {}
        self._at = 0
        for at, line in enumerate(self.source):
            if self.kinds[at] in ("text", "heading") and not line.lstrip().startswith("|"):
                self._first_of[at] = len(self.links)
                self.links += (link._replace(line=at + 1) for _, _, link in find_line_links(self.raw(at)))

    def rows(
        self, at: int, width: int, pattern: re.Pattern[str] | None = None, *, is_closed: bool = False
    ) -> list[Content]:
        """The line as rows, its links as they are followed."""
        self._at = at
        return super().rows(at, width, pattern, is_closed=is_closed)

    def _inline(self, line: str) -> Content:
        found = list(find_line_links(line))
        if not found:
            return super()._inline(line)
        parts: list[str] = []
        end = 0
        for start, stop, link in found:
            parts += (line[end:start], _OPEN, _escape_text(link.text), _CLOSE)
            end = stop
        content = super()._inline("".join((*parts, line[end:])))
        return self._linked(content, self._first_of.get(self._at, 0), len(found))

    def _linked(self, content: Content, first: int, count: int) -> Content:
        """The content with the marked words as links."""
        for place in range(first, first + count):
            start, stop = content.plain.find(_OPEN), content.plain.find(_CLOSE)
            if start < 0 or stop < start:
                break
            look = "reverse $accent" if place == self.chosen else "underline $accent"
            words = content[start + 1 : stop].stylize(look).stylize(Style.from_meta({_LINK_META_KEY: place}))
            content = Content.assemble(content[:start], words, content[stop + 1 :])
        return content


class WikiPageView(ExplainsDisabledKeys, DocumentView):
    """The page, with a cursor on its links."""

    LEFT_OUT = frozenset(("follow", "choose"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "choose(1)", "Link", tooltip="Choose the next link", id="next_link"),
        Binding("left", "choose(-1)", "Link before", show=False, tooltip="Choose the previous link", id="link_before"),
        Binding("enter", "follow", "Follow", tooltip="Follow the chosen link", id="follow_link"),
    ]

    class Followed(Message):
        """A link shall be followed."""

        def __init__(self, link: WikiLink) -> None:
            super().__init__()
            self.link = link

    @property
    def page(self) -> LinkedPage | None:
        """The page that is shown; None when words are."""
        return self.document if isinstance(self.document, LinkedPage) and len(self.document) else None

    @property
    def chosen(self) -> WikiLink | None:
        """The link under the cursor."""
        page = self.page
        return page.links[page.chosen] if page is not None and 0 <= page.chosen < len(page.links) else None

    def action_choose(self, by: int) -> None:
        """Put the cursor on another link, and that into view."""
        page = self.page
        if page is None or not page.links:
            return
        place = page.chosen + by if page.chosen >= 0 else 0 if by > 0 else len(page.links) - 1
        self.choose(max(0, min(place, len(page.links) - 1)))

    def choose(self, place: int) -> None:
        """Put the cursor on the link of a place; -1 for none."""
        page = self.page
        if page is None:
            return
        page.chosen = place
        self._made.clear()
        self.refresh()
        self.refresh_bindings()
        if place >= 0:
            row, height = self.map.row_of(page.links[place].line - 1), self.scrollable_content_region.height
            if not self.scroll_offset.y <= row < self.scroll_offset.y + height:
                self.scroll_to_line(page.links[place].line - 1)

    def action_follow(self) -> None:
        """Ask for what the chosen link leads to."""
        if self.chosen is not None:
            self.post_message(self.Followed(self.chosen))

    def on_click(self, event: events.Click) -> None:
        """Follow the link that was clicked."""
        place = event.style.meta.get(_LINK_META_KEY)
        if isinstance(place, int) and self.page is not None and place < len(self.page.links):
            self.choose(place)
            self.action_follow()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Without links there is nothing to choose, without a chosen one nothing to follow."""
        page = self.page
        if action == "choose" and (page is None or not page.links):
            return "This page has no links"
        if action == "follow" and self.chosen is None:
            return "Choose a link first with ← and →"
        return ""


def _escape_text(words: str) -> str:
    """The words, of which no sign is read as markdown."""
    return re.sub(r"([\\`*_\[\]<>&~!#])", r"\\\1", plain_line(words))
