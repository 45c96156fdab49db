"""The documented Python API: one memory, opened, searched, changed and changed back."""

from __future__ import annotations

import pytest

import recall_tui
from recall_tui import Workbench
from recall_tui.domain import Create, Plan
from recall_tui.domain.documents import SESSION_KINDS
from recall_tui.environment import Environment
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.features.curation.remember import remember
from recall_tui.memory import bound
from recall_tui.storage.documents import memory_file
from recall_tui.storage.memory_context import Store
from tests.conftest import NOON
from tests.makers import bench_at, transcript, tree


def test_the_package_offers_the_workbench_and_nothing_unknown() -> None:
    assert recall_tui.Workbench is Workbench
    with pytest.raises(AttributeError):
        recall_tui.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_a_memory_is_opened_searched_and_curated(environment: Environment) -> None:
    bench_at(environment)
    bench = Workbench.open(str(environment.cwd), environment=environment, now=lambda: NOON)
    talk = [("user", "Why does the login page crash?"), ("assistant", "The validator fails on an empty form.")]
    assert bench.capture(transcript(environment, 1, talk)).status == "archived"
    hit = bench.search("login crash empty form").hits[0]
    document = bench.document(hit.document)
    assert document.kind in SESSION_KINDS and "validator" in document.text
    seen = bench.preview(remember, "The staging database is called heron")
    assert bench.store.commit(bound(remember, "The staging database is called heron"), expected=seen) is not None
    assert "heron" in memory_file.read_memory(bench.store).text
    assert bench.undo() and "heron" not in memory_file.read_memory(bench.store).text
    assert bench.redo() and "heron" in memory_file.read_memory(bench.store).text
    assert bench.health().level == "healthy"


def test_a_plan_that_was_seen_is_not_made_when_the_file_changed_meanwhile(environment: Environment) -> None:
    bench = bench_at(environment)
    seen = bench.preview(remember, "one thing")
    bench.layout.memory_file.write_text("# Memory\n\n- another\n")
    with pytest.raises(ConflictError):
        bench.store.commit(bound(remember, "one thing"), expected=seen)
    assert bench.layout.memory_file.read_text() == "# Memory\n\n- another\n"


def test_the_first_change_writes_down_the_layout(environment: Environment) -> None:
    (environment.cwd / "memory/conversations").mkdir(parents=True)
    bench = Workbench.open(environment=environment, now=lambda: NOON)

    def note(store: Store) -> Plan:
        return Plan("note", (Create(store.layout.topics / "note.md", "text\n"),))

    bench.apply(note)
    assert bench.layout.config.read_text() == 'layout = "entity"\n'
    assert bench.undo()
    assert tree(environment.cwd) == {}


def test_no_memory_is_an_error_with_a_next_step(environment: Environment) -> None:
    with pytest.raises(NotFoundError) as error:
        Workbench.open(environment=environment)
    assert "init" in error.value.hint


def test_settings_that_somebody_changed_are_in_force_at_once(environment: Environment) -> None:
    bench = bench_at(environment)
    assert bench.config.whole("ephemeral.max_entries") == 5
    bench.layout.config.write_text('layout = "entity"\n[ephemeral]\nmax_entries = 7\n', encoding="utf-8")
    assert bench.config.whole("ephemeral.max_entries") == 7
    bench.layout.config.unlink()
    assert bench.config.whole("ephemeral.max_entries") == 5
