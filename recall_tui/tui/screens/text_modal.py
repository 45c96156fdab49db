"""Words over the screen they were asked for on: a row in full, or a plan as a diff, to be done or left.

What is shown is data; a plan is done only when the person says so.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from recall_tui.tui.modal import Modal
from recall_tui.tui.text import plain_line, plain_text, strip_controls
from recall_tui.tui.widgets.footer import KeyFooter

_STYLES = {"+": "$success", "-": "$error", "@": "$accent"}


class TextModal(Modal[bool]):
    """Words that did not fit where they stood; dismissed with False."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Back", tooltip="Back to where you were", id="close_words"),
    ]

    def __init__(self, title: str, words: Content) -> None:
        super().__init__()
        self._title = title
        self._words = words

    def compose(self) -> ComposeResult:
        """The words in their panel."""
        panel = VerticalScroll(Static(self._words), id="said", classes="panel")
        panel.border_title = plain_text(plain_line(self._title))
        yield panel
        yield KeyFooter(has_palette=False)

    def on_mount(self) -> None:
        """Let the arrows scroll."""
        self.query_one("#said").focus()

    def action_close(self) -> None:
        """Do nothing."""
        self.dismiss(False)


class PlanModal(TextModal):
    """A plan as a diff; dismissed with True when it shall be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "do", "Apply", tooltip="Apply these changes; u undoes them", id="do_plan"),
    ]

    def action_do(self) -> None:
        """Have it done."""
        self.dismiss(True)


class ForgetModal(TextModal):
    """What forgetting removes; dismissed with True when it shall be removed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "do", "Forget", tooltip="Remove all this; it cannot be undone", id="do_forget"),
    ]

    def action_do(self) -> None:
        """Have it removed."""
        self.dismiss(True)


def color_diff(diff: str) -> Content:
    """A diff with its lines in colour; their signs say the same."""
    lines = (strip_controls(line) for line in diff.split("\n"))
    return Content("\n").join(Content(line).stylize(_STYLES.get(line[:1], "")) for line in lines)
