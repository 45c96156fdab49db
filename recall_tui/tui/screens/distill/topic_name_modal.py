"""Asks for the topic file that a section shall go to.

Nothing is written here; the name that was typed is handed back, and it is one that a topic file may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.storage.documents.topic_files import MAX_NAME_CHARS, find_topic
from recall_tui.tui.screens.prompt_modal import PromptModal
from recall_tui.tui.text import plain_line

if TYPE_CHECKING:
    from recall_tui.storage.layout import Layout


class TopicBox(Input):
    """Where the name of a topic file is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Use", tooltip="Extract to the file of this name", id="use_topic"),
        Binding("escape", "screen.close", "Back", tooltip="Back without changing the name", id="close_topic"),
    ]


class TopicNameModal(PromptModal[str]):
    """The name of a topic file; dismissed with it, or with nothing typed for the suggested one."""

    PANEL = "topic-name"

    def __init__(self, layout: Layout, section: str, name: str) -> None:
        super().__init__()
        self._layout = layout
        self._section = section
        self._before = name

    def title_words(self) -> str:
        """What is asked for."""
        return "Extract to"

    def box(self) -> Input:
        """The name, as it was."""
        return TopicBox(
            self._before, id="topic", placeholder="a plain name such as debugging.md", max_length=MAX_NAME_CHARS + 3
        )

    def below(self) -> Label:
        """What goes there."""
        return Label(Content.assemble("the section ", (plain_line(self._section), "bold")), id="section")

    def meaning(self, text: str) -> str:
        """Whether the file is new."""
        if not text.strip():
            return "empty: the suggested name"
        path = find_topic(self._layout, text)
        return f"is appended to {path.name}" if path.exists() else "a new file"

    def value(self, text: str) -> str:
        """The name, if a topic file may have it."""
        if text.strip():
            find_topic(self._layout, text)
        return text.strip()
