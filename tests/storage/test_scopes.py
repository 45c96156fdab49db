"""A scope is a memory in a folder of the memory."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import UsageError
from recall_tui.storage.scopes import list_scopes, open_scope
from tests.makers import bench_at


def test_a_scope_has_its_own_places_and_shares_settings_and_state(environment: Environment) -> None:
    store = bench_at(environment, "project").store
    scope = open_scope(store, "frontend")
    assert scope.layout.master == store.root / "_memory" / "frontend" / "master.md"
    assert scope.layout.summaries == store.root / "_memory" / "frontend" / "conversations"
    assert (scope.layout.config, scope.state) == (store.layout.config, store.state)
    assert open_scope(store, None) is store


def test_the_scopes_of_a_memory_are_the_folders_that_look_like_one(environment: Environment) -> None:
    store = bench_at(environment, "project").store
    base = store.layout.base
    for folder in ("frontend/conversations", "notes", "topics/conversations", ".hidden/conversations"):
        (base / folder).mkdir(parents=True)
    (base / "backend").mkdir()
    (base / "backend" / "master.md").write_text("# Project Memory\n")
    assert list_scopes(store.layout) == ("backend", "frontend")


@pytest.mark.parametrize("name", ["..", "a/b", "conversations", ".x", "-x", "Topics"])
def test_a_name_that_leads_elsewhere_is_refused(environment: Environment, name: str) -> None:
    with pytest.raises(UsageError):
        open_scope(bench_at(environment, "project").store, name)


def test_other_layouts_have_no_scopes(environment: Environment) -> None:
    store = bench_at(environment).store
    assert list_scopes(store.layout) == ()
    with pytest.raises(UsageError, match="has no scopes"):
        open_scope(store, "frontend")
