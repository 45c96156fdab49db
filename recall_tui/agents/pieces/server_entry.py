"""Our server among the MCP servers in an agent's settings: one member of a JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.agents.hook_command import is_own_server, server_argv, server_roots
from recall_tui.agents.pieces import json_edit
from recall_tui.agents.target import SERVER_PIECE, Site, State

if TYPE_CHECKING:
    from recall_tui.agents.pieces.json_edit import JsonNode
    from recall_tui.agents.target import Piece

SERVER_NAME = "recall"
"""The name by which agents show the server and prefix its tools."""


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
        node = None if text is None or json_edit.is_blank(text) else self._checked(text)
        if node is None:
            return State.ABSENT
        value = node.plain()
        if with_entry(value, self.entry) == value:
            return State.CURRENT
        return State.OUTDATED if is_own_server(entry_argv(value)) else State.CHANGED

    def installed(self, text: str | None) -> str:
        """Return the settings with the server; other servers stay."""
        node = None if text is None or json_edit.is_blank(text) else self._checked(text)
        entry = with_entry(None if node is None else node.plain(), self.entry)
        if text is not None and node is not None and node.plain() == entry:
            return text
        return json_edit.set_member(text, self.path, self._steps, entry, has_comments=self.has_comments)

    def removed(self, text: str) -> str | None:
        """Return the settings without the server; None when the file was made for it and holds nothing else."""
        if self.state(text) in (State.ABSENT, State.CHANGED):
            return text
        return json_edit.remove_value(text, self.path, self._steps, has_comments=self.has_comments)

    def argv(self, text: str | None) -> tuple[str, ...]:
        """Return the words that start our server as the file registers it; empty when it does not."""
        node = None if text is None or json_edit.is_blank(text) else self._checked(text)
        words = entry_argv(node.plain()) if node is not None else ()
        return words if is_own_server(words) else ()

    def roots(self, text: str | None) -> tuple[Path, ...]:
        """Return the memory that our server in the file is for."""
        return server_roots(self.argv(text))

    @property
    def _steps(self) -> tuple[str, str]:
        return (self.key, SERVER_NAME)

    def _checked(self, text: str) -> JsonNode | None:
        """Return the entry's node; BrokenFileError unless what holds it has the right shape."""
        node = json_edit.parse_json(text, self.path, has_comments=self.has_comments)
        for what, step in (("the settings are", self.key), (f"{self.key} is", SERVER_NAME)):
            if node.kind != "object":
                raise json_edit.broken_error(self.path, text, node.start, f"{what} to be an object")
            below = node.get(step)
            if below is None:
                return None
            node = below
        return node


def stdio_server(
    path: Path, site: Site, *, key: str = "mcpServers", kind: str = "", has_comments: bool = False, **more: object
) -> ServerEntry:
    """Return the piece with command and arguments apart.

    `key` holds the servers by name, `kind` is the entry's `type` when the agent wants one, `more` are further fields.
    """
    command, *args = server_argv(site)
    typed = {"type": kind} if kind else {}
    return ServerEntry(path, key, {**typed, "command": command, "args": args, **more}, has_comments)


def with_entry(value: Any, entry: Mapping[str, object]) -> dict[str, object]:
    """Return our entry with what a person added to it, such as a setting that turns it off."""
    added = value if isinstance(value, dict) and is_own_server(entry_argv(value)) else {}
    return {**added, **entry}


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
    _: type[Piece] = ServerEntry
