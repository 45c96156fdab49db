"""A panel of the health screen: rows of sign, word and reason.

State is never colour alone: the sign says it, and the word beside it.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.tui.screens.health.agents_view_model import ActionKind
from recall_tui.tui.screens.health.view_model import HealthPart, HealthRow, PartName, RowState
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import NO_ROW, RowList

STATE_SIGNS: dict[RowState, tuple[str, str]] = {
    "good": ("● ", "$success"),
    "plain": ("○ ", "$text-muted"),
    "warn": ("▲ ", "$warning"),
    "bad": ("■ ", "$error"),
}
_WORD_WIDTH = 12


class HealthList(RowList[HealthRow]):
    """One part of the memory's health."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Whole", show=False, tooltip="Show the row under the cursor, whole", id="whole"),
    ]

    def __init__(self, part: PartName, title: str) -> None:
        super().__init__(id=part, classes="panel")
        self.part = part
        self.border_title = title
        self._summary = ""
        self._lead_width = 0

    def take(self, looked: HealthPart) -> None:
        """Show what was looked at."""
        self._summary = looked.summary
        self._lead_width = max((len(plain_line(row.lead)) for row in looked.rows), default=0)
        self.border_subtitle = plain_text(plain_line(looked.summary))
        self.show(looked.rows, Content(looked.words))

    def say(self, words: str) -> None:
        """Say in the border what goes on; nothing brings the summary back."""
        self.border_subtitle = plain_text(plain_line(words or self._summary))

    def draw(self, item: HealthRow, width: int) -> Content:
        """A row."""
        sign, style = STATE_SIGNS[item.state]
        word = Content(f"{plain_line(item.word):<{_WORD_WIDTH}}").truncate(_WORD_WIDTH, ellipsis=True)
        word = word if item.state == "plain" else word.stylize("bold")
        lead = f"{plain_line(item.lead):<{self._lead_width}}  " if item.lead else ""
        return Content.assemble(" ", (sign, style), word, " ", (lead, "$text-muted"), plain_line(item.text))

    def key_of(self, item: HealthRow) -> object:
        """What it says; a transcript and an agent are the same whatever became of them meanwhile."""
        return item.path or ((item.agent, item.scope) if item.agent else (item.word, item.lead, item.text))


class CaptureList(HealthList):
    """The sessions that expire soon."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "archive", "Archive", tooltip="Archive the session under the cursor", id="archive_session"),
    ]

    LEFT_OUT = RowList.LEFT_OUT | {"archive"}

    class Wanted(RowList.FromRows):
        """The session under the cursor shall be archived."""

    def watch_cursor(self) -> None:
        """Not every session can be archived."""
        super().watch_cursor()
        self.refresh_bindings()

    def action_archive(self) -> None:
        """Ask for it to be archived."""
        self.post_message(self.Wanted(self))

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what is not archived can be."""
        if action != "archive" or (self.current is not None and self.current.path is not None):
            return super().why_not(action, parameters)
        return "This session is archived, or holds nothing to archive" if self.current is not None else NO_ROW


class AgentList(HealthList):
    """The agents that the memory can be installed into."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "wish('install')", "Install", tooltip="Show what installing would change", id="install"),
        Binding("x", "wish('uninstall')", "Uninstall", tooltip="Show what uninstalling would change", id="uninstall"),
    ]

    LEFT_OUT = RowList.LEFT_OUT | {"wish"}

    class Wished(RowList.FromRows):
        """Something shall be done to the agent under the cursor."""

        def __init__(self, rows: RowList[HealthRow], way: ActionKind) -> None:
            super().__init__(rows)
            self.way = way

    def watch_cursor(self) -> None:
        """Not every agent is there, and not in every one is something installed."""
        super().watch_cursor()
        self.refresh_bindings()

    def action_wish(self, way: ActionKind) -> None:
        """Ask for what it would change."""
        self.post_message(self.Wished(self, way))

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what is there can be installed into, and only what is installed be taken out."""
        row = self.current
        if action != "wish":
            return super().why_not(action, parameters)
        if row is None:
            return NO_ROW
        if not row.agent:
            return "These agents were not found on this machine"
        if parameters == ("uninstall",) and not row.is_installed:
            return f"Nothing of this memory is installed in {row.lead}"
        return ""
