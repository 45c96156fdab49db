"""A screen that asks for one line, over the screen it was asked for on.

As the line is typed, what it would mean is said below it; nothing but what was meant is handed back.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from recall_tui.errors import RecallError
from recall_tui.tui.modal import Modal
from recall_tui.tui.text import plain_line
from recall_tui.tui.widgets.footer import KeyFooter

T = TypeVar("T")
_EXPECTED_ERRORS = (RecallError, OSError, ValueError)


class PromptModal(Modal[T | None]):
    """One line; dismissed with what it means, or with None when it is left."""

    AUTO_FOCUS = "Input"
    PANEL: ClassVar[str]
    """The id of the panel."""

    def title_words(self) -> str:
        """What is asked for."""
        raise NotImplementedError

    def box(self) -> Input:
        """Where the line is typed."""
        raise NotImplementedError

    def below(self) -> Widget:
        """What is said under the line."""
        raise NotImplementedError

    def meaning(self, text: str) -> str:
        """What the line means as it is now; RecallError for what it cannot mean."""
        raise NotImplementedError

    def value(self, text: str) -> T:
        """What is handed back for the line; RecallError when that is nothing."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The line, and what is said under it."""
        panel = Vertical(id=self.PANEL, classes="panel")
        panel.border_title = Content(self.title_words())
        with panel:
            box = self.box()
            box.cursor_blink = False
            yield box
            yield self.below()
        yield KeyFooter(has_palette=False)

    def say(self, words: str) -> None:
        """Say something in the panel's border."""
        self.query_one(f"#{self.PANEL}").border_subtitle = Content(plain_line(words))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.typed(event.value)

    def typed(self, text: str) -> None:
        """Say what the line means."""
        try:
            self.say(self.meaning(text))
        except _EXPECTED_ERRORS as trouble:
            self.say(f"▲ {trouble}")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self.dismiss(self.value(event.value))
        except _EXPECTED_ERRORS as trouble:
            self.say(f"▲ {trouble}")

    def action_close(self) -> None:
        """Leave without an answer."""
        self.dismiss(None)
