"""Our hooks among an agent's settings, in the shape that Claude Code, Codex and Gemini CLI share.

Every byte that is not ours stays, in a group that we share with others too; what has a wrong shape is refused whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui import files
from recall_tui.agents.hook_command import find_predecessor, is_own_hook, memory_root_of, split_command
from recall_tui.agents.pieces import json_edit
from recall_tui.agents.pieces.json_edit import JsonNode, PathStep
from recall_tui.agents.target import State
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from recall_tui.agents.target import Piece

_HOOKS_KEY = "hooks"
"""The key of the settings, and that of a group."""
_DISABLE_KEY = "disableAllHooks"


class Hook(NamedTuple):
    """What is to run at one event."""

    event: str
    """As the agent calls it."""
    fields: Mapping[str, object]
    """What the agent takes beside the command, such as `timeout`, in the order in which it is written."""
    matcher: str = ""
    """Which of the event's kinds; empty for all of them."""


def are_hooks_off(path: Path) -> bool:
    """Whether a file of settings says that no hook is to run; one that cannot be read says nothing."""
    try:
        data = files.read_file(path, files.MAX_SETTINGS_BYTES)
        found = json_edit.parse_json(data.decode("utf-8", "replace"), path).get(_DISABLE_KEY)
        return found is not None and found.plain() is True
    except (OSError, RecallError, ValueError, RecursionError):
        return False


class _Handler(NamedTuple):
    """A handler in the file."""

    event: str
    group: int
    place: int
    node: JsonNode
    of: JsonNode
    """Its group."""

    @property
    def is_alone(self) -> bool:
        """Nothing else is in its group."""
        inner = self.of.get(_HOOKS_KEY)
        return inner is not None and len(inner.children) == 1

    @property
    def steps(self) -> tuple[PathStep, ...]:
        """The way to what is ours: the group when nothing else is in it, else the handler."""
        group: tuple[PathStep, ...] = (_HOOKS_KEY, self.event, self.group)
        return group if self.is_alone else (*group, _HOOKS_KEY, self.place)


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
        if text is None or json_edit.is_blank(text):
            return State.ABSENT
        found = list(_find_handlers(self._checked(text)))
        ours = [one for one in found if _is_own_handler(one)]
        if not ours:
            return State.PREDECESSOR if any(map(_predecessor_of, found)) else State.ABSENT
        wanted = {hook.event: hook for hook in self.hooks}
        is_whole = sorted(one.event for one in ours) == sorted(wanted)
        is_right = is_whole and all(self._is_right(one, wanted[one.event]) for one in ours)
        return State.CURRENT if is_right and not any(map(_predecessor_of, found)) else State.OUTDATED

    def installed(self, text: str | None) -> str:
        """The settings with our hooks, each once, in the place of older ones and of its predecessors'."""
        if text is None:
            first, *others = self.hooks
            text = json_edit.render_document((_HOOKS_KEY, first.event), self._group(first))
            hooks = others
        else:
            if not json_edit.is_blank(text):
                self._checked(text)
            hooks = list(self.hooks)
        for hook in hooks:
            text = self._with(text, hook)
        left = self._without(text, self._is_superfluous)
        assert left is not None, "our own hooks are there"
        return left

    def removed(self, text: str) -> str | None:
        """The settings without our hooks; None when the file was made for them and nothing else came into it."""
        if json_edit.is_blank(text):
            return text
        self._checked(text)
        return self._without(text, lambda one, _: _is_own_handler(one))

    def commands(self, text: str | None) -> tuple[str, ...]:
        """The lines that our hooks in the file run, each once."""
        if text is None or json_edit.is_blank(text):
            return ()
        found = (one.node.plain() for one in _find_handlers(self._checked(text)) if _is_own_handler(one))
        return tuple(dict.fromkeys(str(one["command"]) for one in found if "args" not in one))

    def roots(self, text: str | None) -> tuple[Path, ...]:
        """The memories that our hooks in the file are for, each once."""
        if text is None or json_edit.is_blank(text):
            return ()
        found = (memory_root_of(_handler_argv(one)) for one in _find_handlers(self._checked(text)))
        return tuple(dict.fromkeys(Path(root) for root in found if root))

    def predecessors(self, text: str | None) -> tuple[str, ...]:
        """The hooks that earlier tools left in the file, each with its tool's name."""
        if text is None or json_edit.is_blank(text):
            return ()
        found = ((_predecessor_of(one), " ".join(_handler_argv(one))) for one in _find_handlers(self._checked(text)))
        return tuple(dict.fromkeys(f"the hook of {name}: {line}" for name, line in found if name))

    def is_off(self, text: str | None) -> bool:
        """Whether the settings turn all hooks off."""
        if text is None or json_edit.is_blank(text):
            return False
        off = self._checked(text).get(_DISABLE_KEY)
        return off is not None and off.plain() is True

    def _handler(self, hook: Hook) -> dict[str, object]:
        return {"type": "command", "command": self.command, **hook.fields}

    def _group(self, hook: Hook) -> dict[str, object]:
        matcher = {"matcher": hook.matcher} if hook.matcher else {}
        return {**matcher, _HOOKS_KEY: [self._handler(hook)]}

    def _is_right(self, one: _Handler, hook: Hook) -> bool:
        if one.is_alone:
            return bool(one.of.plain() == self._group(hook))
        return bool(one.node.plain() == self._handler(hook))

    def _with(self, text: str, hook: Hook) -> str:
        """The text with the event's hook, in the place of an older one of ours."""
        if json_edit.is_blank(text):
            return json_edit.insert_value(text, self.path, (_HOOKS_KEY, hook.event), self._group(hook))
        there = _find_handlers(json_edit.parse_json(text, self.path))
        one = next((one for one in there if one.event == hook.event and _is_own_handler(one)), None)
        if one is None:
            return json_edit.insert_value(text, self.path, (_HOOKS_KEY, hook.event), self._group(hook))
        if self._is_right(one, hook):
            return text
        value = self._group(hook) if one.is_alone else self._handler(hook)
        return json_edit.replace_value(text, self.path, one.steps, value)

    def _is_superfluous(self, one: _Handler, others: list[_Handler]) -> bool:
        """Whether a handler goes at an installation: a predecessor's, ours at another event, ours a second time."""
        if _predecessor_of(one):
            return True
        if not _is_own_handler(one):
            return False
        is_wanted = any(hook.event == one.event for hook in self.hooks)
        return not is_wanted or any(_is_own_handler(other) and other.event == one.event for other in others)

    def _without(self, text: str, goes: Callable[[_Handler, list[_Handler]], bool]) -> str | None:
        """The text without the handlers that go; each is asked about with those before it."""
        left: str | None = text
        while left is not None and not json_edit.is_blank(left):
            found = list(_find_handlers(json_edit.parse_json(left, self.path)))
            gone = next((one for place, one in enumerate(found) if goes(one, found[:place])), None)
            if gone is None:
                return left
            left = json_edit.remove_value(left, self.path, gone.steps)
        return left

    def _checked(self, text: str) -> JsonNode:
        """The file's value; BrokenFileError unless everything on the way to our hooks has the shape it should have."""
        root = json_edit.parse_json(text, self.path)
        self._expect(text, root, "object", "the settings are")
        hooks = root.get(_HOOKS_KEY)
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
                inner = group.node.get(_HOOKS_KEY)
                if inner is not None:
                    self._expect(text, inner, "array", f"the hooks of a group of hooks.{event} are")
        return root

    def _expect(self, text: str, node: JsonNode, kind: str, what: str) -> None:
        if node.kind != kind:
            raise json_edit.broken_error(self.path, text, node.start, f"{what} to be an {kind}")


class PredecessorHooks(HookSettings):
    """The hooks of earlier tools in settings that ours do not go into; only they are taken out."""

    def state(self, text: str | None) -> State:
        """There is nothing of ours in it."""
        return State.PREDECESSOR if self.predecessors(text) else State.ABSENT

    def installed(self, text: str | None) -> str:
        """The settings without those hooks."""
        return self._without(text or "", lambda one, _: bool(_predecessor_of(one))) or "{}\n"


def _find_handlers(root: JsonNode) -> Iterator[_Handler]:
    """Every handler of every event, as they stand; what has another shape is passed over."""
    hooks = root.get(_HOOKS_KEY)
    for event in hooks.children if hooks is not None and hooks.kind == "object" else ():
        for group, child in enumerate(event.node.children if event.node.kind == "array" else ()):
            inner = child.node.get(_HOOKS_KEY) if child.node.kind == "object" else None
            for place, handler in enumerate(inner.children if inner is not None and inner.kind == "array" else ()):
                if handler.node.kind == "object":
                    yield _Handler(event.key, group, place, handler.node, child.node)


def _handler_argv(one: _Handler) -> tuple[str, ...]:
    value = one.node.plain()
    return split_command(value.get("command"), value.get("args"))


def _is_own_handler(one: _Handler) -> bool:
    return is_own_hook(_handler_argv(one))


def _predecessor_of(one: _Handler) -> str:
    value = one.node.plain()
    return find_predecessor(value.get("command"), value.get("args"))


if TYPE_CHECKING:
    _: type[Piece] = HookSettings
