"""The bookmark is read as it was written, and one that cannot be used is as if there were none."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import app_state
from recall_tui.storage.state.app_state import STATE_FILE, AppState

LEFT = AppState("distill", "parts", {"home/archive": "(14, 's')", "distill/parts": "('Auth', 0)"})
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), max_size=40)


@pytest.fixture
def store(environment: Environment, now: Callable[[], datetime]) -> Store:
    """A memory."""
    return Memory(make_layout(environment.cwd, "entity"), environment, now)


def test_it_is_read_as_it_was_written(store: Store) -> None:
    app_state.write_state(store, LEFT)
    assert app_state.read_state(store) == LEFT
    assert (store.state / STATE_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.builds(AppState, WORDS, WORDS, st.dictionaries(WORDS, WORDS, max_size=5)))
def test_any_bookmark_comes_back(store: Store, left: AppState) -> None:
    app_state.write_state(store, left)
    assert app_state.read_state(store) == left


def test_without_a_file_there_is_an_empty_one(store: Store) -> None:
    assert app_state.read_state(store) == AppState()
    assert not store.state.exists()


WHOLE = {"form": 1, "screen": "health", "panel": "", "cursors": {}}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"3",
        b"[" * 5_000,
        json.dumps({**WHOLE, "form": 2}).encode(),
        json.dumps({**WHOLE, "screen": 3}).encode(),
        json.dumps({**WHOLE, "cursors": ["a"]}).encode(),
        json.dumps({**WHOLE, "cursors": {"a": 1}}).encode(),
        json.dumps({key: value for key, value in WHOLE.items() if key != "panel"}).encode(),
        json.dumps({**WHOLE, "panel": "x" * 70_000}).encode(),
    ],
)
def test_a_damaged_or_newer_one_is_as_if_there_were_none(store: Store, data: bytes) -> None:
    store.state.mkdir(parents=True)
    (store.state / STATE_FILE).write_bytes(data)
    assert app_state.read_state(store) == AppState()
    app_state.write_state(store, LEFT)
    assert app_state.read_state(store) == LEFT


def test_a_folder_in_its_place_is_as_if_there_were_none(store: Store) -> None:
    (store.state / STATE_FILE).mkdir(parents=True)
    assert app_state.read_state(store) == AppState()


def test_secrets_and_control_characters_are_not_kept(store: Store) -> None:
    secret = "sk-ant-api03-" + "a1B2c3D4" * 11
    app_state.write_state(store, AppState(cursors={"home/archive": f"what is {secret} \x1b[31mfor"}))
    text = (store.state / STATE_FILE).read_text(encoding="utf-8")
    assert secret not in text and "\\u001b" not in text
    assert "what is" in app_state.read_state(store).cursors["home/archive"]


def test_two_that_write_at_once_leave_one_whole(store: Store) -> None:
    def write(number: int) -> None:
        for _ in range(20):
            app_state.write_state(store, AppState(screen=f"screen{number}", panel=f"{number}" * 200))

    threads = [Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    left = app_state.read_state(store)
    assert left.panel == left.screen[-1] * 200
    assert [path.name for path in Path(store.state).iterdir()] == [STATE_FILE]
