"""Where a question is typed, asked and told how it fared.

Typing never waits: questions are asked in a thread, and the answer to an older question is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from recall_tui.domain import Answer
from recall_tui.tui import messages
from recall_tui.tui.asking import Question, ask
from recall_tui.tui.seen import Trouble
from recall_tui.tui.work import Delays, in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

ASK_DELAY = 0.02
"""Seconds between the last key and the question."""
BUSY_AFTER = 0.15
"""Seconds before a question says that it is still being answered."""


class SearchBox(Input):
    """The search in its panel; it leads the cursor of the hits without losing the focus."""

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

    class Answered(Message):
        """The question that stands has its answer."""

        def __init__(self, answer: Answer, pattern: re.Pattern[str] | None, *, is_anew: bool) -> None:
            super().__init__()
            self.answer = answer
            self.pattern = pattern
            """What to light in the hits."""
            self.is_anew = is_anew
            """The same question was answered before, so the cursor should stay."""

    class Unanswered(Message):
        """The question that stands could not be answered."""

        def __init__(self, trouble: Trouble) -> None:
            super().__init__()
            self.trouble = trouble

    class Emptied(Message):
        """There is no question any more."""

    def __init__(self, bench: Workbench, stopwatch: Callable[[], float]) -> None:
        super().__init__(placeholder="a question in words, or kind: since: project: …", id="search", classes="panel")
        self.border_title = "Search"
        self.select_on_focus = False
        self.cursor_blink = False
        self.delays = Delays(self)
        self._bench = bench
        self._stopwatch = stopwatch
        self._question = Question(0, "")
        self._answered = 0

    @property
    def question(self) -> str:
        """What is asked; empty when nothing is."""
        return self._question.text

    def empty(self) -> None:
        """Take the question back."""
        self.value = ""
        self._change("")

    def ask_again(self) -> None:
        """Ask the question that stands once more, because the memory changed."""
        if self.question:
            self._ask()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._change(event.value.strip())

    def _change(self, text: str) -> None:
        if text == self._question.text:
            return
        self._question = Question(self._question.number + 1, text)
        if text:
            self.delays.after("ask", ASK_DELAY, self._ask)
            self.delays.after("busy", BUSY_AFTER, self._say_busy)
        else:
            self.delays.stop("ask", "busy")
            self.border_subtitle = ""
            self.post_message(self.Emptied())

    def _say_busy(self) -> None:
        self.border_subtitle = "searching…"

    def _ask(self) -> None:
        question = self._question
        in_thread(
            self,
            lambda: ask(self._bench, question, self._stopwatch),
            "ask",
            lambda trouble: messages.SearchFailed(question.number, trouble),
        )

    @on(messages.HitsFound)
    def _hits_found(self, message: messages.HitsFound) -> None:
        number, answer = message.number, message.answer
        if number != self._question.number:
            return
        self.delays.stop("busy")
        self.border_subtitle = _status(answer, message.took_ms)
        self.post_message(self.Answered(answer, self._question.pattern_of(answer), is_anew=number == self._answered))
        self._answered = number

    @on(messages.SearchFailed)
    def _search_failed(self, message: messages.SearchFailed) -> None:
        if message.number == self._question.number:
            self.delays.stop("busy")
            self.border_subtitle = ""
            self.post_message(self.Unanswered(message.trouble))

    def action_lead(self, by: int) -> None:
        """Move the cursor of the hits by rows."""
        self.post_message(self.Led(by, is_page=False))

    def action_lead_page(self, by: int) -> None:
        """Move the cursor of the hits by pages."""
        self.post_message(self.Led(by, is_page=True))


def _status(answer: Answer, took_ms: float) -> str:
    hits = f"{answer.total} hit{'' if answer.total == 1 else 's'}"
    return f"{answer.rung} · {hits} · {took_ms:.0f} ms" if answer.hits else f"nothing found · {took_ms:.0f} ms"
