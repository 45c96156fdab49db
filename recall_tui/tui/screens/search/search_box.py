"""Where a question is typed, completed, asked and told how it fared.

Typing never waits: questions are asked in a thread, and the answer to an older question is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from recall_tui.domain import SearchResult
from recall_tui.storage.state.saved_searches import SavedSearches
from recall_tui.tui import messages
from recall_tui.tui.keys.keymap import ExplainsDisabledKeys
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.screens.search.request import SearchRequest, run_search
from recall_tui.tui.screens.search.saved_searches import SavedSearchLoader
from recall_tui.tui.screens.search.search_logger import SearchLogger
from recall_tui.tui.screens.search.suggester import SearchSuggester
from recall_tui.tui.text import strip_controls
from recall_tui.tui.widgets.search_status import status_line, unused_text
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.tui.app import RecallApp
    from recall_tui.workbench import Workbench

SEARCH_DELAY_SECONDS = 0.02
"""Seconds that a question waits while an earlier one is being answered; otherwise it is asked at once."""
BUSY_AFTER_SECONDS = 0.15
"""Seconds before a question says that it is still being answered."""
SEMANTIC_DELAY_SECONDS = 0.4
"""Seconds after an answer by words before the same question is asked by vectors as well, where an embedder is set."""
HINT_DELAY_SECONDS = 0.1
"""Seconds before the footer speaks of a suggestion; it would flicker with every key otherwise."""
_PLACEHOLDER = "words, or kind: since: project: …"
_HISTORY_HINT = "   ↑ earlier searches"
"""What is said beside it while the key works."""


class SearchBox(ExplainsDisabledKeys, Input):
    """The search in its panel; it leads the cursor of the hits without losing the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Open", tooltip="Open the selected hit at its passage", id="open_hit"),
        Binding("right", "complete", "Complete", tooltip="Accept the suggested completion", id="complete"),
        Binding("right", "cursor_right", show=False),
        Binding("up", "recall", "Earlier", tooltip="With nothing typed: recent and saved searches", id="recall"),
        Binding("up", "lead(-1)", "Previous hit", show=False, id="previous_hit"),
        Binding("down", "lead(1)", "Next hit", show=False, id="next_hit"),
        Binding("pagedown", "lead_page(1)", "Next page of hits", show=False, id="next_hits"),
        Binding("pageup", "lead_page(-1)", "Previous page of hits", show=False, id="previous_hits"),
        Binding(
            "tab", "leave", "To the hits", show=False, tooltip="Go to the hits, or to the next panel", id="to_hits"
        ),
        Binding("ctrl+s", "save", "Save", tooltip="Save this search under a name", id="save_search"),
    ]

    LEFT_OUT = frozenset(("complete", "recall", "save", "submit"))

    class Led(Message):
        """The cursor of the hits shall move."""

        def __init__(self, by: int, *, is_page: bool) -> None:
            super().__init__()
            self.by = by
            self.is_page = is_page

    class Left(Message):
        """The person goes on to the hits."""

    class Asked(Message):
        """Another question stands, and has no answer yet."""

    class Answered(Message):
        """The question that stands has its answer."""

        def __init__(
            self,
            answer: SearchResult,
            sifted: messages.SearchFiltered,
            pattern: re.Pattern[str] | None,
            *,
            is_anew: bool,
        ) -> None:
            super().__init__()
            self.answer = answer
            self.sifted = sifted
            self.pattern = pattern
            """What to light in the hits."""
            self.is_anew = is_anew
            """The same question was answered before, so the cursor should stay."""

    class Unanswered(Message):
        """The question that stands could not be answered."""

        def __init__(self, trouble: DisplayError) -> None:
            super().__init__()
            self.trouble = trouble

    class Emptied(Message):
        """There is no question any more."""

    def __init__(self, bench: Workbench, stopwatch: Callable[[], float]) -> None:
        self._suggestions = SearchSuggester(bench, lambda: self.searches.questions)
        super().__init__(placeholder=_PLACEHOLDER, suggester=self._suggestions, id="search", classes="panel")
        self.border_title = "Search"
        self.select_on_focus = False
        self.cursor_blink = False
        self.delays = Debouncer(self)
        self.searches = SavedSearches()
        self.remembered = SavedSearchLoader(self, bench.store)
        self.settling = SearchLogger(self, bench)
        self._bench = bench
        self._stopwatch = stopwatch
        self._question = SearchRequest(0, "")
        self._asked = self._answered = 0
        self._with_hits = self._settled = self._opening = 0
        """Numbers of questions: the last that was answered with hits, that was remembered, that opens its first hit."""
        self._status: tuple[SearchResult, float] | None = None
        """What answered the question that stands, and in how many milliseconds."""

    def on_mount(self) -> None:
        """Learn what was asked before."""
        self.remembered.read()

    @property
    def question(self) -> str:
        """What is asked; empty when nothing is."""
        return self._question.text

    def take(self, question: str) -> None:
        """Ask a question as if it had been typed."""
        self.value = strip_controls(question).replace("\n", " ")
        self.cursor_position = len(self.value)

    def empty(self) -> None:
        """Take the question back."""
        self.settle()
        self.value = ""
        self._change("")

    def settle(self) -> None:
        """Remember the question that stands if it has hits: it was looked at, or left with them on the screen."""
        number = self._question.number
        if number and number == self._with_hits != self._settled:
            self._settled = number
            self.remembered.asked(self.question)

    def ask_again(self) -> None:
        """Ask the question that stands once more, because the memory changed."""
        self._suggestions.forget()
        if self.question:
            self._ask()

    def ask_for_more(self) -> None:
        """Ask for further hits of the question that stands, when there are some that were not asked for yet."""
        found = self._status[0] if self._status is not None else None
        if found is not None and self._question.limit <= len(found.hits) < found.total:
            self._question = self._question.more()
            self._ask()

    @on(messages.SearchesLoaded)
    def _searches_read(self, message: messages.SearchesLoaded) -> None:
        self.searches = message.searches or self.searches
        if message.said:
            cast("RecallApp", self.app).say(message.said)

    def on_focus(self) -> None:
        """Say what the arrow does here."""
        self.placeholder = _PLACEHOLDER + _HISTORY_HINT

    def on_blur(self) -> None:
        """A question that is left with hits was worth asking."""
        self.placeholder = _PLACEHOLDER
        self.settle()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        from recall_tui.search.completion import drop_unfinished_filter

        event.stop()
        self._change(drop_unfinished_filter(event.value, self._bench.store.now()).strip())

    def _change(self, text: str) -> None:
        if text == self._question.text:
            self._say_status()
            return
        self._status = None
        self.settling.end()
        self.delays.stop("meaning")
        self._question = SearchRequest(self._question.number + 1, text)
        if text:
            self.post_message(self.Asked())
            if self._asked == self._answered:
                self._ask()
            else:
                self.delays.after("ask", SEARCH_DELAY_SECONDS, self._ask)
            self.delays.after("busy", BUSY_AFTER_SECONDS, partial(setattr, self, "border_subtitle", "searching…"))
        else:
            self.delays.stop("ask", "busy")
            self._say_status()
            self.post_message(self.Emptied())

    def _say_status(self) -> None:
        unused = self.value.strip()[len(self.question) :].strip()
        if self._status is not None:
            self.border_subtitle = status_line(*self._status, unused)
        elif not self.question:
            self.border_subtitle = Content(unused_text(unused))

    def _ask(self, *, by_meaning: bool = False) -> None:
        if by_meaning:
            self._question = self._question.by_meaning()
        question = self._question
        self._asked = question.number
        run_in_thread(
            self,
            lambda: run_search(self._bench, question, self._stopwatch),
            "ask",
            lambda trouble: messages.SearchFailed(question.number, trouble),
        )

    @on(messages.HitsFound)
    def _hits_found(self, message: messages.HitsFound) -> None:
        number, answer = message.number, message.answer
        if number != self._question.number:
            return
        self.delays.stop("busy")
        self._status = answer, message.took_ms
        self._say_status()
        is_anew = number == self._answered
        pattern = self._question.pattern_of(answer)
        self.post_message(self.Answered(answer, message.sifted, pattern, is_anew=is_anew))
        self._answered = number
        self._with_hits = number if answer.hits else 0
        self.settling.begin(number, answer)
        if number == self._opening:
            self.post_message(self.Submitted(self, self.value))
        elif self._question.by_words and self._bench.config.text("embeddings.provider"):
            self.delays.after("meaning", SEMANTIC_DELAY_SECONDS, partial(self._ask, by_meaning=True))

    @on(messages.SearchFailed)
    def _search_failed(self, message: messages.SearchFailed) -> None:
        if message.number == self._question.number:
            self.delays.stop("busy")
            self.border_subtitle = ""
            self._answered = message.number
            self.post_message(self.Unanswered(message.trouble))

    def watch__suggestion(self) -> None:
        """Let the footer speak of a suggestion that stays."""
        self.delays.after("hint", HINT_DELAY_SECONDS, self.refresh_bindings)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """What needs a suggestion, an empty line, a question or a hit."""
        number = self._question.number
        match action:
            case "complete" if not (self._suggestion and self.cursor_at_end and self.selection.is_empty):
                return "No suggestion"
            case "recall" if self.value:
                return "Clear the search first: earlier searches are listed when it is empty"
            case "save" if not self.question:
                return "The search is empty"
            case "submit" if self.question and self._answered == number != self._with_hits:
                return "No hit to open"
        return ""

    async def action_submit(self) -> None:
        """Open the hit under the cursor; of a question that waits for its answer, the first hit when it is there."""
        if self.question and self._answered != self._question.number:
            self._opening = self._question.number
            return
        await super().action_submit()

    def action_complete(self) -> None:
        """Take the suggested ending."""
        self.take(self._suggestion)

    def action_recall(self) -> None:
        """Choose among the searches of before."""
        from recall_tui.tui.screens.search.searches_modal import SavedSearchesModal

        def chosen(question: str | None) -> None:
            self.remembered.read()
            if question:
                self.screen.set_focus(self)
                self.take(question)

        self.settle()
        self.app.push_screen(SavedSearchesModal(self._bench.store, self.searches), chosen)

    def action_save(self) -> None:
        """Ask for a name for the question that stands."""
        from recall_tui.tui.screens.search.searches_modal import SearchNameModal

        question = self.question

        def named(name: str | None) -> None:
            if name:
                self.remembered.save(name, question)

        self.app.push_screen(SearchNameModal(question, self.searches), named)

    def action_leave(self) -> None:
        """Go to the hits of the question; without one to the next panel."""
        if self.question:
            self.post_message(self.Left())
        else:
            self.screen.focus_next()

    def action_lead(self, by: int) -> None:
        """Move the cursor of the hits by rows."""
        self.post_message(self.Led(by, is_page=False))

    def action_lead_page(self, by: int) -> None:
        """Move the cursor of the hits by pages."""
        self.post_message(self.Led(by, is_page=True))
