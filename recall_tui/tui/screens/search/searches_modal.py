"""The searches of before, over the screen they were asked for on: one is chosen, named, or taken out.

Nothing is asked here; what was chosen is handed back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.errors import UsageError
from recall_tui.storage.state.saved_searches import MAX_NAME_CHARS, SavedSearch, SavedSearches
from recall_tui.tui import messages
from recall_tui.tui.keys.keymap import ExplainsDisabledKeys
from recall_tui.tui.modal import Modal
from recall_tui.tui.screens.prompt_modal import PromptModal
from recall_tui.tui.screens.search.saved_searches import SavedSearchLoader
from recall_tui.tui.text import plain_line, plain_text, word_pattern
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.row_list import RowList, search_line

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store
    from recall_tui.tui.app import RecallApp

_NO_SEARCH = "No search is selected"
MIN_SIMILARITY_PERCENT = 70.0
"""Least likeness of each word of the letters to a piece of a search, from 0 to 100."""
_EMPTY = Content(
    "No searches yet. Searches whose hits you opened appear here; ctrl+s in the search saves one under a name."
)
_NO_MATCH = Content("No search matches. Try another word, or press esc.")


class SavedSearchList(RowList[SavedSearch], can_focus=False):
    """Searches with a name, then recent ones, or what is like some letters; the best match is under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.is_led = True
        self._pattern: re.Pattern[str] | None = None

    def show_searches(self, searches: SavedSearches, letters: str) -> None:
        """Show what is like the letters, the likest first; everything when there are none."""
        recent = (SavedSearch("", question) for question in searches.recent)
        rows = [*searches.saved, *recent]
        self._pattern = word_pattern(letters.split())
        if letters.strip():
            self.show(_similar_rows(rows, letters), _NO_MATCH if rows else _EMPTY, keep=False)
        else:
            self.show(rows, _EMPTY)

    def draw(self, item: SavedSearch, width: int) -> Content:
        """A search's row."""
        return search_line(item, self._pattern, width)

    def key_of(self, item: SavedSearch) -> object:
        """Its name and words."""
        return plain_line(item.name), plain_line(item.question)


def _similar_rows(rows: list[SavedSearch], letters: str) -> list[SavedSearch]:
    """The rows that hold something like every word of the letters, the likest first."""
    from rapidfuzz import fuzz

    words = letters.casefold().split()
    scored: list[tuple[float, SavedSearch]] = []
    for row in rows:
        text = f"{row.name} {row.question}".casefold()
        likeness = [fuzz.partial_ratio(word, text) for word in words]
        if min(likeness) >= MIN_SIMILARITY_PERCENT:
            scored.append((sum(likeness), row))
    return [row for _, row in sorted(scored, key=lambda one: -one[0])]


class FilterBox(ExplainsDisabledKeys, Input):
    """Where the letters of a search are typed; it leads the cursor of the list."""

    LEFT_OUT = frozenset(("submit",))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Ask", tooltip="Run the selected search", id="ask_search"),
        Binding("ctrl+s", "screen.name", "Name", tooltip="Name the selected search", id="name_search"),
        Binding("delete", "screen.take_out", "Remove", tooltip="Remove the search from the list", id="remove_search"),
        Binding("ctrl+z", "screen.put_back", "Put back", tooltip="Restore the removed search", id="put_search_back"),
        Binding("escape", "screen.close", "Back", tooltip="Back to where you were", id="close_searches"),
        Binding("down", "screen.lead(1)", "Next search", show=False, id="next_search"),
        Binding("up", "screen.lead(-1)", "Previous search", show=False, id="previous_search"),
        Binding("pagedown", "screen.lead_page(1)", "Next page of searches", show=False, id="next_searches"),
        Binding("pageup", "screen.lead_page(-1)", "Previous page of searches", show=False, id="previous_searches"),
    ]

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Nothing can be asked again in an empty list."""
        is_empty = action == "submit" and self.screen.query_one(SavedSearchList).current is None
        return _NO_SEARCH if is_empty else ""


class SavedSearchesModal(Modal[str | None]):
    """Saved searches and recent ones; dismissed with the question that was chosen."""

    AUTO_FOCUS = "#filter"
    LEFT_OUT = frozenset(("name", "take_out", "put_back"))

    def __init__(self, store: Store, searches: SavedSearches) -> None:
        super().__init__()
        self._searches = searches
        self._remembered = SavedSearchLoader(self, store)
        self._removed: list[SavedSearch] = []

    def compose(self) -> ComposeResult:
        """The letters, the list, the keys."""
        panel = Vertical(id="searches", classes="panel")
        panel.border_title = "Earlier searches"
        with panel:
            box = FilterBox(id="filter", placeholder="filter searches")
            box.cursor_blink = False
            yield box
            yield SavedSearchList(id="known")
        yield KeyFooter(has_palette=False)

    def on_mount(self) -> None:
        """Show what is known, and look whether there is more."""
        self._show()
        self._remembered.read()

    @property
    def known(self) -> SavedSearchList:
        """The list."""
        return self.query_one(SavedSearchList)

    def _show(self) -> None:
        saved, recent = len(self._searches.saved), len(self._searches.recent)
        self.query_one("#searches").border_subtitle = f"{saved} saved · {recent} recent"
        self.known.show_searches(self._searches, self.query_one("#filter", Input).value)
        self.refresh_bindings()

    @on(Input.Changed, "#filter")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show()

    @on(messages.SearchesLoaded)
    def _searches_read(self, message: messages.SearchesLoaded) -> None:
        self._searches = message.searches or self._searches
        if message.said:
            self._host.say(message.said)
        self._show()

    @on(messages.ActionFailed)
    def _failed(self, message: messages.ActionFailed) -> None:
        message.stop()
        self._host.complain(message.trouble)

    @property
    def _host(self) -> RecallApp:
        return cast("RecallApp", self.app)

    @on(Input.Submitted, "#filter")
    @on(SavedSearchList.Opened)
    def _chosen(self) -> None:
        if (search := self.known.current) is not None:
            self.dismiss(search.question)

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    def action_lead(self, by: int) -> None:
        """Move the cursor of the list by rows."""
        self.known.action_move(by)

    def action_lead_page(self, by: int) -> None:
        """Move the cursor of the list by pages."""
        self.known.action_page(by)

    def action_name(self) -> None:
        """Ask for a name for the search under the cursor."""
        search = self.known.current
        if search is None:
            return

        def named(name: str | None) -> None:
            if name:
                self._remembered.save(name, search.question)

        self.app.push_screen(SearchNameModal(search.question, self._searches), named)

    def action_take_out(self) -> None:
        """Take the search under the cursor out of the list."""
        if (search := self.known.current) is not None:
            self._removed.append(search)
            self._remembered.forget(search.name, search.question)

    def action_put_back(self) -> None:
        """Restore the removed search last."""
        if self._removed:
            search = self._removed.pop()
            self._remembered.put_back(search.name, search.question)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """What needs a search under the cursor, or one that was taken out."""
        if action in ("name", "take_out") and not (self.is_mounted and self.known.current is not None):
            return _NO_SEARCH
        return "Nothing was removed" if action == "put_back" and not self._removed else ""


class NameBox(Input):
    """Where the name of a search is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Save", tooltip="Save the search under this name", id="save_name"),
        Binding("escape", "screen.close", "Back", tooltip="Back without saving", id="close_name"),
    ]


class SearchNameModal(PromptModal[str]):
    """Asks for the name of a search."""

    PANEL = "naming"

    def __init__(self, question: str, searches: SavedSearches) -> None:
        super().__init__()
        self._question = question
        self._searches = searches

    def title_words(self) -> str:
        """What is asked for."""
        return "Save search"

    def box(self) -> Input:
        """The name, as it was."""
        before = next((one.name for one in self._searches.saved if one.question == self._question), "")
        return NameBox(before, id="name", placeholder="a name for this search", max_length=MAX_NAME_CHARS)

    def below(self) -> Label:
        """The question."""
        return Label(plain_text(plain_line(self._question)), id="question", markup=False)

    def meaning(self, text: str) -> str:
        """What the name would replace."""
        taken = self._searches.named(plain_line(text))
        is_other = taken is not None and taken.question != self._question
        return f"▲ replaces {taken.question}" if taken is not None and is_other else ""

    def value(self, text: str) -> str:
        """The name."""
        if name := plain_line(text):
            return name
        raise UsageError("enter a name")
