"""Our hooks among an agent's settings, in the shape that Claude Code, Codex and Gemini CLI share.

Every byte that is not ours stays, in a group that we share with others too; what has a wrong shape is refused whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.agents.hook_command import is_ours, is_recall_echos, root_of, words_of
from recall_tui.agents.pieces import json_edit
from recall_tui.agents.pieces.json_edit import Node, Step
from recall_tui.agents.target import State

if TYPE_CHECKING:
    from recall_tui.agents.target import Piece

_HOOKS = "hooks"
"""The key of the settings, and that of a group."""
_OFF = "disableAllHooks"


class Hook(NamedTuple):
    """What is to run at one event."""

    event: str
    """As the agent calls it."""
    fields: Mapping[str, object]
    """What the agent takes beside the command, such as `timeout`, in the order in which it is written."""
    matcher: str = ""
    """Which of the event's kinds; empty for all of them."""


class _Found(NamedTuple):
    """A handler in the file."""

    event: str
    group: int
    place: int
    node: Node
    of: Node
    """Its group."""

    @property
    def is_alone(self) -> bool:
        """Nothing else is in its group."""
        inner = self.of.get(_HOOKS)
        return inner is not None and len(inner.children) == 1

    @property
    def steps(self) -> tuple[Step, ...]:
        """The way to what is ours: the group when nothing else is in it, else the handler."""
        group: tuple[Step, ...] = (_HOOKS, self.event, self.group)
        return group if self.is_alone else (*group, _HOOKS, self.place)


@dataclass(frozen=True, slots=True)
class HookSettings:
    """The hooks of one memory in one settings file."""

    path: Path
    command: str
    """The line that each of them runs."""
    hooks: tuple[Hook, ...]

    @property
    def what(self) -> str:
        """What it is, for a person."""
        return "hooks"

    def state(self, text: str | None) -> State:
        """Current when each event has our hook as it should be, once, and absent when there is none of ours."""
        if text is None or _is_blank(text):
            return State.ABSENT
        found = list(_handlers(self._checked(text)))
        ours = [one for one in found if _is_ours(one)]
        if not ours:
            return State.ABSENT
        wanted = {hook.event: hook for hook in self.hooks}
        is_whole = sorted(one.event for one in ours) == sorted(wanted)
        is_right = is_whole and all(self._is_right(one, wanted[one.event]) for one in ours)
        return State.CURRENT if is_right and not any(map(_is_recall_echos, found)) else State.OUTDATED

    def installed(self, text: str | None) -> str:
        """The settings with our hooks, each once, in the place of older ones and of recall-echo's."""
        if text is None:
            first, *others = self.hooks
            text = json_edit.new_document((_HOOKS, first.event), self._group(first))
            hooks = others
        else:
            if not _is_blank(text):
                self._checked(text)
            hooks = list(self.hooks)
        for hook in hooks:
            text = self._with(text, hook)
        left = self._without(text, self._is_superfluous)
        assert left is not None, "our own hooks are there"
        return left

    def removed(self, text: str) -> str | None:
        """The settings without our hooks; None when the file was made for them and nothing else came into it."""
        if _is_blank(text):
            return text
        self._checked(text)
        return self._without(text, lambda one, _: _is_ours(one))

    def commands(self, text: str | None) -> tuple[str, ...]:
        """The lines that our hooks in the file run, each once."""
        if text is None or _is_blank(text):
            return ()
        found = (one.node.plain() for one in _handlers(self._checked(text)) if _is_ours(one))
        return tuple(dict.fromkeys(str(one["command"]) for one in found if "args" not in one))

    def roots(self, text: str | None) -> tuple[Path, ...]:
        """The memories that our hooks in the file are for, each once."""
        if text is None or _is_blank(text):
            return ()
        found = (root_of(_words_of(one)) for one in _handlers(self._checked(text)))
        return tuple(dict.fromkeys(Path(root) for root in found if root))

    def is_off(self, text: str | None) -> bool:
        """Whether the settings turn all hooks off."""
        if text is None or _is_blank(text):
            return False
        off = self._checked(text).get(_OFF)
        return off is not None and off.plain() is True

    def _handler(self, hook: Hook) -> dict[str, object]:
        return {"type": "command", "command": self.command, **hook.fields}

    def _group(self, hook: Hook) -> dict[str, object]:
        matcher = {"matcher": hook.matcher} if hook.matcher else {}
        return {**matcher, _HOOKS: [self._handler(hook)]}

    def _is_right(self, one: _Found, hook: Hook) -> bool:
        if one.is_alone:
            return bool(one.of.plain() == self._group(hook))
        return bool(one.node.plain() == self._handler(hook))

    def _with(self, text: str, hook: Hook) -> str:
        """The text with the event's hook, in the place of an older one of ours."""
        if _is_blank(text):
            return json_edit.inserted(text, self.path, (_HOOKS, hook.event), self._group(hook))
        there = _handlers(json_edit.parse(text, self.path))
        one = next((one for one in there if one.event == hook.event and _is_ours(one)), None)
        if one is None:
            return json_edit.inserted(text, self.path, (_HOOKS, hook.event), self._group(hook))
        if self._is_right(one, hook):
            return text
        value = self._group(hook) if one.is_alone else self._handler(hook)
        return json_edit.replaced(text, self.path, one.steps, value)

    def _is_superfluous(self, one: _Found, others: list[_Found]) -> bool:
        """Whether a handler goes at an installation: recall-echo's, ours at another event, ours a second time."""
        if _is_recall_echos(one):
            return True
        if not _is_ours(one):
            return False
        is_wanted = any(hook.event == one.event for hook in self.hooks)
        return not is_wanted or any(_is_ours(other) and other.event == one.event for other in others)

    def _without(self, text: str, goes: Callable[[_Found, list[_Found]], bool]) -> str | None:
        """The text without the handlers that go; each is asked about with those before it."""
        left: str | None = text
        while left is not None and not _is_blank(left):
            found = list(_handlers(json_edit.parse(left, self.path)))
            gone = next((one for place, one in enumerate(found) if goes(one, found[:place])), None)
            if gone is None:
                return left
            left = json_edit.removed(left, self.path, gone.steps)
        return left

    def _checked(self, text: str) -> Node:
        """The file's value; BrokenFileError unless everything on the way to our hooks has the shape it should have."""
        root = json_edit.parse(text, self.path)
        self._expect(text, root, "object", "the settings are")
        hooks = root.get(_HOOKS)
        if hooks is None:
            return root
        self._expect(text, hooks, "object", "hooks is")
        for event in (hook.event for hook in self.hooks):
            groups = hooks.get(event)
            if groups is None:
                continue
            self._expect(text, groups, "array", f"hooks.{event} is")
            for group in groups.children:
                self._expect(text, group.node, "object", f"each group of hooks.{event} is")
                inner = group.node.get(_HOOKS)
                if inner is not None:
                    self._expect(text, inner, "array", f"the hooks of a group of hooks.{event} are")
        return root

    def _expect(self, text: str, node: Node, kind: str, what: str) -> None:
        if node.kind != kind:
            raise json_edit.broken(self.path, text, node.start, f"{what} to be an {kind}")


def _handlers(root: Node) -> Iterator[_Found]:
    """Every handler of every event, as they stand; what has another shape is passed over."""
    hooks = root.get(_HOOKS)
    for event in hooks.children if hooks is not None and hooks.kind == "object" else ():
        for group, child in enumerate(event.node.children if event.node.kind == "array" else ()):
            inner = child.node.get(_HOOKS) if child.node.kind == "object" else None
            for place, handler in enumerate(inner.children if inner is not None and inner.kind == "array" else ()):
                if handler.node.kind == "object":
                    yield _Found(event.key, group, place, handler.node, child.node)


def _words_of(one: _Found) -> tuple[str, ...]:
    value = one.node.plain()
    return words_of(value.get("command"), value.get("args"))


def _is_ours(one: _Found) -> bool:
    return is_ours(_words_of(one))


def _is_recall_echos(one: _Found) -> bool:
    value = one.node.plain()
    return is_recall_echos(value.get("command"), value.get("args"))


def _is_blank(text: str) -> bool:
    return not text.strip(" \t\r\n\ufeff")


if TYPE_CHECKING:
    _: type[Piece] = HookSettings
