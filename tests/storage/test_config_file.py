"""Edits of the settings file change one value and keep the rest of the text."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.errors import ConfigError
from recall_tui.setting_schema import SCHEMA, SettingValue
from recall_tui.storage.config_file import config_path, contains, find_line, with_layout, with_value, without_value
from recall_tui.storage.layout import make_layout

JSON = Path("settings/.recall-echo.json")
COMMENTED = """\
# my settings

layout = "entity"  # decided in March

# how many sessions
[ephemeral]
max_entries = 7   # a lucky number
# unknown to everybody
own_key = "kept"

[graph]
mode = "embedded"
"""


def test_a_value_changes_and_every_comment_stays() -> None:
    changed = with_value(COMMENTED, "ephemeral.max_entries", 9)
    assert changed == COMMENTED.replace("max_entries = 7 ", "max_entries = 9 ")


def test_a_new_key_goes_into_its_table() -> None:
    changed = with_value(COMMENTED, "ephemeral.other", "x")
    assert tomllib.loads(changed)["ephemeral"] == {"max_entries": 7, "own_key": "kept", "other": "x"}
    assert [line for line in changed.splitlines() if line.strip() and "other" not in line] == [
        line for line in COMMENTED.splitlines() if line.strip()
    ]


def test_a_missing_table_is_made() -> None:
    changed = with_value(COMMENTED, "memory.max_lines", 150)
    assert changed.startswith(COMMENTED)
    assert tomllib.loads(changed)["memory"] == {"max_lines": 150}


def test_a_key_without_a_table_goes_before_the_tables() -> None:
    changed = with_value("# top\n[ephemeral]\nmax_entries = 3\n", "theme", "nord")
    assert tomllib.loads(changed) == {"theme": "nord", "ephemeral": {"max_entries": 3}}
    assert "# top" in changed


def test_an_empty_file_gets_the_value() -> None:
    assert tomllib.loads(with_value("", "search.weights", (0.5, 0.25, 0.25))) == {
        "search": {"weights": [0.5, 0.25, 0.25]}
    }


@pytest.mark.parametrize(
    "text",
    [
        "ephemeral = { max_entries = 3, other = 1 }\n",
        "ephemeral.max_entries = 3\nephemeral.other = 1\n",
        "[ephemeral]\nmax_entries = 3\n[llm]\nmodel = 'x'\n[ephemeral.sub]\nother = 1\n",
    ],
)
def test_every_way_to_write_a_table_is_understood(text: str) -> None:
    expected = tomllib.loads(text)
    expected["ephemeral"]["max_entries"] = 4
    assert tomllib.loads(with_value(text, "ephemeral.max_entries", 4)) == expected
    del expected["ephemeral"]["max_entries"]
    assert tomllib.loads(without_value(text, "ephemeral.max_entries")) == expected


def test_windows_line_ends_stay() -> None:
    text = COMMENTED.replace("\n", "\r\n")
    for changed in (
        with_value(text, "memory.max_lines", 150),
        with_value(text, "ephemeral.max_entries", 9),
        without_value(text, "ephemeral.max_entries"),
        with_layout(text.replace("layout", "loyout"), "user"),
    ):
        assert changed.count("\n") == changed.count("\r\n")


def test_taking_a_key_out_leaves_its_table_and_comments() -> None:
    changed = without_value(COMMENTED, "ephemeral.max_entries")
    assert tomllib.loads(changed)["ephemeral"] == {"own_key": "kept"}
    assert "# unknown to everybody" in changed
    assert without_value(COMMENTED, "ephemeral.nothing") == COMMENTED
    assert without_value(COMMENTED, "nothing.at_all") == COMMENTED


def test_a_whole_table_is_not_taken_out() -> None:
    with pytest.raises(ConfigError, match="table of settings") as caught:
        without_value(COMMENTED, "ephemeral")
    assert "ephemeral.max_entries" in caught.value.hint


def test_a_broken_file_is_refused_with_its_line() -> None:
    with pytest.raises(ConfigError, match=r"mine\.toml: .*line 2"):
        with_value("a = 1\nb = = 2\n", "theme", "nord", Path("mine.toml"))
    with pytest.raises(ConfigError, match=r"\.recall-echo\.json: .*line 1"):
        with_value("{oops", "theme", "nord", JSON)
    with pytest.raises(ConfigError, match="not an object"):
        with_value("[1]", "theme", "nord", JSON)


def test_a_value_where_a_table_belongs_is_refused() -> None:
    with pytest.raises(ConfigError, match="ephemeral is a value"):
        with_value("ephemeral = 5\n", "ephemeral.max_entries", 4)


def test_json_keeps_its_order_and_indentation() -> None:
    table = {"zebra": "ß", "ephemeral": {"max_entries": 3}, "apple": [1]}
    text = json.dumps(table, indent=4, ensure_ascii=False) + "\n"
    assert with_value(text, "ephemeral.max_entries", 4, JSON) == text.replace("3", "4")
    assert json.loads(without_value(text, "ephemeral.max_entries", JSON)) == {
        "zebra": "ß",
        "ephemeral": {},
        "apple": [1],
    }
    assert with_value('{"a": 1}', "theme", "nord", JSON) == '{"a": 1, "theme": "nord"}'
    assert with_value("", "ephemeral.max_entries", 4, JSON) == '{\n  "ephemeral": {\n    "max_entries": 4\n  }\n}\n'


def test_a_dotted_json_key_is_changed_where_it_stands() -> None:
    assert (
        with_value('{"ephemeral.max_entries": 3}', "ephemeral.max_entries", 4, JSON) == '{"ephemeral.max_entries": 4}'
    )


def test_a_key_is_known_by_being_there() -> None:
    assert contains(COMMENTED, "ephemeral.own_key")
    assert not contains(COMMENTED, "ephemeral.nothing")
    assert contains('{"ephemeral": {"max_entries": 1}}', "ephemeral.max_entries", JSON)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 'layout = "user"\n'),
        ("[ephemeral]\nmax_entries = 3\n", 'layout = "user"\n\n[ephemeral]\nmax_entries = 3\n'),
        ("theme = 'x'\n", "layout = \"user\"\ntheme = 'x'\n"),
        ("# head\n\n# about\n[a]\nb = 1\n", '# head\n\nlayout = "user"\n\n# about\n[a]\nb = 1\n'),
        ("# head\n[a]\nb = 1\n", '# head\nlayout = "user"\n\n[a]\nb = 1\n'),
        ("# only", '# only\nlayout = "user"\n'),
    ],
)
def test_the_layout_is_written_before_anything_else(text: str, expected: str) -> None:
    assert with_layout(text, "user") == expected
    assert tomllib.loads(expected) == {"layout": "user", **tomllib.loads(text)}


def test_the_layout_of_a_json_file_is_a_key_of_it() -> None:
    assert json.loads(with_layout('{"a": 1}', "user", JSON)) == {"a": 1, "layout": "user"}


def test_the_older_json_file_counts_while_it_is_all_there_is(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "user")
    assert config_path(layout) == tmp_path / ".recall-echo.toml"
    (tmp_path / ".recall-echo.json").write_text("{}")
    assert config_path(layout) == tmp_path / ".recall-echo.json"
    (tmp_path / ".recall-echo.toml").write_text("")
    assert config_path(layout) == tmp_path / ".recall-echo.toml"
    assert config_path(make_layout(tmp_path, "entity")) == tmp_path / "memory" / ".recall-echo.toml"


KEYS = st.sampled_from([setting.key for setting in SCHEMA] + ["llm.extra", "keys.openai"])
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.lists(st.floats(0, 1, allow_nan=False), max_size=3).map(tuple),
)


@pytest.mark.long
@given(st.dictionaries(KEYS, VALUES, max_size=6), KEYS, VALUES)
def test_setting_and_unsetting_touches_one_key_only(
    first: dict[str, SettingValue], key: str, value: SettingValue
) -> None:
    for path in (Path("x.toml"), JSON):
        text = ""
        for name, old in first.items():
            text = with_value(text, name, old, path)
        changed = with_value(text, key, value, path)
        assert contains(changed, key, path)
        taken = without_value(changed, key, path)
        assert not contains(taken, key, path)
        for name in first:
            assert name == key or contains(taken, name, path)
        assert with_value(changed, key, value, path) == changed


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[ephemeral]\nmax_entries = 3\n", 2),
        ("# max_entries = 1\nephemeral.max_entries = 3\n", 2),
        ('theme = "x"\n[ephemeral] # own\n\n  "max_entries"=3\n', 4),
        ("max_entries = 3\n[memory]\nmax_entries = 4\n", 0),
        ("ephemeral = { max_entries = 3 }\n", 0),
        ("", 0),
    ],
)
def test_the_line_that_sets_a_key_is_found(text: str, line: int) -> None:
    assert find_line(text, "ephemeral.max_entries") == line
