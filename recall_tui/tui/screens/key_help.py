"""Help: the keys that work where it was asked for, read off the live bindings.

It has no list of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from recall_tui.tui.keys.commands import LiveCommand, live_commands
from recall_tui.tui.keys.key_labels import display_key
from recall_tui.tui.keys.keymap import apply_keymap
from recall_tui.tui.modal import Modal
from recall_tui.tui.text import plain_text

_MAX_TITLE_CHARS = 30


class KeyHelp(Modal[None]):
    """The keys of a panel, of its screen, and those that work everywhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "Close", id="close_help"),
    ]

    def __init__(self, asked_on: Screen[object]) -> None:
        super().__init__()
        self._groups = _key_groups(list(live_commands(asked_on)))

    def compose(self) -> ComposeResult:
        """The keys in their panel."""
        panel = VerticalScroll(id="keys", classes="panel")
        panel.border_title = "Keys"
        own = apply_keymap(self._bindings, self.app._keymap)
        closing = next(key for key, binding in own if binding.id == "close_help")
        panel.border_subtitle = plain_text(f"{display_key(closing)} closes")
        with panel:
            yield Static(_table(self._groups))

    def on_mount(self) -> None:
        """Let the arrows scroll."""
        self.query_one("#keys").focus()


def _key_groups(commands: Sequence[LiveCommand]) -> list[tuple[str, list[LiveCommand]]]:
    groups: dict[str, list[LiveCommand]] = {}
    for command in commands:
        groups.setdefault(_name_of(command), []).append(command)
    return [(name, found) for name, found in groups.items() if found]


def _name_of(command: LiveCommand) -> str:
    node = command.node
    if isinstance(node, App):
        return "Everywhere"
    if isinstance(node, Screen):
        return "This screen"
    title = node.border_title if isinstance(node, Widget) else None
    # The title of a document is data, and long.
    return f"This panel: {title}" if title and len(title) <= _MAX_TITLE_CHARS else "This panel"


def _describe(command: LiveCommand) -> str:
    """The sentence of a command, after the name that it has in the footer or among the screens, if that is another."""
    if not command.help or command.help.startswith(command.title):
        return command.help or command.title
    is_named = isinstance(command.node, App) and command.action.startswith("go(")
    return f"{command.title}: {command.help}" if is_named else command.help


def _table(groups: Sequence[tuple[str, list[LiveCommand]]]) -> Content:
    lines: list[Content] = []
    keys = {id(command): " ".join(command.keys) for _, found in groups for command in found}
    width = max(map(len, keys.values()), default=0)
    for name, found in groups:
        lines += (
            [Content(""), Content(name).stylize("bold $accent")] if lines else [Content(name).stylize("bold $accent")]
        )
        for command in found:
            lines.append(Content.assemble((f"  {keys[id(command)]:<{width}}  ", "bold"), _describe(command)))
    return Content("\n").join(lines)
