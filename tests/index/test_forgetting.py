"""What is taken out of the index is in none of its files, whatever state they are in."""

from __future__ import annotations

import gc
import sys

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import LockedError
from recall_tui.index.ingest import compaction
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.maintenance import purge
from recall_tui.index.opener import Index, open_index
from recall_tui.index.text import partitions
from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import tombstones
from recall_tui.storage.state.tombstones import Tombstone, Tombstones
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript
from tests.qa.trust import holding
from tests.traces import in_index, traces

WORD, ONE = "zanzibarquux", session_id_of(1)
TALK = [("user", f"Plan the {WORD} party"), ("assistant", f"The {WORD} is in the park.")]
OTHER = [("user", "Fix the token race"), ("assistant", "We use a lock around the refresh.")]


@pytest.fixture
def filled(environment: Environment, store: Store, index: Index) -> Index:
    """An index of a session that is marked as forgotten, and of another."""
    transcript(environment, 1, TALK)
    transcript(environment, 2, OTHER)
    refresh(index, store)
    marks = Tombstones((Tombstone("x", NOON.date(), (ONE,)),))
    atomic.write_file(tombstones.tombstones_path(store.state), tombstones.render_tombstones(marks).encode())
    return index


def test_a_large_index_keeps_no_deleted_passage_of_it(
    filled: Index, store: Store, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "MAX_SMALL_PASSAGES", 0)
    monkeypatch.setattr(partitions, "MAX_DELETED_RATIO", 0.99)
    refresh(filled, store)
    bench = bench_at(environment, root=store.root)
    assert in_index(bench, WORD)
    assert purge.purge(filled, store, [ONE], [])
    assert traces(bench, WORD) == []
    assert filled.coverage(store).is_whole


def test_a_refresh_alone_takes_it_out_of_what_is_found(filled: Index, store: Store) -> None:
    assert refresh(filled, store).removed == 1
    reader = filled.reader()
    assert reader is not None and reader.count(reader.term("session", ONE)) == 0
    assert refresh(filled, store).removed == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux says what is mapped")
def test_whoever_has_it_open_lets_go_of_the_files_that_hold_it(
    filled: Index, store: Store, environment: Environment
) -> None:
    reading = open_index(environment)
    assert reading.reader() is not None
    assert purge.purge(filled, store, [ONE], [])
    assert holding.held().gone_maps
    for index in (reading, filled):
        index.let_replaced_go()
    gc.collect()
    assert not holding.held().gone_maps


def test_an_index_that_is_not_there_or_damaged_is_no_trouble_before_it_is_asked(filled: Index, store: Store) -> None:
    filled.let_replaced_go()
    assert filled.reader() is not None
    for meta in filled.passages_path.rglob("meta.json"):
        meta.write_bytes(b"{")
    filled.let_replaced_go()
    refresh(filled, store)
    assert filled.coverage(store).is_whole


def test_an_index_that_is_damaged_is_made_anew_without_it(
    filled: Index, store: Store, environment: Environment
) -> None:
    partitions.mark_corrupt(filled.passages_path)
    assert purge.purge(filled, store, [ONE], [])
    assert traces(bench_at(environment, root=store.root), WORD) == []
    assert not list(filled.folder.glob("*.broken-*"))
    assert filled.coverage(store).is_whole and filled.coverage(store).passages


def test_a_catalogue_that_is_damaged_is_made_anew_without_it(
    filled: Index, store: Store, environment: Environment
) -> None:
    filled.catalogue_path.write_bytes(b"no database " * 1000)
    assert purge.purge(filled, store, [ONE], [])
    assert traces(bench_at(environment, root=store.root), WORD) == []


def test_an_index_in_use_is_said_and_left(filled: Index, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purge, "LOCK_TIMEOUT_SECONDS", 0.0)
    with acquire(filled.lock_path, "index"), pytest.raises(LockedError):
        purge.purge(filled, store, [ONE], [])


def test_one_that_is_stopped_says_that_something_is_left(filled: Index, store: Store) -> None:
    assert not purge.purge(filled, store, [ONE], [], compaction.CopyCallbacks(is_cancelled=lambda: True))
    assert purge.purge(filled, store, [ONE], [])


def test_without_an_index_there_is_nothing_to_do(store: Store, environment: Environment) -> None:
    index = open_index(environment)
    assert purge.purge(index, store, [ONE], [])
    purge.recheck_sources(index)
    assert purge.memories_with_archives(index, store, [ONE]) == [] and not index.folder.exists()
