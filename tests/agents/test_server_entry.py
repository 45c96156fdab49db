"""Our server in agents' settings: put in, found again, and taken out so that the file is as it was."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.agents.pieces.json_edit import parse_json
from recall_tui.agents.pieces.server_entry import ServerEntry
from recall_tui.agents.pieces.server_table import ServerTable
from recall_tui.agents.pieces.yaml_server import YamlServer
from recall_tui.agents.target import State
from recall_tui.errors import BrokenFileError
from tests.agents.settings_samples import ZOO, documents

PATH = Path("/home/u/.agent/settings.json")
ENTRY = {"command": "/opt/recall-tui", "args": ["--root", "/home/u/m", "mcp"]}
MOVED = {"command": "/usr/bin/recall-tui", "args": ["--root", "/home/u/other", "mcp"]}
PIECE = ServerEntry(PATH, "mcpServers", ENTRY)
WITH_COMMENTS = ServerEntry(PATH, "mcp", ENTRY, has_comments=True)
YAMLS = (
    YamlServer(PATH.with_suffix(".yaml"), "list", {"name": "recall", **ENTRY}, is_list=True),
    YamlServer(PATH.with_suffix(".yaml"), "table", {"cmd": ENTRY["command"], "args": ENTRY["args"]}),
)
TABLE = ServerTable(PATH.with_suffix(".toml"), "mcp_servers", {**ENTRY, "tool_timeout_sec": 30})
OTHERS = {
    "no servers in it": '{"mcpServers": {}, "z": 1}',
    "another server": '{\n  "mcpServers": {\n    "web": {"command": "npx"}\n  },\n  "n": 1.0\n}\n',
    "another server on one line": '{"mcpServers":{"web":{"url":"https://example.test"}}}',
}
JSON_WITH_COMMENTS = {
    "a comment at the top": '// mine\n{\n  "model": "x" // this one\n}\n',
    "a comma after the last": '{\n  "model": "x",\n  "mcp": {\n    "web": {"type": "remote"}, // theirs\n  },\n}\n',
    "only a comment": "{\n  // nothing yet\n}\n",
    "a block": '{ /* a */ "mcp" /* b */ : { /* c */ } /* d */ }',
    "a slash in a text": '{"$schema": "https://opencode.ai/config.json" /* // */}',
}
TOMLS = {
    "empty": "",
    "a value": 'model = "x"',
    "a line end": 'model = "x"\n',
    "windows": 'model = "x"\r\n[a]\r\nb = 1\r\n',
    "another server": '# mine\n[mcp_servers.web]\ncommand = "npx"  # theirs\n\n[[profiles]]\nname = "a"\n',
    "a header in a text": 'text = """\n[mcp_servers.recall]\n"""\n',
}


@pytest.mark.parametrize("text", [*ZOO.values(), *OTHERS.values()], ids=[*ZOO, *OTHERS])
def test_the_file_is_as_it_was(text: str) -> None:
    assert PIECE.state(text) is State.ABSENT
    made = PIECE.installed(text)
    assert PIECE.state(made) is State.CURRENT and PIECE.installed(made) == made
    found = json.loads(made.removeprefix("\ufeff"))
    before = json.loads(text.removeprefix("\ufeff")) if text.strip() else {}
    assert found == {**before, "mcpServers": {**before.get("mcpServers", {}), "recall": ENTRY}}
    assert PIECE.removed(made) == (text if text else "")


@given(documents())
def test_any_file_is_as_it_was(text: str) -> None:
    assert PIECE.removed(PIECE.installed(text)) == text


@pytest.mark.parametrize("text", JSON_WITH_COMMENTS.values(), ids=JSON_WITH_COMMENTS)
def test_comments_stay(text: str) -> None:
    made = WITH_COMMENTS.installed(text)
    assert WITH_COMMENTS.state(made) is State.CURRENT
    for word in ("mine", "this one", "theirs", "nothing yet", "/* a */", "/* d */", "/* // */"):
        assert (word in text) == (word in made)
    assert WITH_COMMENTS.removed(made) == text
    with pytest.raises(BrokenFileError):
        ServerEntry(PATH, "mcp", ENTRY).installed(text)


@pytest.mark.parametrize("after", [" // of it", "\n    // below\n    ", ""])
@pytest.mark.parametrize("before", ["", "/* above */ ", "// above\n    "])
def test_what_a_person_put_beside_it_stays(before: str, after: str) -> None:
    own = f'"recall": {json.dumps(ENTRY)}'
    text = '{"mcp": {\n    ' + before + own + ", // its line\n    " + '"web": {} /* web */' + after + "}}"
    if after == " // of it":
        text = text.replace("}}", "\n}}")
    left = WITH_COMMENTS.removed(text)
    assert left is not None
    assert parse_json(left, PATH, has_comments=True).plain() == {"mcp": {"web": {}}}
    for word in (before.strip(), after.strip(), "its line", "/* web */"):
        assert word in left


@pytest.mark.parametrize("name", [".json", ".toml"])
def test_of_a_file_that_was_made_for_it_nothing_is_left(name: str) -> None:
    piece: Any = PIECE if name == ".json" else TABLE
    made = piece.installed(None)
    assert made.endswith("\n") and piece.state(made) is State.CURRENT
    assert piece.removed(made) is None


@pytest.mark.parametrize("text", TOMLS.values(), ids=TOMLS)
def test_a_table_is_put_in_and_taken_out(text: str) -> None:
    assert TABLE.state(text) is State.ABSENT
    made = TABLE.installed(text)
    assert TABLE.state(made) is State.CURRENT and TABLE.installed(made) == made
    before = tomllib.loads(text.replace("\r\n", "\n"))
    found = tomllib.loads(made.replace("\r\n", "\n"))
    assert found == {**before, "mcp_servers": {**before.get("mcp_servers", {}), "recall": TABLE.entry}}
    assert TABLE.removed(made) == text


def test_a_table_between_others_is_cut_out_with_nothing_else() -> None:
    text = 'a = 1\n\n[mcp_servers.recall]\ncommand = "recall-tui"\nargs = ["mcp"]\n\n# of the next\n[b]\nc = 2\n'
    assert TABLE.state(text) is State.OUTDATED
    assert TABLE.removed(text) == "a = 1\n\n\n# of the next\n[b]\nc = 2\n"
    made = TABLE.installed(text)
    assert TABLE.state(made) is State.CURRENT and "\n\n# of the next\n[b]\nc = 2\n" in made


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers\n",
        'mcp_servers = "none"\n',
        'mcp_servers = {web = {command = "npx"}}\n',
        'mcp_servers.recall.command = "recall-tui"\nmcp_servers.recall.args = ["mcp"]\n',
        "a = " + "[" * 5000,
    ],
)
def test_a_table_that_cannot_be_edited_is_refused_with_its_file(text: str) -> None:
    with pytest.raises(BrokenFileError, match=r"settings\.toml"):
        TABLE.installed(text)


@given(st.dictionaries(st.text("ab", min_size=1), st.text() | st.integers(-5, 5) | st.lists(st.text(), max_size=2)))
def test_any_values_are_written_as_toml(entry: dict[str, Any]) -> None:
    piece = ServerTable(PATH, "mcp_servers", {**entry, **ENTRY})
    try:
        made = piece.installed('x = "é"\n')
    except BrokenFileError:
        # TOML has no lone surrogates.
        assert any("\ud800" <= char <= "\udfff" for value in entry.values() for char in str(value))
        return
    assert tomllib.loads(made)["mcp_servers"]["recall"] == piece.entry


@pytest.mark.parametrize("piece", [PIECE, TABLE], ids=["json", "toml"])
def test_one_of_another_memory_is_replaced_and_what_a_person_added_stays(piece: Any) -> None:
    moved = type(piece)(piece.path, piece.key, {**piece.entry, **MOVED, "enabled": False})
    there = moved.installed(None)
    assert piece.state(there) is State.OUTDATED
    assert piece.roots(there) == (Path("/home/u/other"),)
    made = piece.installed(there)
    assert piece.state(made) is State.CURRENT and "enabled" in made and "/home/u/other" not in made


@pytest.mark.parametrize("piece", [PIECE, TABLE], ids=["json", "toml"])
def test_a_server_of_another_that_is_called_the_same_is_left(piece: Any) -> None:
    other = type(piece)(piece.path, piece.key, {"command": "npx", "args": ["-y", "some-recall"]})
    there = other.installed(None)
    assert piece.state(there) is State.CHANGED and piece.argv(there) == ()
    assert piece.removed(there) == there


@pytest.mark.parametrize("text", ['{"mcpServers": []}', "[]", '{"mcpServers": 1}', "{", '{"mcpServers": {,}}'])
def test_settings_of_another_shape_are_refused_with_their_line(text: str) -> None:
    with pytest.raises(BrokenFileError, match=r"settings\.json, line 1"):
        PIECE.installed(text)


BARE = {"command": "recall-tui", "args": ["mcp"]}
OLDER_NAMES = {
    "under another name": ("memory", BARE),
    "of the package": ("recall-tui", {"command": "uvx", "args": ["recall-tui[mcp]@latest", "mcp"]}),
    "by a shell": ("memory", {"command": "sh", "args": ["-lc", "exec /opt/x/recall-tui --root=/home/u/m mcp"]}),
    "for this memory": ("memory", {"command": "python3", "args": ["-m", "recall_tui", *ENTRY["args"]], "timeout": 7}),
}
OTHER_NAMES = {
    "for another memory": ("work", MOVED),
    "not ours": ("recall-tui", {"command": "npx", "args": ["-y", "recall-tui-server", "mcp"]}),
    "no server": ("recall-tui", {"command": "recall-tui", "args": ["status"]}),
    "in the web": ("recall-tui", {"url": "https://example.test/mcp"}),
}
PIECES = pytest.mark.parametrize("piece", [PIECE, WITH_COMMENTS, TABLE, *YAMLS], ids=lambda one: one.key)


def servers_text(piece: Any, *named: tuple[str, dict[str, Any]]) -> str:
    """A settings file of the piece's form with these servers."""
    if isinstance(piece, ServerTable):
        tables = (
            f"[mcp_servers.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
            for name, entry in named
        )
        return "# mine\n" + "\n".join(tables) + "\n# last\n[z]\nn = 1\n"
    if isinstance(piece, YamlServer):
        lines = []
        for name, entry in named:
            fields = [f"{key}: {json.dumps(value)}" for key, value in entry.items()]
            head = f"  - name: {name}" if piece.is_list else f"  {name}:"
            lines += [head, *(f"    {field}" for field in fields)]
        return "\n".join(["# mine", f"{piece.key}:", *lines, "# last", "z: 1", ""])
    comment = "// mine\n" if piece.has_comments else ""
    return comment + json.dumps({piece.key: dict(named), "z": 1}, indent=4)


def servers_of(piece: Any, text: str) -> dict[str, Any]:
    """The servers that the text has, by name."""
    found = dict(piece._servers(text).named if isinstance(piece, YamlServer) else piece._servers(text))
    return {name: {key: field for key, field in value.items() if key != "name"} for name, value in found.items()}


@PIECES
@pytest.mark.parametrize(("name", "older"), OLDER_NAMES.values(), ids=OLDER_NAMES)
def test_ours_under_another_name_is_replaced(piece: Any, name: str, older: dict[str, Any]) -> None:
    web = ("web", {"command": "npx"})
    text = servers_text(piece, (name, older), web)
    assert piece.state(text) is State.PREDECESSOR and len(piece.predecessors(text)) == 1
    assert piece.removed(text) == text
    made = piece.installed(text)
    assert piece.state(made) is State.CURRENT and piece.installed(made) == made and piece.predecessors(made) == ()
    assert set(servers_of(piece, made)) == {"web", "recall"} and ("mine" in text) == ("mine" in made)
    assert servers_of(piece, made)["recall"].get("timeout") == older.get("timeout")


@PIECES
def test_ours_beside_others_of_ours_stays_alone(piece: Any) -> None:
    added = ("a", BARE), ("b", {**BARE, "timeout": 5})
    own = {key: value for key, value in piece.entry.items() if key != "name"}
    text = servers_text(piece, added[0], ("recall", own), ("web", {"command": "npx"}), added[1])
    assert piece.state(text) is State.OUTDATED and len(piece.predecessors(text)) == 2
    made = piece.installed(text)
    assert piece.state(made) is State.CURRENT and set(servers_of(piece, made)) == {"recall", "web"}
    without_own = servers_text(piece, *added)
    assert piece.state(piece.installed(without_own)) is State.CURRENT


@PIECES
@pytest.mark.parametrize(("name", "other"), OTHER_NAMES.values(), ids=OTHER_NAMES)
def test_a_server_of_others_stays_beside_ours(piece: Any, name: str, other: dict[str, Any]) -> None:
    text = servers_text(piece, (name, other))
    assert piece.state(text) is State.ABSENT and piece.predecessors(text) == ()
    made = piece.installed(text)
    assert servers_of(piece, made)[name] == other and piece.removed(made) == text


@PIECES
@pytest.mark.parametrize("other", [{"command": "npx"}, {"url": "https://example.test/mcp"}])
def test_another_server_of_our_name_is_told_with_its_line(piece: Any, other: dict[str, Any]) -> None:
    text = servers_text(piece, ("web", {"command": "npx"}), ("recall", other), ("memory", BARE))
    assert piece.state(text) is State.CHANGED
    error = piece.conflict(text)
    line = int(re.search(r", line (\d+): a server called recall is there", error.message)[1])
    assert "recall" in text.splitlines()[line - 1] and "--no-mcp" in error.hint
    assert piece.removed(text) == text


def test_what_stands_below_a_table_goes_with_it() -> None:
    text = '[mcp_servers.memory]\ncommand = "recall-tui"\nargs = ["mcp"]\n[mcp_servers.memory.env]\nA = "1"\n'
    made = TABLE.installed(text)
    assert TABLE.state(made) is State.CURRENT
    assert tomllib.loads(made)["mcp_servers"] == {"recall": {**TABLE.entry, "env": {"A": "1"}}}


ENV = '[mcp_servers.recall.env] # mine\nA = "1"\n'


@pytest.mark.parametrize("text", TOMLS.values(), ids=TOMLS)
def test_a_table_that_a_person_put_below_it_stays_until_it_is_taken_out(text: str) -> None:
    made = TABLE.installed(text) + ENV
    assert TABLE.state(made) is State.CURRENT and TABLE.installed(made) == made
    assert TABLE.removed(made) == text


def test_tables_below_it_go_from_between_others_and_nothing_else_does() -> None:
    others = ('model = "x"\n\n', "# of mine\n", '[mcp_servers.web]\ncommand = "npx"\n\n', "\n[tui]\nx = 1\n")
    own = TABLE.installed(None)
    tools = '[mcp_servers.recall.tools.search]\napproval_mode = "auto"\n'
    text = "".join((others[0], own, others[1], ENV, others[2], tools, others[3]))
    assert TABLE.state(text) is State.CURRENT and TABLE.installed(text) == text
    assert TABLE.removed(text) == "".join(others)
    assert TABLE.removed(own + ENV) is None


def test_a_server_that_cannot_be_cut_out_is_left_with_a_hint_that_says_so() -> None:
    text = TABLE.installed(None) + "[[mcp_servers.recall.more]]\na = 1\n"
    with pytest.raises(BrokenFileError, match=r"settings\.toml, line 1") as told:
        TABLE.removed(text)
    assert "by hand" in told.value.hint and "--no-mcp" not in told.value.hint


def test_the_flat_form_gives_way_to_the_agents_own() -> None:
    piece = ServerEntry(PATH, "mcpServers", {"transport": {"type": "stdio", **ENTRY}})
    made = piece.installed(json.dumps({"mcpServers": {"recall": {**ENTRY, "disabled": True}}}))
    assert json.loads(made)["mcpServers"]["recall"] == {"disabled": True, **piece.entry}
