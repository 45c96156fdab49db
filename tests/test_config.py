"""Settings: one schema, three origins, and defaults for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.config import allowed_values, check_value, env_name, get_setting, is_secret, load_config, render_value
from recall_tui.errors import ConfigError
from recall_tui.setting_schema import SCHEMA


def test_a_value_comes_from_the_environment_then_the_file_then_the_default(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[ephemeral]\nmax_entries = 7 # seven\n[memory]\nmax_lines = 300\n")
    config = load_config(file, {"RECALL_EPHEMERAL_MAX_ENTRIES": "9"})
    assert (config.get("ephemeral.max_entries"), config.origin("ephemeral.max_entries")) == (9, "environment")
    assert (config.get("memory.max_lines"), config.origin("memory.max_lines")) == (300, "file")
    assert (config.get("inject.tokens"), config.origin("inject.tokens")) == (1000, "default")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("[ephemeral]\nmax_entries = 0", "ephemeral.max_entries"),
        ("[ephemeral]\nmax_entries = 51", "ephemeral.max_entries"),
        ('[ephemeral]\nmax_entries = "many"', "ephemeral.max_entries"),
        ("[ephemeral]\nmax_entries = true", "ephemeral.max_entries"),
        ("[search]\nweights = [0.5, 0.5, 0.5]", "search.weights"),
        ("[search]\nweights = [1.0]", "search.weights"),
        ('layout = "pile"', "layout"),
        ("[dream]\nenabled = 3", "dream.enabled"),
    ],
)
def test_a_bad_value_runs_on_its_default_with_one_warning_and_spares_the_others(
    tmp_path: Path, line: str, key: str
) -> None:
    file = tmp_path / "c.toml"
    file.write_text(f"{line}\n[memory]\nmax_lines = 300\n")
    config = load_config(file, {})
    assert config.get(key) == get_setting(key).default
    assert len(config.warnings) == 1 and str(file) in config.warnings[0] and key in config.warnings[0]
    assert config.get("memory.max_lines") == 300


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("transcripts.aliases", "~/old = ~/new, /gone/a", ("~/old = ~/new", "/gone/a")),
        ("transcripts.sources", "/a/b, ~/c", ("/a/b", "~/c")),
        ("search.weights", "0.5/0.3/0.2", (0.5, 0.3, 0.2)),
        ("search.weights", "0.5, 0.3, 0.2", (0.5, 0.3, 0.2)),
    ],
)
def test_a_list_is_written_with_commas_and_numbers_with_strokes_too(key: str, text: str, value: object) -> None:
    assert check_value(get_setting(key), text) == value


@pytest.mark.parametrize("text", ["= /new", "/old =", "~/a = ~/b, ="])
def test_a_folder_that_was_moved_from_or_to_nowhere_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="old = new"):
        check_value(get_setting("transcripts.aliases"), text)


def test_a_file_that_cannot_be_parsed_is_one_warning_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[memory\nmax_lines = 300\n")
    config = load_config(file, {})
    assert config.get("memory.max_lines") == 200
    assert len(config.warnings) == 1 and "line 1" in config.warnings[0]
    file.write_bytes(b"\xff\xfe")
    assert len(load_config(file, {}).warnings) == 1


def test_the_json_form_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text('{"ephemeral": {"max_entries": 3}}')
    assert load_config(file, {}).get("ephemeral.max_entries") == 3
    file.write_text("[]")
    assert len(load_config(file, {}).warnings) == 1


def test_tables_of_other_tools_are_theirs_and_an_unknown_key_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('[pipeline]\nauto_sync = true\n[llm]\nprovider = "claude"\n[memroy]\nmax_lines = 1\n')
    config = load_config(file, {})
    assert config.get("llm.provider") == "claude"
    assert len(config.warnings) == 1 and "memroy.max_lines" in config.warnings[0]


def test_an_unknown_key_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(ConfigError) as error:
        get_setting("ephemeral.max_entry")
    assert "ephemeral.max_entries" in error.value.hint
    assert get_setting("keys.search").key == "keys.search"


@pytest.mark.parametrize("setting", SCHEMA, ids=lambda setting: setting.key)
def test_every_default_passes_its_own_check_and_says_what_it_is_for(setting) -> None:  # type: ignore[no-untyped-def]
    assert setting.help and env_name(setting.key).startswith("RECALL_")
    if setting.default not in (None, ""):
        assert check_value(setting, setting.default) == setting.default


def test_what_cannot_be_used_is_named_by_its_key_with_what_would_be_right(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[ephemeral]\nmax_entries = 900\n")
    assert load_config(file, {}).refused == {
        "ephemeral.max_entries": "ephemeral.max_entries = 900 is out of range (1 to 50)"
    }


@pytest.mark.parametrize("key", [one.key for one in SCHEMA if one.default is not None])
def test_a_value_is_written_as_it_can_be_given_back(key: str) -> None:
    setting = get_setting(key)
    assert check_value(setting, render_value(setting.default)) == setting.default


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("memory.max_bytes", "1,024 to 1,048,576"),
        ("ephemeral.max_entries", "1 to 50"),
        ("dream.enabled", "true, false"),
        ("salience.strategy", "salience, uniform, recency"),
        ("llm.model", ""),
    ],
)
def test_what_a_setting_takes_is_told_in_words(key: str, words: str) -> None:
    assert allowed_values(get_setting(key)) == words


def test_only_names_outside_the_schema_are_secrets() -> None:
    assert is_secret("llm.api_key") and is_secret("embeddings.token")
    assert not is_secret("inject.tokens") and not is_secret("keys.search") and not is_secret("llm.region")
