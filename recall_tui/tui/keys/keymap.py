"""Keys as the settings change them: which key does what in each place, and what is wrong with a wish.

A key that a person chose goes before one that was there; no other command loses a key of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, NamedTuple

from textual import actions
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character
from textual.screen import Screen

Chain = list[tuple[DOMNode, BindingsMap]]
"""The nodes from the focus up to the app, each with its keys."""
_MODIFIERS = frozenset(("ctrl", "shift", "alt", "meta", "super", "hyper"))
_KEY_NAMES = frozenset((*(key.value for key in Keys), *KEY_NAME_REPLACEMENTS.values()))


def apply_keymap(bindings: BindingsMap, keymap: Mapping[str, str]) -> BindingsMap:
    """The keys of one node with those that the keymap names by the command's id in the place of its own."""
    keys: dict[str, list[Binding]] = {}
    chosen: dict[str, list[Binding]] = {}
    placed: set[tuple[str, str]] = set()
    for key, binding in bindings:
        wanted = keymap.get(binding.id or "", "")
        if not wanted:
            keys.setdefault(key, []).append(binding)
        elif (binding.id or "", binding.action) not in placed:
            placed.add((binding.id or "", binding.action))
            for new in wanted.split(","):
                keys.setdefault(new, [])
                chosen.setdefault(new, []).append(binding.with_key(new))
    return BindingsMap.from_keys({key: [*chosen.get(key, ()), *own] for key, own in keys.items()})


def binding_chain(screen: Screen[object]) -> Chain:
    """The keys of a screen from its focus up to the app, as the settings have them, with those that an input takes."""
    keymap = screen.app._keymap
    start: DOMNode = screen.focused or screen
    return [(node, apply_keymap(node._bindings, keymap)) for node in start.ancestors_with_self]


class WithKeymap:
    """A screen whose keys are those that the settings name.

    Textual's own way drops the other command of a key that one of two commands leaves, and loses a command whose
    former key is a letter while an input has the focus.
    """

    @property
    def _binding_chain(self) -> Chain:
        assert isinstance(self, Screen)
        chain = binding_chain(self)
        for place, (_, bindings) in enumerate(chain):
            for node, _ in chain[:place]:
                for key in list(bindings.key_to_bindings):
                    if node.check_consume_key(key, key_to_character(key)):
                        del bindings.key_to_bindings[key]
        return chain


def is_key(name: str) -> bool:
    """Whether there is a key of this name."""
    *modifiers, key = name.split("+")
    return set(modifiers) <= _MODIFIERS and (
        len(key) == 1 or name in _KEY_NAMES or key in _KEY_NAMES or key_to_character(key) is not None
    )


class FrameClasses(NamedTuple):
    """The classes of what is there wherever a screen of the app is."""

    app: type[DOMNode]
    screen: type[DOMNode]
    rows: type[DOMNode]


def keymap_problems(keymap: Mapping[str, str], frame: FrameClasses) -> tuple[str, ...]:
    """What is wrong with the wishes: commands and keys that there are not, and two commands on one key of one place."""
    commands = command_bindings()
    known = {binding.id for _, binding in commands if binding.id}
    return tuple(dict.fromkeys((*_unknown_names(keymap, known), *_find_clashes(keymap, commands, frame))))


def _unknown_names(keymap: Mapping[str, str], known: Iterable[str]) -> Iterator[str]:
    import difflib

    names = sorted(known)
    for name, keys in keymap.items():
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            yield f"keys.{name}: there is no such command{f'; did you mean {near[0]}?' if near else ''}"
            # What stands there may be the key to a model, so it is not said.
            continue
        for key in keys.split(","):
            if key and not is_key(key):
                yield f"keys.{name} = {key}: there is no such key"


def _find_clashes(
    keymap: Mapping[str, str], commands: list[tuple[type[DOMNode], Binding]], frame: FrameClasses
) -> Iterator[str]:
    """Commands that lose a key to one that was given it; those of two places that are never there at once are none."""
    places = {node: _own_bindings(node, commands) for node, _ in commands}
    for node in places:
        here = [one for base in _coexisting_classes(node, places, frame) for one in places[base]]
        for mine in here:
            if mine.id not in keymap:
                continue
            for key in _keys_of(mine, keymap):
                for other in here:
                    if other.id != mine.id and other.description and key in _keys_of(other, keymap):
                        first, second = sorted((mine, other), key=lambda one: (one.id not in keymap, one.id or ""))
                        yield f"keys.{first.id} = {key}: {second.description} ({second.id}) also uses this key"


def _own_bindings(node: type[DOMNode], commands: list[tuple[type[DOMNode], Binding]]) -> list[Binding]:
    return [binding for one, binding in commands if one is node]


def _coexisting_classes(
    node: type[DOMNode], places: Iterable[type[DOMNode]], frame: FrameClasses
) -> list[type[DOMNode]]:
    """What is there whenever a place is: its bases, around a screen the app, and in a screen what any may hold."""
    around: tuple[type[DOMNode], ...] = (node,)
    if issubclass(node, frame.screen):
        around = (node, frame.rows, frame.app)
    elif not issubclass(node, Screen):
        around = (node, frame.app)
    return [place for place in places if any(issubclass(one, place) for one in around)]


def _keys_of(binding: Binding, keymap: Mapping[str, str]) -> list[str]:
    return (keymap.get(binding.id or "") or binding.key).split(",")


def command_bindings() -> list[tuple[type[DOMNode], Binding]]:
    """Every binding of the app, with the class that declares it."""
    import importlib
    import pkgutil

    from recall_tui import tui

    found: list[tuple[type[DOMNode], Binding]] = []
    for module in pkgutil.walk_packages(tui.__path__, f"{tui.__name__}."):
        for one in vars(importlib.import_module(module.name)).values():
            if isinstance(one, type) and issubclass(one, DOMNode) and one.__module__ == module.name:
                own = one.__dict__.get("BINDINGS", ())
                found += ((one, binding) for binding in Binding.make_bindings(own))
    return found


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
