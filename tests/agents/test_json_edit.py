"""JSON is edited where it has to be, and every other byte stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.agents.pieces import json_edit
from recall_tui.errors import BrokenFileError
from tests.agents.settings_samples import ZOO, documents, events, values

FILE = Path("/home/u/.claude/settings.json")
GROUP = {"matcher": "startup", "hooks": [{"type": "command", "command": "/bin/x hook", "timeout": 10}]}


def without(text: str, *events: str) -> str | None:
    """The text without the last group of each event."""
    left: str | None = text
    for event in events:
        assert left is not None
        hooks = json_edit.parse_json(left, FILE).get("hooks")
        assert hooks is not None
        groups = hooks.get(event)
        assert groups is not None
        left = json_edit.remove_value(left, FILE, ("hooks", event, len(groups.children) - 1))
    return left


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.parametrize("order", [("Stop", "SessionEnd"), ("SessionEnd", "Stop")])
def test_what_is_put_in_is_taken_out_without_a_trace(name: str, order: tuple[str, str]) -> None:
    text = ZOO[name]
    longer = json_edit.insert_value(text, FILE, ("hooks", "Stop"), GROUP)
    longer = json_edit.insert_value(longer, FILE, ("hooks", "SessionEnd"), GROUP)
    value = json.loads(longer.removeprefix("\ufeff"))
    assert value["hooks"]["Stop"][-1] == value["hooks"]["SessionEnd"][-1] == GROUP
    assert without(longer, *order) == text


def test_a_file_made_for_it_goes_with_it() -> None:
    text = json_edit.render_document(("hooks", "Stop"), GROUP)
    text = json_edit.insert_value(text, FILE, ("hooks", "SessionEnd"), GROUP)
    assert json.loads(text) == {"hooks": {"Stop": [GROUP], "SessionEnd": [GROUP]}}
    assert without(text, "Stop", "SessionEnd") is None


def test_it_is_written_as_the_file_is_written() -> None:
    text = json_edit.insert_value('{\n\t"a": 1\n}\n', FILE, ("hooks", "Stop"), {"b": [1]})
    inner = '[\n\t\t\t{\n\t\t\t\t"b": [\n\t\t\t\t\t1\n\t\t\t\t]\n\t\t\t}\n\t\t]'
    assert text == f'{{\n\t"a": 1,\n\t"hooks": {{\n\t\t"Stop": {inner}\n\t}}\n}}\n'
    assert json_edit.insert_value('{"a":1}', FILE, ("b",), 2) == '{"a":1,"b":[ 2 ]}'
    assert "\n" not in json_edit.insert_value('{"a":1}', FILE, ("hooks", "Stop"), GROUP)
    crlf = json_edit.insert_value('{\r\n  "a": 1\r\n}\r\n', FILE, ("hooks", "Stop"), GROUP)
    assert crlf.count("\n") == crlf.count("\r\n")


def test_a_value_is_replaced_in_its_place() -> None:
    text = '{\n  "a": [1, {"x": 1.0}, 3],\n  "b": 2e0\n}'
    assert json_edit.replace_value(text, FILE, ("a", 1), "é") == '{\n  "a": [1, "é", 3],\n  "b": 2e0\n}'


def test_one_of_several_elements_goes_alone() -> None:
    assert json_edit.remove_value("[1, 2,  3]", FILE, (0,)) == "[2,  3]"
    assert json_edit.remove_value("[1, 2,  3]", FILE, (1,)) == "[1,  3]"
    assert json_edit.remove_value("[1, 2,  3]", FILE, (2,)) == "[1, 2]"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('{\n  // mine\n  "a": 1\n}', 2, "comment"),
        ('{\n  "a": 1, /* mine */\n  "b": 1\n}', 2, "comment"),
        ('{\n  "a": 1,\n}', 2, "nothing after it"),
        ('{\n  "a": [1,\n  2,]\n}', 3, "nothing after it"),
        ('{"a": 1', 1, "too early"),
        ('{"a": 1}\n}', 2, "goes on"),
        ('{"a": 1,\n "a": 2}', 2, "twice"),
        ('{"a": 1,\n "\\u0061": 2}', 2, "twice"),
        ("{'a': 1}", 1, "double quotes"),
        ('{"a" 1}', 1, "colon"),
        ('{"a": NaN}', 1, "value"),
        ('{"a": 01}', 1, "comma"),
        ('{"a": "x\ny"}', 1, "end well"),
        ('{"a": "x', 1, "end well"),
        ("[" * 100_000, 1, "deeply"),
    ],
)
def test_what_is_no_json_is_refused_by_file_and_line(text: str, line: int, why: str) -> None:
    with pytest.raises(BrokenFileError) as caught:
        json_edit.insert_value(text, FILE, ("hooks", "Stop"), GROUP)
    assert f"{FILE}, line {line}: " in caught.value.message and why in caught.value.message
    assert "nothing was changed" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "line"),
    [("[]", 1), ('"x"', 1), ('{\n "hooks": []}', 2), ('{"hooks":\n {\n "Stop": {}}}', 3), ('{"hooks": null}', 1)],
)
def test_a_wrong_shape_is_refused_by_file_and_line(text: str, line: int) -> None:
    with pytest.raises(BrokenFileError, match=f"line {line}: "):
        json_edit.insert_value(text, FILE, ("hooks", "Stop"), GROUP)


@pytest.mark.long
@given(documents(), st.lists(events, min_size=1, max_size=4, unique=True), st.randoms(), st.booleans())
def test_any_text_comes_back_when_what_was_put_in_is_taken_out(
    text: str, wanted: list[str], random: Any, has_windows_line_ends: bool
) -> None:
    if has_windows_line_ends:
        text = text.replace("\n", "\r\n")
    before = json.loads(text)
    longer = text
    for event in wanted:
        longer = json_edit.insert_value(longer, FILE, ("hooks", event), GROUP)
    after = json.loads(longer)
    for event in wanted:
        assert after["hooks"][event].pop() == GROUP
    assert {**after, "hooks": {name: one for name, one in after["hooks"].items() if one}} == {
        **before,
        "hooks": {name: one for name, one in before.get("hooks", {}).items() if one},
    }
    random.shuffle(wanted)
    assert without(longer, *wanted) == text


@given(values, st.sampled_from([None, 2, "\t"]))
def test_the_reader_reads_what_json_reads(value: Any, indent: Any) -> None:
    text = json.dumps(value, indent=indent)
    assert json_edit.parse_json(text, FILE).plain() == json.loads(text)


@given(st.text(st.sampled_from('{}[]",:01.eE-+ntrue \n\\/*#a'), max_size=30))
def test_the_reader_refuses_what_json_refuses(text: str) -> None:
    def refuse(name: str) -> Any:
        raise ValueError(name)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("twice")
        return dict(pairs)

    try:
        expected = json.loads(text, parse_constant=refuse, object_pairs_hook=once)
    except ValueError:
        with pytest.raises(BrokenFileError):
            json_edit.parse_json(text, FILE)
    else:
        assert json_edit.parse_json(text, FILE).plain() == expected
