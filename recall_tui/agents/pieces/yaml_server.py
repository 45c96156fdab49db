"""Our server among the MCP servers in an agent's YAML settings: an entry of a list, or a member of a table.

The text is cut and joined where a YAML parser says that things stand, so that comments, order and form stay. The result
is parsed again and must say exactly what was meant, else the file is refused and left alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui.agents.hook_command import server_roots
from recall_tui.agents.pieces.server_entry import (
    SERVER_NAME,
    NamedServer,
    describe_others,
    find_others,
    name_conflict,
    own_argv,
    server_state,
    with_entry,
)
from recall_tui.agents.pieces.yaml_text import (
    ENTRY_MARK,
    broken_yaml,
    content_end,
    find_key,
    has_other_line_ends,
    line_end_at,
    parse_yaml,
)
from recall_tui.agents.target import SERVER_PIECE, State
from recall_tui.errors import BrokenFileError, RecallError
from recall_tui.storage.markdown.outline import line_ending

if TYPE_CHECKING:
    from yaml import Node

    from recall_tui.agents.target import ServerPiece

_NEW_FILE_MARK = f"{ENTRY_MARK}: new"
_STEP = "  "


class _Child(NamedTuple):
    """A server in the file."""

    name: Any
    value: Any
    start: int
    end: int


class _Servers(NamedTuple):
    """The servers of a file, and where they stand."""

    rest: dict[Any, Any]
    """Everything else that the file says."""
    key_start: int = -1
    """Below zero when the key is missing."""
    form: str = "empty"
    """`empty` (nothing behind the key), `flow` or `block`."""
    start: int = 0
    indent: int = 0
    children: tuple[_Child, ...] = ()

    @property
    def own(self) -> _Child | None:
        """The server of our name, if there is one."""
        return next((child for child in self.children if child.name == SERVER_NAME), None)

    @property
    def named(self) -> list[NamedServer]:
        """The servers by name."""
        return [(child.name, child.value) for child in self.children]


@dataclass(frozen=True, slots=True)
class YamlServer:
    """The server of one memory in one YAML file."""

    path: Path
    key: str
    """The key of the servers: `mcpServers`."""
    entry: Mapping[str, object]
    """The value, in the agent's form; of a list it has a `name`."""
    is_list: bool = False
    """The servers are a list, and not a table by name."""
    head: str = ""
    """The lines that a file made for the server begins with."""

    @property
    def what(self) -> str:
        """The label for a person."""
        return SERVER_PIECE

    def state(self, text: str | None) -> State:
        """Return its state; a server of that name that is not ours counts as changed."""
        return server_state(self._servers(text or "").named, self.entry)

    def installed(self, text: str | None) -> str:
        """Return the settings with the server; everything else stays."""
        if text is None:
            return f"{self.head}{self.key}:{_NEW_FILE_MARK}\n{self._block(self.entry, _STEP, chr(10))}\n"
        there = self._servers(text)
        entry = with_entry(there.named, self.entry)
        if there.own is None and (others := find_others(there.named, self.entry)):
            # The first takes our name and stays in its place.
            old = there.children[others[0]]
            text = self._checked(text, self._replaced(text, there, old, entry), self._values(there, old, entry))
            there = self._servers(text)
        while others := find_others(there.named, self.entry):
            text = self._without(text, there, there.children[others[-1]])
            there = self._servers(text)
        own = there.own
        if own is None:
            return self._checked(text, self._added(text, there, entry), [*self._values(there), entry])
        if own.value == entry:
            return text
        return self._checked(text, self._replaced(text, there, own, entry), self._values(there, own, entry))

    def removed(self, text: str) -> str | None:
        """Return the settings without the server; None when the file was made for it and holds nothing else."""
        there = self._servers(text)
        if there.own is None or not self.argv(text):
            return text
        mark = text[there.key_start : line_end_at(text, there.key_start)]
        if there.form == "flow" or len(there.children) > 1 or not mark.endswith((ENTRY_MARK, _NEW_FILE_MARK)):
            return self._without(text, there, there.own)
        after = _cut_lines(text, there.key_start, line_end_at(text, there.own.end))
        if mark.endswith(_NEW_FILE_MARK) and after.strip() in ("", self.head.strip()):
            return None
        return self._checked(text, after, self._values(there, there.own))

    def argv(self, text: str | None) -> tuple[str, ...]:
        """Return the words that start our server as the file registers it; empty when it does not."""
        return own_argv(self._servers(text or "").named)

    def roots(self, text: str | None) -> tuple[Path, ...]:
        """Return the memory that our server in the file is for."""
        return server_roots(self.argv(text))

    def predecessors(self, text: str | None) -> tuple[str, ...]:
        """Describe our server under other names."""
        return describe_others(self._servers(text or "").named, self.entry)

    def conflict(self, text: str) -> RecallError:
        """Return the refusal for another server of our name."""
        own = self._servers(text).own
        return name_conflict(self.path, text, own.start if own else 0)

    def _without(self, text: str, there: _Servers, child: _Child) -> str:
        """Return the text without one server; the key stays."""
        if there.form == "flow":
            after = _without_flow_child(text, there, child)
        else:
            before = text[: text.rfind("\n", 0, child.start)]
            after = before.removesuffix("\r") + text[line_end_at(text, child.end) :]
        return self._checked(text, after, self._values(there, child))

    @staticmethod
    def _values(there: _Servers, old: _Child | None = None, new: Mapping[str, object] | None = None) -> list[Any]:
        """Return the servers with `new` in the place of `old`, or without that."""
        replaced = [new if child is old else child.value for child in there.children]
        return [value for value, child in zip(replaced, there.children, strict=True) if child is not old or new]

    def _added(self, text: str, there: _Servers, entry: Mapping[str, object]) -> str:
        newline = line_ending(text)
        if there.key_start < 0:
            made = f"{self.key}:{ENTRY_MARK}{newline}{self._block(entry, _STEP, newline)}"
            # A file without a last line end has none afterwards.
            return f"{text}{made}{newline}" if not text or text.endswith("\n") else f"{text}{newline}{made}"
        if there.form == "flow":
            word = self._flow(entry)
            at = there.children[-1].end if there.children else there.start + 1
            return text[:at] + (f", {word}" if there.children else word) + text[at:]
        at = line_end_at(text, there.children[-1].end if there.children else there.start)
        return text[:at] + newline + self._block(entry, " " * there.indent, newline) + text[at:]

    def _replaced(self, text: str, there: _Servers, own: _Child, entry: Mapping[str, object]) -> str:
        if there.form == "flow":
            return text[: own.start] + self._flow(entry) + text[own.end :]
        start = text.rfind("\n", 0, own.start) + 1
        block = self._block(entry, " " * there.indent, line_ending(text))
        return text[:start] + block + text[line_end_at(text, own.end) :]

    def _block(self, entry: Mapping[str, object], indent: str, newline: str) -> str:
        """Return the entry as lines, without a line end behind the last one."""
        rows = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
        if self.is_list:
            lines = [f"{indent}- {rows[0]}", *(f"{indent}{_STEP}{row}" for row in rows[1:])]
        else:
            lines = [f"{indent}{SERVER_NAME}:", *(f"{indent}{_STEP}{row}" for row in rows)]
        return newline.join(lines)

    def _flow(self, entry: Mapping[str, object]) -> str:
        value = json.dumps(dict(entry), ensure_ascii=False)
        return value if self.is_list else f'"{SERVER_NAME}": {value}'

    def _servers(self, text: str) -> _Servers:
        root, table = parse_yaml(text, self.path)
        rest = {name: value for name, value in table.items() if name != self.key}
        found = find_key(root, self.key, self.path)
        if found is None:
            return _Servers(rest)
        name, node = found
        key_start, value = int(name.start_mark.index), table.get(self.key)
        if value is None:
            if node.start_mark.index != node.end_mark.index:
                raise broken_yaml(self.path, node, f"{self.key}: is written in a way that cannot be edited here")
            return _Servers(rest, key_start, "empty", int(name.end_mark.index), name.start_mark.column + len(_STEP))
        form, indent = "flow" if getattr(node, "flow_style", False) else "block", node.start_mark.column
        if self.is_list and isinstance(value, list):
            children = self._list_children(node, value)
        elif not self.is_list and isinstance(value, dict):
            children = self._table_children(node, value)
        else:
            raise broken_yaml(self.path, node, f"{self.key}: is to be a {'list' if self.is_list else 'table'}")
        return _Servers(rest, key_start, form, int(node.start_mark.index), indent, children)

    def _list_children(self, node: Node, values: list[Any]) -> tuple[_Child, ...]:
        names = [value.get("name") if isinstance(value, dict) else None for value in values]
        return tuple(
            _Child(name, value, int(one.start_mark.index), content_end(one))
            for one, value, name in zip(node.value, values, names, strict=True)
        )

    def _table_children(self, node: Node, values: dict[Any, Any]) -> tuple[_Child, ...]:
        return tuple(
            _Child(name.value, values.get(name.value), int(name.start_mark.index), content_end(one))
            for name, one in node.value
        )

    def _checked(self, before: str, after: str, expected: list[Any]) -> str:
        """Return `after`, when it says what `before` said with these servers."""
        old = self._servers(before)
        try:
            new = self._servers(after)
        except BrokenFileError:
            new = None
        is_meant = new is not None and new.rest == old.rest and [child.value for child in new.children] == expected
        if not is_meant or has_other_line_ends(before):
            line = before.count("\n", 0, max(old.key_start, 0)) + 1
            hint = f"add {SERVER_NAME} under {self.key}: by hand, or leave the server out with --no-mcp"
            raise BrokenFileError(f"{self.path}, line {line}: written in a way that cannot be edited here", hint=hint)
        return after


def _without_flow_child(text: str, there: _Servers, own: _Child) -> str:
    number = there.children.index(own)
    if number:
        return text[: there.children[number - 1].end] + text[own.end :]
    end = there.children[1].start if len(there.children) > 1 else own.end
    return text[: own.start] + text[end:]


def _cut_lines(text: str, start: int, end: int) -> str:
    """Return the text without the lines from `start` to `end`, where a line ends."""
    rest = text[end:]
    if rest:
        return text[:start] + (rest[2:] if rest.startswith("\r\n") else rest[1:])
    before = text[:start]
    return before[:-2] if before.endswith("\r\n") else before[:-1]


if TYPE_CHECKING:
    _: type[ServerPiece] = YamlServer
