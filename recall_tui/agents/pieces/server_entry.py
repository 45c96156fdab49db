"""Our server among the MCP servers in an agent's settings: one member of a JSON object."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.agents.hook_command import is_own_server, server_argv, server_roots
from recall_tui.agents.pieces import json_edit
from recall_tui.agents.target import SERVER_PIECE, Site, State
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from recall_tui.agents.pieces.json_edit import JsonNode
    from recall_tui.agents.target import ServerPiece

SERVER_NAME = "recall"
"""The name by which agents show the server and prefix its tools."""
NamedServer = tuple[Any, Any]
"""A server's name and its value in a settings file."""
_START_KEYS = frozenset(["command", "cmd", "args", "transport"])
"""The keys of an entry, in any agent's form, that say how the server is started."""
_MISSING = object()


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """The server of one memory in one settings file."""

    path: Path
    key: str
    """The key of the object that holds the servers by name: `mcpServers`."""
    entry: Mapping[str, object]
    """The value, in the agent's form."""
    has_comments: bool = False
    """The agent reads comments in this file."""

    @property
    def what(self) -> str:
        """The label for a person."""
        return SERVER_PIECE

    def state(self, text: str | None) -> State:
        """Return its state; a server of that name that is not ours counts as changed."""
        return server_state(self._servers(text), self.entry)

    def installed(self, text: str | None) -> str:
        """Return the settings with the server; other servers stay."""
        there = self._servers(text)
        entry = with_entry(there, self.entry)
        for at in find_others(there, self.entry):
            steps = (self.key, there[at][0])
            text = json_edit.remove_value(text or "", self.path, steps, has_comments=self.has_comments)
        if text is not None and (SERVER_NAME, entry) in there:
            return text
        return json_edit.set_member(text, self.path, self._steps, entry, has_comments=self.has_comments)

    def removed(self, text: str) -> str | None:
        """Return the settings without the server; None when the file was made for it and holds nothing else."""
        if not self.argv(text):
            return text
        return json_edit.remove_value(text, self.path, self._steps, has_comments=self.has_comments)

    def argv(self, text: str | None) -> tuple[str, ...]:
        """Return the words that start our server as the file registers it; empty when it does not."""
        return own_argv(self._servers(text))

    def roots(self, text: str | None) -> tuple[Path, ...]:
        """Return the memory that our server in the file is for."""
        return server_roots(self.argv(text))

    def predecessors(self, text: str | None) -> tuple[str, ...]:
        """Describe our server under other names."""
        return describe_others(self._servers(text), self.entry)

    def conflict(self, text: str) -> RecallError:
        """Return the refusal for another server of our name."""
        holder = self._holder(text)
        own = holder.get(SERVER_NAME) if holder else None
        return name_conflict(self.path, text, own.start if own else 0)

    @property
    def _steps(self) -> tuple[str, str]:
        return (self.key, SERVER_NAME)

    def _servers(self, text: str | None) -> list[NamedServer]:
        holder = self._holder(text)
        return [(child.key, child.node.plain()) for child in holder.children] if holder else []

    def _holder(self, text: str | None) -> JsonNode | None:
        """Return the node of the servers; BrokenFileError unless it and what holds it are objects."""
        if text is None or json_edit.is_blank(text):
            return None
        root = json_edit.parse_json(text, self.path, has_comments=self.has_comments)
        holder = root.get(self.key) if root.kind == "object" else None
        for what, node in (("the settings are", root), (f"{self.key} is", holder)):
            if node is not None and node.kind != "object":
                raise json_edit.broken_error(self.path, text, node.start, f"{what} to be an object")
        return holder


def stdio_server(
    path: Path, site: Site, *, key: str = "mcpServers", kind: str = "", has_comments: bool = False, **more: object
) -> ServerEntry:
    """Return the piece with command and arguments apart.

    `key` holds the servers by name, `kind` is the entry's `type` when the agent wants one, `more` are further fields.
    """
    command, *args = server_argv(site)
    typed = {"type": kind} if kind else {}
    return ServerEntry(path, key, {**typed, "command": command, "args": args, **more}, has_comments)


def server_state(servers: Sequence[NamedServer], entry: Mapping[str, object]) -> State:
    """Return the state of our entry among the servers of a file."""
    has_others = bool(find_others(servers, entry))
    own = next((value for name, value in servers if name == SERVER_NAME), _MISSING)
    if own is _MISSING:
        return State.PREDECESSOR if has_others else State.ABSENT
    if not is_own_server(entry_argv(own)):
        return State.CHANGED
    return State.CURRENT if with_entry(servers, entry) == own and not has_others else State.OUTDATED


def find_others(servers: Sequence[NamedServer], entry: Mapping[str, object]) -> list[int]:
    """Return the places of our server under other names, or a second time under ours, for this memory or for none.

    One for another memory is another server.
    """
    wanted = {os.path.realpath(root) for root in server_roots(entry_argv(entry))}
    first = next((at for at, (name, _) in enumerate(servers) if name == SERVER_NAME), None)
    argvs = [entry_argv(value) for _, value in servers]
    return [
        at
        for at, words in enumerate(argvs)
        if at != first and is_own_server(words) and {os.path.realpath(root) for root in server_roots(words)} <= wanted
    ]


def describe_others(servers: Sequence[NamedServer], entry: Mapping[str, object]) -> tuple[str, ...]:
    """Describe our server under other names for a person."""
    return tuple(f"a server {servers[at][0]} that is recall-tui's, too" for at in find_others(servers, entry))


def own_argv(servers: Iterable[NamedServer]) -> tuple[str, ...]:
    """Return the words that start our server under its name; empty when another is there, or none."""
    words = entry_argv(next((value for name, value in servers if name == SERVER_NAME), None))
    return words if is_own_server(words) else ()


def name_conflict(path: Path, text: str, place: int) -> RecallError:
    """Return the refusal for another server of our name, which stands at `place` of the file's text."""
    line = text.count("\n", 0, place) + 1
    hint = "give it another name, then install again; or leave ours out with --no-mcp"
    return RecallError(
        f"{path}, line {line}: a server called {SERVER_NAME} is there that is not recall-tui's", hint=hint
    )


def with_entry(servers: Sequence[NamedServer], entry: Mapping[str, object]) -> dict[str, object]:
    """Return our entry with what a person added to the one that is there, such as a setting that turns it off."""
    own = next((value for name, value in servers if name == SERVER_NAME), None)
    values = (own, *(servers[at][1] for at in find_others(servers, entry)))
    there: dict[str, object] = next((value for value in values if is_own_server(entry_argv(value))), {})
    return {**{key: value for key, value in there.items() if key not in _START_KEYS}, **entry}


def entry_argv(value: Any) -> tuple[str, ...]:
    """Return the words that an entry of any agent's form starts; empty for one that starts nothing."""
    if not isinstance(value, dict):
        return ()
    if isinstance(value.get("transport"), dict):
        value = value["transport"]
    command, args = value.get("command", value.get("cmd")), value.get("args", [])
    words = command if isinstance(command, list) else [command]
    words = [*words, *(args if isinstance(args, list) else [])]
    return tuple(words) if all(isinstance(word, str) for word in words) else ()


if TYPE_CHECKING:
    _: type[ServerPiece] = ServerEntry
