"""Searches that are remembered: newest first, each once, without secrets, and never in the way."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import saved_searches
from recall_tui.storage.state.saved_searches import MAX_RECENT, SavedSearch, SavedSearches
from tests.conftest import NOON

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def store(environment: Environment, now: Callable[[], datetime]) -> Store:
    """A memory of which nothing was ever asked."""
    return Memory(make_layout(environment.cwd, "entity"), environment, now)


def file_of(store: Store) -> Path:
    return store.state / saved_searches.SEARCHES_FILE


def test_what_is_asked_is_there_when_it_is_read_again(store: Store) -> None:
    assert saved_searches.read_searches(store) == SavedSearches()
    saved_searches.update(store, lambda known: known.with_asked("jwt kind:memory"))
    saved_searches.update(store, lambda known: known.with_saved("auth", "why jwt"))
    assert saved_searches.read_searches(store) == SavedSearches(("jwt kind:memory",), (SavedSearch("auth", "why jwt"),))


def test_the_newest_question_comes_first_and_each_is_there_once() -> None:
    known = SavedSearches()
    for question in ("a", "b", "a", "  a ", "c"):
        known = known.with_asked(question)
    assert known.recent == ("c", "a", "b")


def test_no_more_than_the_newest_are_remembered() -> None:
    known = SavedSearches()
    for number in range(MAX_RECENT + 5):
        known = known.with_asked(f"question {number}")
    assert len(known.recent) == MAX_RECENT
    assert known.recent[0] == f"question {MAX_RECENT + 4}"


def test_a_blank_question_is_none() -> None:
    assert (
        SavedSearches().with_asked("  ")
        == SavedSearches()
        == SavedSearches().with_saved(" ", "jwt").with_saved("auth", "")
    )


def test_a_name_is_given_once_and_a_question_has_one_name() -> None:
    known = SavedSearches().with_saved("auth", "jwt").with_saved("Auth", "oauth").with_saved("auth", "sessions")
    assert [(one.name, one.question) for one in known.saved] == [("Auth", "oauth"), ("auth", "sessions")]
    assert known.with_saved("login", "oauth").named("login") == SavedSearch("login", "oauth")
    assert known.with_saved("login", "oauth").named("Auth") is None


def test_searches_can_be_taken_out() -> None:
    known = SavedSearches().with_asked("jwt").with_saved("auth", "jwt")
    assert known.without_saved("auth").without_asked("jwt") == SavedSearches()
    assert known.without_saved("other").without_asked("other") == known


def test_secrets_never_reach_the_file(store: Store) -> None:
    saved_searches.update(
        store, lambda known: known.with_asked(f"who used {TOKEN}").with_saved(TOKEN, f"token {TOKEN}")
    )
    assert TOKEN not in file_of(store).read_text(encoding="utf-8")
    assert saved_searches.read_searches(store).recent[0].startswith("who used [redacted:")


def test_nobody_else_can_read_them(store: Store) -> None:
    saved_searches.update(store, lambda known: known.with_asked("jwt"))
    assert file_of(store).stat().st_mode & 0o777 == 0o600
    assert store.state.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b'{"recent": [1], "saved": []}', b'{"recent": []}'])
def test_a_damaged_file_is_as_good_as_none_and_set_aside_at_the_next_change(store: Store, data: bytes) -> None:
    file_of(store).parent.mkdir(parents=True)
    file_of(store).write_bytes(data)
    assert saved_searches.read_searches(store) == SavedSearches()
    assert file_of(store).read_bytes() == data
    saved_searches.update(store, lambda known: known.with_asked("jwt"))
    assert saved_searches.read_searches(store).recent == ("jwt",)
    assert file_of(store).with_name(f"{saved_searches.SEARCHES_FILE}.broken-1").read_bytes() == data


def test_a_change_that_changes_nothing_writes_nothing(store: Store) -> None:
    saved_searches.update(store, lambda known: known.with_asked("jwt"))
    before = file_of(store).stat().st_ino
    saved_searches.update(store, lambda known: known.with_asked("jwt"))
    assert file_of(store).stat().st_ino == before


def _ask(home: Path, number: int) -> None:
    environment = Environment(home=home, cwd=home, env={"RECALL_STATE": str(home / "state")})
    store = Memory(make_layout(home, "entity"), environment, lambda: NOON)
    for step in range(5):
        saved_searches.update(store, lambda known, step=step: known.with_asked(f"{number}.{step}"))


@pytest.mark.long
def test_two_windows_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    windows = [context.Process(target=_ask, args=(tmp_path, number)) for number in range(3)]
    for window in windows:
        window.start()
    for window in windows:
        window.join()
    environment = Environment(home=tmp_path, cwd=tmp_path, env={"RECALL_STATE": str(tmp_path / "state")})
    known = saved_searches.read_searches(Memory(make_layout(tmp_path, "entity"), environment, lambda: NOON))
    assert sorted(known.recent) == sorted(f"{number}.{step}" for number in range(3) for step in range(5))


@pytest.mark.long
@given(st.lists(st.text(max_size=80), max_size=8), st.dictionaries(st.text(max_size=30), st.text(max_size=80)))
def test_any_searches_are_read_back_as_they_were_written(recent: list[str], saved: dict[str, str]) -> None:
    known = SavedSearches()
    for question in recent:
        known = known.with_asked(question)
    for name, question in saved.items():
        known = known.with_saved(name, question)
    assert saved_searches._parse(saved_searches._render(known)) == known
    assert json.loads(saved_searches._render(known))["recent"] == list(known.recent)
