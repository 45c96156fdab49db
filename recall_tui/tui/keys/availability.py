"""Why a key does nothing now: one answer for the footer, which dims it, for the palette, and for the key when pressed.

Who offers an action says in `unavailable_reason` what stands in its way; nothing else decides it.
"""

from __future__ import annotations

from typing import ClassVar

from textual import actions
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from recall_tui.tui.keys.keymap import binding_chain


class ExplainsDisabledKeys:
    """A widget, a screen or the app whose keys say why they do nothing."""

    LEFT_OUT: ClassVar[frozenset[str]] = frozenset()
    """Actions that the footer leaves out while something stands in their way; the others are dim then."""

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """What stands in the way of an action now; empty when nothing does."""
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action works now: True, None for a dim key, False for one that is left out."""
        if not self.why_not(action, parameters):
            return True
        return False if action in self.LEFT_OUT else None


def unavailable_reason(node: DOMNode, action: str) -> str:
    """What stands in the way of an action that a node offers; empty when nothing does, or nobody can say."""
    namespace, name, parameters = actions.parse(action)
    target = {"app": node.app, "screen": node.screen}.get(namespace, node)
    return target.why_not(name, parameters) if isinstance(target, ExplainsDisabledKeys) else ""


def disabled_key_reason(screen: Screen[object], key: str) -> str:
    """What stands in the way of what a key would do here; empty when it does something, or is no key of this place."""
    active = screen.active_bindings.get(key)
    if active is not None:
        return "" if active.enabled else unavailable_reason(active.node, active.binding.action)
    return next(
        filter(None, (unavailable_reason(node, binding.action) for node, binding in _bindings_for(screen, key))), ""
    )


def _bindings_for(screen: Screen[object], key: str) -> list[tuple[DOMNode, Binding]]:
    found: list[tuple[DOMNode, Binding]] = []
    for node, bindings in binding_chain(screen):
        found += ((node, binding) for binding in bindings.key_to_bindings.get(key, ()))
        if node.is_modal:
            break
    return found
