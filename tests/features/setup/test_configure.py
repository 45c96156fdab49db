"""Settings are checked before they reach the file, and the file stays the person's own."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.domain import Create, LayoutName, Plan, Replace
from recall_tui.environment import Environment
from recall_tui.errors import ConfigError
from recall_tui.features.setup.configure import set_value, unset
from recall_tui.memory import Memory
from recall_tui.storage.config_file import layout_edit
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.layout import LAYOUT_NAMES, detect_layout, make_layout
from recall_tui.storage.memory_context import Store


def opened(root: Path, environment: Environment, now: Callable[[], datetime], name: LayoutName = "entity") -> Store:
    layout = make_layout(root, name)
    layout.base.mkdir(parents=True, exist_ok=True)
    return Memory(layout, environment, now)


@pytest.fixture
def store(tmp_path: Path, environment: Environment, now: Callable[[], datetime]) -> Store:
    return opened(tmp_path / "mind", environment, now)


def commit(store: Store, plan: Plan) -> None:
    Journal(store.state, store.now).commit(lambda: plan)


def table(store: Store) -> dict[str, object]:
    return tomllib.loads(store.layout.config.read_text())


def test_a_value_is_written_as_its_own_type(store: Store) -> None:
    plan = set_value(store, "ephemeral.max_entries", "7")
    assert plan.title == "Set ephemeral.max_entries = 7"
    assert isinstance(plan.edits[0], Create)
    commit(store, plan)
    commit(store, set_value(store, "capture.auto", "yes"))
    commit(store, set_value(store, "search.weights", "0.6/0.3/0.1"))
    assert table(store) == {
        "ephemeral": {"max_entries": 7},
        "capture": {"auto": True},
        "search": {"weights": [0.6, 0.3, 0.1]},
    }


def test_setting_the_same_value_again_changes_nothing(store: Store) -> None:
    commit(store, set_value(store, "theme", "nord"))
    plan = set_value(store, "theme", "nord")
    assert (plan.title, plan.edits) == ("theme is nord already", ())


@pytest.mark.parametrize(
    ("key", "raw", "words"),
    [
        ("ephemeral.max_entries", "51", "out of range"),
        ("ephemeral.max_entries", "some", "whole number"),
        ("ephemeral.max_entrys", "5", "unknown setting"),
        ("search.weights", "0.5/0.5/0.5", "sums to 1.5"),
        ("layout", "round", "not one of its values"),
    ],
)
def test_what_the_schema_refuses_is_an_error(store: Store, key: str, raw: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        set_value(store, key, raw)


def test_unsetting_gives_the_default_back_and_undo_the_same_bytes(store: Store) -> None:
    text = b"# mine\r\n[ephemeral]\r\nmax_entries = 9 # nine\r\nodd = 1\r\n"
    store.layout.config.write_bytes(text)
    plan = unset(store, "ephemeral.max_entries")
    assert plan.title == "Unset ephemeral.max_entries"
    commit(store, plan)
    assert table(store) == {"ephemeral": {"odd": 1}}
    assert Journal(store.state, store.now).undo()
    assert store.layout.config.read_bytes() == text


def test_an_unknown_key_can_be_taken_out_but_not_put_in(store: Store) -> None:
    store.layout.config.write_text("[ephemeral]\nodd = 1\n")
    assert unset(store, "ephemeral.odd").edits
    assert unset(store, "theme").title == "theme is not set"
    with pytest.raises(ConfigError, match="unknown setting"):
        unset(store, "ephemeral.other")


def test_a_broken_file_is_named_with_its_line_and_left_alone(store: Store) -> None:
    store.layout.config.write_text("theme = 'x'\noops = = 1\n")
    for plan in (lambda: set_value(store, "theme", "nord"), lambda: unset(store, "theme")):
        with pytest.raises(ConfigError, match=r"\.recall-echo\.toml: .*line 2"):
            plan()


def test_a_new_provider_clears_what_belonged_to_the_old_one(store: Store) -> None:
    store.layout.config.write_text('[llm]\nprovider = "a"\nmodel = "m"\napi_base = "b"\napi_key = "k"\n')
    plan = set_value(store, "provider", "codex")
    commit(store, plan)
    assert table(store) == {"llm": {"provider": "codex", "api_key": "k"}}
    assert len(plan.notes) == 2
    again = Memory(store.layout, store.environment, store.now)
    assert set_value(again, "llm.provider", "codex").edits == ()


def test_a_secret_is_not_shown(store: Store) -> None:
    plan = set_value(store, "keys.openai", "sk-very-secret")
    assert "secret" not in plan.title
    commit(store, plan)
    assert table(store) == {"keys": {"openai": "sk-very-secret"}}


def test_the_environment_is_named_when_it_wins(store: Store) -> None:
    environment = store.environment._replace(env={**store.environment.env, "RECALL_THEME": "x"})
    noted = Memory(store.layout, environment, store.now)
    assert set_value(noted, "theme", "nord").notes == ("RECALL_THEME is set in the environment and overrides the file",)


def test_the_older_json_file_is_edited_as_json(
    tmp_path: Path, environment: Environment, now: Callable[[], datetime]
) -> None:
    store = opened(tmp_path / ".claude", environment, now, "user")
    path = store.root / ".recall-echo.json"
    path.write_text('{\n  "own": [1],\n  "ephemeral": {\n    "max_entries": 3\n  }\n}\n')
    commit(store, set_value(store, "ephemeral.max_entries", 4))
    assert path.read_text() == '{\n  "own": [1],\n  "ephemeral": {\n    "max_entries": 4\n  }\n}\n'.replace(
        "[1]", "[\n    1\n  ]"
    )
    edit = layout_edit(store)
    assert isinstance(edit, Replace)
    assert edit.path == path
    assert json.loads(edit.text)["layout"] == "user"
    assert not store.layout.config.exists()


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_the_layout_is_recorded_once(
    tmp_path: Path, environment: Environment, now: Callable[[], datetime], name: LayoutName
) -> None:
    store = opened(tmp_path / "mind", environment, now, name)
    edit = layout_edit(store)
    assert isinstance(edit, Create)
    commit(store, Plan("first write", (edit,)))
    assert table(store) == {"layout": name}
    assert layout_edit(store) is None
    found = detect_layout(store.root)
    assert found and found[0] == name


def test_recording_the_layout_keeps_what_is_there(store: Store) -> None:
    store.layout.config.write_text("# mine\n\n[ephemeral]\nmax_entries = 3\n")
    edit = layout_edit(store)
    assert isinstance(edit, Replace)
    assert edit.text == '# mine\n\nlayout = "entity"\n\n[ephemeral]\nmax_entries = 3\n'


def test_a_file_that_cannot_be_read_is_not_recorded_in(store: Store) -> None:
    store.layout.config.write_text("= broken\n")
    assert layout_edit(store) is None


def test_recording_the_layout_needs_no_library(tmp_path: Path) -> None:
    import subprocess

    code = (
        "import sys; from pathlib import Path; from recall_tui.storage.config_file import layout_edit;"
        "from recall_tui.memory import Memory; from recall_tui.storage.layout import make_layout;"
        "from recall_tui.environment import Environment; root = Path(sys.argv[1]);"
        "(root / 'memory').mkdir(); layout = make_layout(root, 'entity'); layout.config.write_text('[a]\\nb = 1\\n');"
        "layout_edit(Memory(layout, Environment(root, root, {}), None));"
        "heavy = {'tomlkit', 'yaml', 'rapidfuzz', 'markdown_it', 'asyncio', 'importlib.metadata'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
