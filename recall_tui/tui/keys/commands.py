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

from recall_tui.tui.keys.keymap import chain_of


@dataclass(frozen=True, slots=True)
class Command:
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


def live(screen: Screen[object]) -> Iterator[Command]:
    """The commands of the focused widget, then of what holds it, up to the app; keys that an input takes stay in."""
    app = screen.app
    taken: set[str] = set()
    for node, bound in chain_of(screen):
        groups: dict[str, list[Binding]] = {}
        for key, binding in bound:
            if key in taken or not _works(node, binding):
                continue
            if binding.description and not binding.system:
                groups.setdefault(binding.action, []).append(binding)
            taken.add(key)
        for action, bindings in groups.items():
            first = bindings[0]
            keys = tuple(_shown(app, binding) for binding in bindings)
            is_shown = any(binding.show for binding in bindings) or bool(first.tooltip)
            yield Command(first.description, first.tooltip, keys, action, node, is_shown)


def _works(node: DOMNode, binding: Binding) -> bool:
    namespace, name, parameters = actions.parse(binding.action)
    target = {"app": node.app, "screen": node.screen}.get(namespace, node)
    return target.check_action(name, parameters) is not False


def _shown(app: App[object], binding: Binding) -> str:
    return app.get_key_display(binding)
