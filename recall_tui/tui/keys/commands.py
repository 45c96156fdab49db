"""The commands that work now, read off the live key bindings.

A binding is declared once, where it acts; footer, palette and help are all made from what this finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual import actions
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from recall_tui.tui.keys.keymap import binding_chain

_SCROLLING = {
    "scroll_up": "Scroll up",
    "scroll_down": "Scroll down",
    "scroll_left": "Scroll left",
    "scroll_right": "Scroll right",
    "scroll_home": "Start",
    "scroll_end": "End",
    "page_up": "Previous page",
    "page_down": "Next page",
    "page_left": "Scroll left by a page",
    "page_right": "Scroll right by a page",
}
"""Textual's actions of whatever scrolls, with their names in the help."""
_SIDEWAYS = frozenset(("scroll_left", "scroll_right", "page_left", "page_right"))


@dataclass(frozen=True, slots=True)
class LiveCommand:
    """Something a person can do here and now."""

    title: str
    help: str
    keys: tuple[str, ...]
    """As they are shown, the first one first."""
    action: str
    node: DOMNode
    """Where the action is carried out."""
    is_shown: bool
    """Worth a place in the footer or the palette; movement in a list is not."""


def live_commands(screen: Screen[object]) -> Iterator[LiveCommand]:
    """The commands of the focused widget, then of what holds it, up to the app; keys that an input takes stay in."""
    app = screen.app
    taken: set[str] = set()
    for node, bound in binding_chain(screen):
        groups: dict[str, list[Binding]] = {}
        for key, binding in bound:
            if key in taken or not _is_available(node, binding):
                continue
            if binding.description and not binding.system:
                groups.setdefault(binding.action, []).append(binding)
            taken.add(key)
        for action, bindings in groups.items():
            first = bindings[0]
            keys = tuple(_key_label(app, binding) for binding in bindings)
            is_shown = any(binding.show for binding in bindings) or bool(first.tooltip)
            title = _SCROLLING.get(action, first.description)
            yield LiveCommand(title, first.tooltip, keys, action, node, is_shown)


def _is_available(node: DOMNode, binding: Binding) -> bool:
    namespace, name, parameters = actions.parse(binding.action)
    if name in _SCROLLING and isinstance(node, Widget) and not _can_scroll(node, name):
        return False
    target = {"app": node.app, "screen": node.screen}.get(namespace, node)
    return target.check_action(name, parameters) is not False


def _can_scroll(node: Widget, action: str) -> bool:
    return node.allow_horizontal_scroll if action in _SIDEWAYS else node.allow_vertical_scroll


def _key_label(app: App[object], binding: Binding) -> str:
    return app.get_key_display(binding)
