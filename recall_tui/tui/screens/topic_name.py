"""Asks for the topic file that a section shall go to, over the screen it was asked for on.

Nothing is written here; the name that was typed is handed back, and it is one that a topic file may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.errors import RecallError
from recall_tui.storage.topic_files import MAX_CHARACTERS, topic_at
from recall_tui.tui.screens.modal import Modal
from recall_tui.tui.text import one_line
from recall_tui.tui.widgets.key_line import KeyLine

if TYPE_CHECKING:
    from recall_tui.storage.layout import Layout


class TopicBox(Input):
    """Where the name of a topic file is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Use", tooltip="Extract to the file of this name", id="use_topic"),
        Binding("escape", "screen.close", "Back", tooltip="Back; the name stays as it was", id="close_topic"),
    ]


class TopicName(Modal[str | None]):
    """The name of a topic file; dismissed with it, with nothing typed for the suggested one, or with None."""

    AUTO_FOCUS = "#topic"

    def __init__(self, layout: Layout, section: str, name: str) -> None:
        super().__init__()
        self._layout = layout
        self._section = section
        self._before = name

    def compose(self) -> ComposeResult:
        """The name and what goes there."""
        panel = Vertical(id="topic-name", classes="panel")
        panel.border_title = "Extract to"
        with panel:
            box = TopicBox(
                self._before, id="topic", placeholder="a plain name such as debugging.md", max_length=MAX_CHARACTERS + 3
            )
            box.cursor_blink = False
            yield box
            yield Label(Content.assemble("the section ", (one_line(self._section), "bold")), id="section")
        yield KeyLine(has_palette=False)

    @on(Input.Changed, "#topic")
    def _typed(self, event: Input.Changed) -> None:
        """Say what the name would mean."""
        event.stop()
        self._say(self._meaning(event.value))

    @on(Input.Submitted, "#topic")
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip() and (trouble := self._trouble(event.value)):
            self._say(trouble)
        else:
            self.dismiss(event.value.strip())

    def _meaning(self, name: str) -> str:
        if not name.strip():
            return "empty: the suggested name"
        if trouble := self._trouble(name):
            return trouble
        path = topic_at(self._layout, name)
        return f"goes to the end of {one_line(path.name)}, which is there" if path.exists() else "a new file"

    def _trouble(self, name: str) -> str:
        try:
            topic_at(self._layout, name)
        except (RecallError, OSError) as error:
            return f"▲ {one_line(str(error))}"
        return ""

    def _say(self, words: str) -> None:
        self.query_one("#topic-name").border_subtitle = Content(words)

    def action_close(self) -> None:
        """Change nothing."""
        self.dismiss(None)
