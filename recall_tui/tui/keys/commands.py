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

from recall_tui.tui.keys.keymap import binding_chain


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
            yield LiveCommand(first.description, first.tooltip, keys, action, node, is_shown)


def _is_available(node: DOMNode, binding: Binding) -> bool:
    namespace, name, parameters = actions.parse(binding.action)
    target = {"app": node.app, "screen": node.screen}.get(namespace, node)
    return target.check_action(name, parameters) is not False


def _key_label(app: App[object], binding: Binding) -> str:
    return app.get_key_display(binding)
