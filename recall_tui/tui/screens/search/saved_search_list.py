"""The searches of before in a list: those with a name first, then the recent ones, or what is like some letters.

The best match is under the cursor.
"""

from __future__ import annotations

import re

from textual.content import Content

from recall_tui.storage.state.saved_searches import SavedSearch, Searches
from recall_tui.tui.text import one_line, pattern_of
from recall_tui.tui.widgets.row_labels import search_line
from recall_tui.tui.widgets.row_list import Rows

ALIKE = 70.0
"""Least likeness of each word of the letters to a piece of a search, from 0 to 100."""
_EMPTY = Content(
    "No search yet. A question whose hits you looked at is kept here; ctrl+s in the search gives one a name that stays."
)
_UNLIKE = Content("No search is like this. Fewer letters find more; esc goes back.")


class SearchList(Rows[SavedSearch], can_focus=False):
    """Searches with a name and without."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.is_led = True
        self._pattern: re.Pattern[str] | None = None

    def show_searches(self, searches: Searches, letters: str) -> None:
        """Show what is like the letters, the likest first; everything when there are none."""
        recent = (SavedSearch("", question) for question in searches.recent)
        rows = [*searches.saved, *recent]
        self._pattern = pattern_of(letters.split())
        if letters.strip():
            self.show(_alike(rows, letters), _UNLIKE if rows else _EMPTY, keep=False)
        else:
            self.show(rows, _EMPTY)

    def draw(self, item: SavedSearch, width: int) -> Content:
        """A search's row."""
        return search_line(item, self._pattern, width)

    def key_of(self, item: SavedSearch) -> object:
        """Its name and words."""
        return one_line(item.name), one_line(item.question)


def _alike(rows: list[SavedSearch], letters: str) -> list[SavedSearch]:
    """The rows that hold something like every word of the letters, the likest first."""
    from rapidfuzz import fuzz

    words = letters.casefold().split()
    scored: list[tuple[float, SavedSearch]] = []
    for row in rows:
        text = f"{row.name} {row.question}".casefold()
        likeness = [fuzz.partial_ratio(word, text) for word in words]
        if min(likeness) >= ALIKE:
            scored.append((sum(likeness), row))
    return [row for _, row in sorted(scored, key=lambda one: -one[0])]
