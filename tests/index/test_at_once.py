"""Several processes at once: one writes the index, the others wait or pass, and whoever searches is always answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.text import partitions
from recall_tui.search.engine import search
from recall_tui.storage.memory_context import Store
from tests.index.contents import SMALL_COMMITS, all_of_it, counted_alone, opened
from tests.processes import Ended, Machine, ended

SEARCH = ("search", "--ranked", "--no-sync", "--json", "test", "error")
PROCESSES = 4
PATIENT = """
from recall_tui.index.ingest import refresh as module
inner = module._with_lock
module._with_lock = lambda wish, patience, **more: inner(wish, 60.0, **more)
"""
"""Statements that let a process wait for its turn instead of passing."""


def _at_once(machine: Machine, *words: str, before: str = "") -> list[Ended]:
    """Several processes of the same command, started together."""
    started = [machine.start(*words, before=SMALL_COMMITS + before) for _ in range(PROCESSES)]
    return [ended(process) for process in started]


@contextmanager
def _repeated(act: Callable[[], None]) -> Iterator[list[int]]:
    """Do something again and again in a thread for as long as the block lasts; what it raises is raised here."""
    done: list[int] = []
    troubles: list[BaseException] = []
    is_over = threading.Event()

    def repeat() -> None:
        try:
            while not is_over.is_set() or not done:
                act()
                done.append(1)
        except BaseException as error:
            troubles.append(error)

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield done
    finally:
        is_over.set()
        thread.join()
    if troubles:
        raise troubles[0]


@pytest.mark.long
@pytest.mark.parametrize("before", ["", PATIENT], ids=["passing", "waiting"])
def test_syncs_at_once_double_nothing(history: Machine, machine: Machine, before: str) -> None:
    done = _at_once(machine, "sync", "--json", before=before)
    assert [one.code for one in done] == [0] * PROCESSES
    skipped = sum(one.json["is_skipped"] for one in done)
    added = [one.json["added"] for one in done if not one.json["is_skipped"]]
    assert max(added) == sum(added) == 13
    assert not skipped if before else skipped + len(added) == PROCESSES
    assert all_of_it(machine) == all_of_it(history)


@pytest.mark.long
def test_rebuilds_and_syncs_at_once_leave_one_whole_index(history: Machine, machine: Machine) -> None:
    assert machine.run("sync").code == 0
    started = [machine.start(*words, before=SMALL_COMMITS) for words in [("index",), ("sync",)] * 2]
    assert [ended(process).code for process in started] == [0] * 4
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)


@pytest.mark.long
def test_whoever_searches_meanwhile_always_gets_an_answer(history: Machine, machine: Machine) -> None:
    index, store = opened(machine)
    expected = opened(history)[0].totals(store).passages
    seen: list[int] = []

    def ask_here() -> None:
        answer = search(index, store, "test error")
        seen.append(answer.searched["passages"])

    def ask_there() -> None:
        said = machine.run(*SEARCH)
        assert said.code in (0, 1) and (said.code == 0) == bool(said.json["hits"])

    with _repeated(ask_here), _repeated(ask_there):
        assert machine.run("sync", before=SMALL_COMMITS).code == 0
        assert machine.run("index", before=SMALL_COMMITS).code == 0
    assert seen[-1] == expected and 0 < min(filter(None, seen)) <= expected
    assert refresh(index, store).passages == 0
    assert all_of_it(machine) == all_of_it(history)


def test_a_reader_whose_shelves_give_way_while_it_looks_opens_those_that_took_over(
    index: Index, store: Store, archive: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive(1, "alpha")
    refresh(index, store)
    first = index.reader()
    seen, edition = [partitions.read_version(index.passages_path)], partitions.read_version
    rebuild(Index(index.folder), store)
    monkeypatch.setattr(partitions, "read_version", lambda folder: seen.pop() if seen else edition(folder))
    reader = index.reader()
    assert reader is not None and reader is not first
    assert reader.count_of_memory(memory_key(store)) == 1
    assert edition(index.passages_path)
