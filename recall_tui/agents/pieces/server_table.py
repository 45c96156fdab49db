"""Our server among the MCP servers in an agent's TOML settings: a table `[mcp_servers.recall]` at the end of the file.

The table is added and cut out as text, so that comments and order stay; the result is parsed again and must say exactly
what was meant, else the file is refused and left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from recall_tui.agents.target import SERVER_PIECE, State
from recall_tui.errors import BrokenFileError, RecallError
from recall_tui.storage.markdown.outline import line_ending
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.agents.target import ServerPiece

_HEADER_START = r"^(?P<open>[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*)(?:(?P<bare>[\w-]+)|\"(?P<quoted>[^\"\\\n]*)\")"
_HEADER = lazy_pattern(_HEADER_START + r"[ \t]*\][^\n]*(?:\n|\Z)", re.MULTILINE | re.ASCII)
_ANY_HEADER = lazy_pattern(_HEADER_START + r"(?P<close>[ \t]*[.\]])", re.MULTILINE | re.ASCII)
"""The header of a server's table, or of one below it."""
_NEXT_HEADER = lazy_pattern(r"^[ \t]*\[", re.MULTILINE)
_MARK = lazy_pattern(r"# recall-tui: (new|[012])[ \t]*\r?\n?\Z")
"""Behind our header: whether the file was made for it, or else how many line ends were put before it."""


@dataclass(frozen=True, slots=True)
class ServerTable:
    """The server of one memory in one TOML file."""

    path: Path
    key: str
    """The table that holds the servers by name: `mcp_servers`."""
    entry: Mapping[str, object]
    """Texts, whole numbers and lists of texts by key."""

    @property
    def what(self) -> str:
        """The label for a person."""
        return SERVER_PIECE

    def state(self, text: str | None) -> State:
        """Return its state; a server of that name that is not ours counts as changed."""
        return server_state(self._servers(text), self.entry)

    def installed(self, text: str | None) -> str:
        """Return the settings with the server; other tables stay."""
        there = self._servers(text)
        entry = with_entry(there, self.entry)
        if text is None:
            return _render(self._header("new"), entry, "")
        names = [there[at][0] for at in find_others(there, self.entry)]
        has_own = any(name == SERVER_NAME for name, _ in there)
        before = text
        for name in names:
            # The first takes our name, so that the tables below it stay with it.
            text = self._without(text, name) if has_own else self._renamed(text, name)
            has_own = True
        if text == before and (SERVER_NAME, entry) in there:
            return text
        newline = line_ending(text)
        if not has_own:
            added = 0 if not text else 1 if text.endswith("\n") else 2
            made = text + newline * added + _render(self._header(str(added)), entry, text)
        else:
            start, end = self._span(text, SERVER_NAME)
            header = text[start : text.find("\n", start)].rstrip("\r")
            made = text[:start] + _render(header, entry, text) + text[end:]
        return self._checked(before, made, entry, names)

    def removed(self, text: str) -> str | None:
        """Return the settings without the server; None when the file was made for it and holds nothing else.

        Tables below it, such as one of variables, go with it: without the server they would be one that cannot start.
        """
        if not self.argv(text):
            return text
        whole, text = text, self._without_tables_below(text)
        start, end = self._span(text, SERVER_NAME)
        header = _HEADER.match(text, start)
        mark = _MARK.search(header[0].rstrip("\r\n")) if header else None
        before, after = text[:start], text[end:]
        newline = line_ending(text)
        for _ in range(int(mark[1]) if mark and mark[1] != "new" and not after.strip() else 0):
            before = before.removesuffix(newline)
        if mark and mark[1] == "new" and not (before + after).strip():
            return None
        return self._checked(whole, before + after, None)

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
        headers = list(self._headers(text, SERVER_NAME))
        return name_conflict(self.path, text, headers[-1].start() if headers else max(text.find(SERVER_NAME), 0))

    def _servers(self, text: str | None) -> list[NamedServer]:
        servers = self._parsed(text or "").get(self.key, {})
        if not isinstance(servers, dict):
            raise BrokenFileError(f"{self.path}: {self.key} is to be a table", hint="fix the file; nothing was changed")
        return list(servers.items())

    def _parsed(self, text: str) -> dict[str, Any]:
        import tomllib

        try:
            return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
        except (ValueError, RecursionError) as error:
            at = re.search(r"at line (\d+)", str(error))
            where = f"{self.path}, line {at[1]}" if at else str(self.path)
            what = str(error).partition(" (at ")[0] or "it is nested too deeply"
            raise BrokenFileError(
                f"{where}: {what}", hint="fix the file, then try again; nothing was changed"
            ) from None

    def _header(self, mark: str) -> str:
        return f"[{self.key}.{SERVER_NAME}]  # recall-tui: {mark}"

    def _headers(self, text: str, name: str) -> Iterator[re.Match[str]]:
        """Yield the lines that open the table of the server of that name."""
        return (found for found in _HEADER.finditer(text) if (found["bare"] or found["quoted"]) == name)

    def _renamed(self, text: str, name: str) -> str:
        """Return the text with the server's table, and those below it, under our name."""

        def rename(found: re.Match[str]) -> str:
            is_its = (found["bare"] or found["quoted"]) == name
            return f"{found['open']}{SERVER_NAME}{found['close']}" if is_its else found[0]

        return _ANY_HEADER.sub(rename, text)

    def _without(self, text: str, name: str) -> str:
        start, end = self._span(text, name)
        return text[:start] + text[end:]

    def _without_tables_below(self, text: str) -> str:
        headers = [found for found in _ANY_HEADER.finditer(text) if (found["bare"] or found["quoted"]) == SERVER_NAME]
        for header in reversed(headers):
            if header["close"].endswith("."):
                text = text[: header.start()] + text[_table_end(text, header.end()) :]
        return text

    def _span(self, text: str, name: str) -> tuple[int, int]:
        """Return the range of a server's table."""
        # An earlier one may stand in a text over several lines.
        headers = list(self._headers(text, name))
        if not headers:
            raise self._refused(text)
        header = headers[-1]
        return header.start(), _table_end(text, header.end())

    def _checked(self, before: str, after: str, entry: Mapping[str, object] | None, gone: Collection[str] = ()) -> str:
        """Return `after`, when it says what `before` said with that server alone changed, and those in `gone` away."""
        expected = self._parsed(before)
        servers = {name: value for name, value in expected.get(self.key, {}).items() if name not in gone}
        servers.pop(SERVER_NAME, None)
        if entry is not None:
            servers[SERVER_NAME] = dict(entry)
        try:
            found = self._parsed(after)
        except BrokenFileError:
            raise self._refused(before, is_removed=entry is None) from None
        rest = {key: value for key, value in expected.items() if key != self.key}
        if {key: value for key, value in found.items() if key != self.key} != rest or found.get(
            self.key, {}
        ) != servers:
            raise self._refused(before, is_removed=entry is None)
        return after

    def _refused(self, text: str, *, is_removed: bool = False) -> BrokenFileError:
        line = next((number for number, row in enumerate(text.splitlines(), 1) if self.key in row), 1)
        hint = f"add the table [{self.key}.{SERVER_NAME}] by hand, or leave the server out with --no-mcp"
        if is_removed:
            hint = f"take {self.key}.{SERVER_NAME} out by hand; nothing was changed"
        return BrokenFileError(f"{self.path}, line {line}: written in a way that cannot be edited here", hint=hint)


def _table_end(text: str, start: int) -> int:
    """Where the table ends that has rows from there on: before the next one and the comments above that."""
    following = _NEXT_HEADER.search(text, start)
    end = following.start() if following else len(text)
    rows = text[start:end].splitlines(keepends=True)
    while rows and following and (not rows[-1].strip() or rows[-1].lstrip().startswith("#")):
        end -= len(rows.pop())
    return end


def _render(header: str, entry: Mapping[str, object], text: str) -> str:
    """Return the table with the line ends of `text`; values that are tables stand below it."""
    # A basic string of TOML is one of JSON, but for the delete character.
    rows = (
        f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
        for key, value in entry.items()
        if not isinstance(value, dict)
    )
    return "".join(f"{row}{line_ending(text)}" for row in (header, *rows))


if TYPE_CHECKING:
    _: type[ServerPiece] = ServerTable
