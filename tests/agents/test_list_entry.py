"""Entries come into a list of a YAML file and leave it byte for byte as it was, whatever its form."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.agents.pieces.yaml_list_entry import YamlListEntry
from recall_tui.agents.target import State
from recall_tui.errors import BrokenFileError

PATH = Path("/home/u/.aider.conf.yml")
OURS = ("/home/u/.aider/recall-tui.md", "/home/u/my agent/memory/MEMORY.md")
PIECE = YamlListEntry(PATH, "read list", "read", OURS)
ONE = YamlListEntry(PATH, "read list", "read", OURS[:1])
FORMS = {
    "no such key": "model: opus # best\ndark-mode: true\n",
    "nothing but a comment": "# my settings\n",
    "no final line end": "model: opus",
    "no final line end after a list": "model: opus\nread:\n- a.md",
    "an empty file": "",
    "a single value": "read: a.md # style\nmodel: opus\n",
    "a quoted value": 'read: "a b.md"\n',
    "a value at the very end": "read: a.md",
    "a flow list": "read: [a.md, 'b.md'] # style\nmodel: opus\n",
    "a flow list over lines": "read: [\n  a.md, # first\n  b.md # second\n]\nmodel: opus\n",
    "a flow list with a last comma": "read: [a.md, b.md, ]\n",
    "an empty flow list": "read: []\nmodel: opus\n",
    "an empty flow list with a space": "read: [ ]\n",
    "a block list": "read:\n  - a.md # first\n  - b.md\n\n# below\nmodel: opus\n",
    "a block list without indentation": "# top\nread:\n- a.md\nmodel: opus\n",
    "a key alone": "read:\nmodel: opus\n",
    "a key alone with a comment": "read: # none yet\n\n# more\nmodel: opus\n",
    "a key alone at the end": "model: opus\nread:",
    "a document mark": "---\nmodel: opus\nread: [a.md]\n",
    "a table on one line": "{model: opus, read: [a.md]}\n",
    "a block list with a block text": "read:\n- a.md\n- |\n  b.md\nmodel: opus\n",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", FORMS)
def test_taken_out_the_file_is_as_it_was(name: str, newline: str) -> None:
    text = FORMS[name].replace("\n", newline)
    before = yaml.safe_load(text) or {}
    listed = before.get("read") or []
    expected = [listed] if isinstance(listed, str) else listed
    assert PIECE.state(text) is State.ABSENT
    installed = PIECE.installed(text)
    assert yaml.safe_load(installed) == {**before, "read": [*expected, *OURS]}
    assert PIECE.state(installed) is State.CURRENT
    assert PIECE.installed(installed) is installed
    assert PIECE.removed(installed) == text


def test_a_file_that_was_made_for_it_goes() -> None:
    text = PIECE.installed(None)
    assert yaml.safe_load(text) == {"read": list(OURS)}
    assert PIECE.removed(text) is None
    assert PIECE.removed(text + "model: opus\n") == "model: opus\n"


KEYS = st.sampled_from(
    ["model: opus", "# words", "", "dark-mode: true  # ok", "'auto commits': false", "alias: [a, b]"]
)
VALUES = st.sampled_from(["a.md", "'it''s.md'", '"b c.md"', "d/e.md"])
LISTS = st.lists(VALUES, max_size=4)


@st.composite
def settings_files(draw: st.DrawFn) -> str:
    """A settings file with a list in any of its forms, among other settings."""
    values = draw(LISTS)
    form = draw(st.sampled_from(["none", "flow", "lines", "one"]))
    indent = draw(st.sampled_from(["", "  ", "    "]))
    comment = draw(st.sampled_from(["", " # why"]))
    read = {
        "none": [],
        "flow": [f"read: [{', '.join(values)}]{comment}"],
        "lines": [f"read:{comment}", *(f"{indent}- {value}{comment}" for value in values)],
        "one": [f"read: {value}{comment}" for value in values[:1]],
    }[form]
    above = draw(st.lists(KEYS, max_size=2, unique=True))
    lines = [*above, *read, *(line for line in draw(st.lists(KEYS, max_size=2, unique=True)) if line not in above)]
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return newline.join(lines) + draw(st.sampled_from(["", newline]))


@pytest.mark.long
@given(settings_files())
def test_any_settings_file_is_as_it_was_when_they_are_taken_out(text: str) -> None:
    before = yaml.safe_load(text) or {}
    installed = PIECE.installed(text)
    after = yaml.safe_load(installed)
    assert after.pop("read")[-2:] == list(OURS)
    before.pop("read", None)
    assert after == before
    assert PIECE.removed(installed) == text


def test_what_a_person_adds_behind_them_stays() -> None:
    for text in ("model: opus\n", "read:\n  - a.md\n"):
        grown = PIECE.installed(text) + "  - mine.md\n"
        left = PIECE.removed(grown)
        assert left is not None
        assert yaml.safe_load(left)["read"][-1] == "mine.md"
        assert "recall-tui.md" not in left
    flow = PIECE.installed("read: [a.md]\n").replace("]", ", mine.md]")
    assert PIECE.removed(flow) == "read: [a.md, mine.md]\n"


def test_one_that_is_missing_is_added_and_one_of_another_memory_goes() -> None:
    text = ONE.installed("read:\n- a.md\n")
    assert PIECE.state(text) is State.OUTDATED
    assert yaml.safe_load(PIECE.installed(text))["read"] == ["a.md", *OURS]
    other = YamlListEntry(PATH, "read list", "read", (OURS[0], "/elsewhere/MEMORY.md"))
    for start in ("read:\n- a.md\n", "model: opus\n"):
        text = other.installed(start)
        assert PIECE.state(text) is State.OUTDATED
        moved = PIECE.installed(text)
        assert "/elsewhere" not in moved
        assert PIECE.removed(moved) == start


def test_a_list_that_held_only_those_of_another_memory_holds_only_those_of_this() -> None:
    other = YamlListEntry(PATH, "read list", "read", ("/elsewhere/recall-tui.md",))
    moved = PIECE.installed(other.installed("model: opus\n"))
    assert yaml.safe_load(moved)["read"] == list(OURS)
    assert PIECE.state(moved) is State.CURRENT
    assert PIECE.removed(moved) == "model: opus\n"


def test_entries_that_a_person_wrote_go_too() -> None:
    assert ONE.removed("read:\n- a.md\n- /home/u/.aider/recall-tui.md\n") == "read:\n- a.md\n"
    assert ONE.removed("read: [/home/u/.aider/recall-tui.md, a.md]\n") == "read: [a.md]\n"
    assert ONE.removed("read: /home/u/.aider/recall-tui.md\nmodel: opus\n") == "read: \nmodel: opus\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("model: opus\nread: {a: b}\n", 2),
        ("model: opus\nread: 3\n", 2),
        ("read:\n- a.md\n- [b.md]\n", 3),
        ("read:\n- a.md\n- b: c\n", 3),
        ("- a\n- b\n", 1),
        ("just words\n", 1),
        ("read: a\nmodel: opus\nread: b\n", 3),
        ("model: opus\nread: [a\nb: c\n", 3),
        ("model: opus\n\tread: a\n", 2),
        ("read: |\n  a.md\n", 1),
        ("read: ~\n", 1),
        ("model: !mine x\n", 1),
        ("!!set {read}\n", 1),
    ],
)
def test_a_wrong_shape_is_refused_with_its_line(text: str, line: int) -> None:
    for call in (PIECE.state, PIECE.installed, PIECE.removed):
        with pytest.raises(BrokenFileError, match=rf"\.aider\.conf\.yml, line {line}: ") as error:
            call(text)
        assert error.value.hint


@pytest.mark.parametrize("text", ["a: &x [b]\nread: *x\n", "{model: opus}\n", "model: opus\n...\n", "read: a, b\n"])
def test_what_cannot_be_edited_without_harm_is_refused(text: str) -> None:
    with pytest.raises(BrokenFileError) as error:
        PIECE.installed(text)
    assert "recall-tui.md" in error.value.hint or "nothing" in error.value.hint


SIGNS = st.sampled_from(
    ["read", ":", " ", "\n", "\r\n", "-", "[", "]", ",", "a.md", "#", "'", '"', "{", "}", "|", ">", "&x ", "*x", "~",
     "\t", "\ufeff", "🎈", "\u2028", "---", "...", "model: x\n", "read:\n", "- a\n", "  - b # c\n", "!t ", "? ", "\\"]
)  # fmt: skip


@pytest.mark.long
@settings(max_examples=600)
@given(st.lists(SIGNS, max_size=14).map("".join))
def test_any_text_is_refused_or_comes_back_as_it_was(text: str) -> None:
    try:
        before = yaml.safe_load(text)
        installed = PIECE.installed(text)
    except (BrokenFileError, yaml.YAMLError, ValueError, TypeError):
        return
    assert PIECE.state(installed) is State.CURRENT
    after = yaml.safe_load(installed)
    listed = (before or {}).get("read") or []
    assert after["read"] == [*([listed] if isinstance(listed, str) else listed), *OURS]
    assert PIECE.removed(installed) == text


def test_references_that_would_grow_without_end_are_refused() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    for text in (bomb, "a: &a [*a]\n", "a: " + "[" * 5_000):
        with pytest.raises(BrokenFileError):
            YamlListEntry(Path("c.yml"), "files to read", "read", ("/m/a.md",)).installed(text)


def test_a_file_whose_lines_end_in_another_way_is_left_alone() -> None:
    piece = YamlListEntry(Path("c.yml"), "files to read", "read", ("/m/a.md",))
    with pytest.raises(BrokenFileError, match="cannot be edited here"):
        piece.installed("# mine\nread:\r\r")
    assert piece.removed("# mine\nread:\r\r") == "# mine\nread:\r\r"
