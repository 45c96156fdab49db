"""Our server in agents' YAML settings: put in, found again, and taken out so that the file is as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.agents.pieces.yaml_server import YamlServer
from recall_tui.agents.target import State
from recall_tui.errors import BrokenFileError

PATH = Path("/home/u/.agent/config.yaml")
ARGV = {"command": "/opt/recall-tui", "args": ["--root", "/home/u/m", "mcp"]}
HEAD = "name: recall\nversion: 0.0.1\nschema: v1\n"
LIST = YamlServer(PATH, "servers", {"name": "recall", **ARGV}, is_list=True, head=HEAD)
TABLE = YamlServer(PATH, "servers", {"type": "stdio", "cmd": ARGV["command"], "args": ARGV["args"], "enabled": True})
PIECES = pytest.mark.parametrize("piece", [LIST, TABLE], ids=["list", "table"])
BOTH = {
    "empty": "",
    "comments alone": "# mine\n\n# yours",
    "a value": "model: x",
    "a value and a line end": "model: x\n",
    "blank lines at the end": "model: x\n\n\n",
    "windows": "model: x\r\nb: 1\r\n",
    "windows without the last line end": "model: x\r\nb: 1",
    "a byte order mark": "\ufeffmodel: x\n",
    "a document start": "---\nmodel: 'x' # quoted\n",
    "a key alone": "servers:\nmodel: x\n",
    "a key alone at the end": "model: x\nservers:",
    "a key with a comment": "servers:   # none yet\n\nmodel: x\n",
    "a block of text before": "prompt: |\n  servers:\n    - recall\n\nmodel: x\n",
    "anchors elsewhere": "a: &a {x: 1}\nb:\n  <<: *a\n",
}
LISTS = {
    "an empty list": "servers: []  # none\nb: 1\n",
    "a list": "b: 1\nservers:\n  - name: web\n    command: npx  # theirs\n    args: ['-y', \"x\"]\n# next\nc: 2\n",
    "a list without an indent": "servers:\n- name: web\n  command: npx\n- command: no-name\n",
    "a list without the last line end": "servers:\n    -   name: web\n        env:\n            A: b",
    "windows": "servers:\r\n  - name: web\r\n    command: npx\r\n\r\nb: 1\r\n",
    "a list on one line": "servers: [{name: web, command: npx}]\n",
    "a list on two lines": "servers: [\n  {name: web, command: npx}, # theirs\n]\n",
    "text over lines": "servers:\n  - name: web\n    prompt: |\n      one\n      two\n\nb: 1\n",
    "odd entries": "servers:\n  - 5\n  - name: [recall]\n",
}
TABLES = {
    "an empty table": "servers: {}  # none\nb: 1\n",
    "a table": "b: 1\nservers:\n  web:\n    cmd: npx  # theirs\n    enabled: true\n\n# of the next\nc: 2\n",
    "a table without the last line end": "servers:\n      web:\n        cmd: npx",
    "a table on one line": "servers: {web: {cmd: npx}}\n",
    "windows": "servers:\r\n  web:\r\n    cmd: npx\r\n",
    "odd entries": "servers:\n  5: x\n  web:\n",
}
CASES = [
    *((piece, text) for piece in (LIST, TABLE) for text in BOTH.values()),
    *((LIST, text) for text in LISTS.values()),
    *((TABLE, text) for text in TABLES.values()),
]


@pytest.mark.parametrize(("piece", "text"), CASES)
def test_the_file_is_as_it_was(piece: YamlServer, text: str) -> None:
    assert piece.state(text) is State.ABSENT
    made = piece.installed(text)
    assert piece.state(made) is State.CURRENT and piece.installed(made) == made
    before, after = yaml.safe_load(text) or {}, yaml.safe_load(made)
    servers = after.pop("servers")
    assert after == {key: value for key, value in before.items() if key != "servers"}
    if piece is LIST:
        assert servers == [*(before.get("servers") or []), dict(LIST.entry)]
    else:
        assert servers == {**(before.get("servers") or {}), "recall": dict(TABLE.entry)}
    assert made.count("\r\n") == (made.count("\n") if "\r" in text else 0)
    assert piece.removed(made) == text


@PIECES
def test_of_a_file_that_was_made_for_it_nothing_is_left(piece: YamlServer) -> None:
    made = piece.installed(None)
    assert made.startswith(piece.head) and made.endswith("\n") and piece.state(made) is State.CURRENT
    assert piece.removed(made) is None
    assert piece.removed(made + "model: x\n") == piece.head + "model: x\n"


@PIECES
def test_one_of_another_memory_is_replaced_and_what_a_person_added_stays(piece: YamlServer) -> None:
    others = {"an entry below": "b: 1\nservers:\n"}["an entry below"]
    moved = YamlServer(
        PATH, "servers", {**piece.entry, "args": ["--root", "/other", "mcp"], "note": "mine"}, piece.is_list
    )
    there = moved.installed(others) + "# after\nc: 2\n"
    assert piece.state(there) is State.OUTDATED and piece.roots(there) == (Path("/other"),)
    made = piece.installed(there)
    assert piece.state(made) is State.CURRENT and piece.roots(made) == (Path("/home/u/m"),)
    assert "mine" in made and made.count("recall") == there.count("recall") and made.endswith("# after\nc: 2\n")


@PIECES
def test_a_server_of_that_name_that_is_not_ours_is_left(piece: YamlServer) -> None:
    text = "servers:\n  - {name: recall, command: npx}\n" if piece.is_list else "servers:\n  recall: {cmd: npx}\n"
    assert piece.state(text) is State.CHANGED
    assert piece.removed(text) == text and piece.argv(text) == ()
    assert piece.state(piece.installed(text)) is State.CURRENT


@PIECES
@pytest.mark.parametrize(
    "text",
    [
        "servers: [",
        "- a\n",
        "servers: 5\n",
        "a: 1\n---\nb: 2\n",
        "servers: &s\nb: *s\n",
        "servers:\nservers:\n",
        "{a: 1}",
        "a: 1\r b: 2\n",
        "servers: !!python/object:os.system x\n",
        "a: " + "[" * 5_000,
        "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
        "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e]\n",
        "a: \x00\n",
        "a: \ud800\n",
    ],
)
def test_what_cannot_be_edited_is_refused_with_its_file(piece: YamlServer, text: str) -> None:
    with pytest.raises(BrokenFileError, match=r"config\.yaml"):
        piece.installed(text)


def test_a_list_that_another_key_names_too_is_refused() -> None:
    with pytest.raises(BrokenFileError):
        LIST.installed("a: &a\n  - name: web\nservers: *a\n")


_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(_WORDS, _VALUES, max_size=4), _VALUES, st.sampled_from([None, True, False]), st.booleans())
def test_any_file_is_as_it_was_or_refused(
    rest: dict[str, Any], servers: Any, is_flow: bool | None, is_windows: bool
) -> None:
    text = yaml.safe_dump({**rest, "servers": servers}, default_flow_style=is_flow, sort_keys=False, allow_unicode=True)
    if is_windows:
        text = text.replace("\n", "\r\n")
    for piece in (LIST, TABLE):
        try:
            if piece.state(text) is not State.ABSENT:
                continue
            made = piece.installed(text)
        except BrokenFileError:
            continue
        assert piece.removed(made) == text
