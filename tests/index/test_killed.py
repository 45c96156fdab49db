"""A process that is killed while it writes the index leaves one that answers, and that the next sync completes."""

from __future__ import annotations

import random
import signal
import time
from typing import Any

import pytest

from tests.index.contents import SMALL_COMMITS, all_of_it, counted_alone
from tests.processes import Machine, ended, killing

pytestmark = pytest.mark.long

SEARCH = ("search", "--ranked", "--no-sync", "--json")
IMPORTS = """
from recall_tui.index import catalogue
from recall_tui.index.ingest import compaction as copying
from recall_tui.index.text import commit_batch as ledger, partitions as shelves, writer
"""
Moment = tuple[str, int, str]
FIRST_SYNC: tuple[Moment, ...] = (
    ("shelves._create_partition", 2, "after"),
    ("writer.PassageWriter.commit", 1, "after"),
    ("writer.PassageWriter.commit", 3, "before"),
    ("ledger.PendingCommit.record", 3, "after"),
    ("catalogue.open_to_write", 1, "after"),
    ("shelves.create_index", 1, "after"),
    ("writer.PassageWriter.commit", 1, "before"),
    ("writer.PassageWriter.close", 1, "before"),
)
REBUILD: tuple[Moment, ...] = (
    ("writer.PassageWriter.commit", 2, "after"),
    ("shelves._format_mark", 1, "after"),
    ("ledger.PendingCommit.record", 1, "before"),
    ("shelves.begin_rebuild", 1, "after"),
    ("shelves.finish_rebuild", 1, "before"),
    ("ledger.PendingCommit.record", 1, "after"),
)
SWEEPING: tuple[Moment, ...] = (
    ("shelves.begin_rebuild", 1, "after"),
    ("shelves._format_mark", 1, "after"),
    ("copying.compact", 1, "before"),
    ("shelves._format_mark", 1, "before"),
)
AT_WORK = """
from recall_tui.storage.files import lock
take = lock._try_lock
def taken(*given):
    take(*given)
    print(flush=True)
lock._try_lock = taken
"""
"""Statements that let the process say when it has the writer's lock."""
KILLS = 3
LONGEST_SECONDS = 0.7


def _moments(moments: tuple[Moment, ...], everyday: int) -> list[Any]:
    """The moments by name, those beyond the first few only for the long runs."""
    return [
        pytest.param(one, id=" ".join(map(str, one)), marks=[pytest.mark.soak] if place >= everyday else [])
        for place, one in enumerate(moments)
    ]


def _killed_at(machine: Machine, moment: Moment, *words: str) -> None:
    target, call, when = moment
    before = SMALL_COMMITS + killing(IMPORTS, target, call, when)
    assert machine.run(*words, before=before).code == -signal.SIGKILL


def _answers(machine: Machine) -> list[str]:
    """The documents that a search finds in what was committed."""
    said = machine.run(*SEARCH, "test", "error")
    assert said.code in (0, 1)
    hits = said.json["hits"]
    assert (said.code == 0) == bool(hits)
    return [hit["document"] for hit in hits]


@pytest.mark.parametrize("moment", _moments(FIRST_SYNC, 4))
def test_a_first_sync_that_is_killed_is_completed_by_the_next(
    history: Machine, machine: Machine, moment: Moment
) -> None:
    _killed_at(machine, moment, "sync")
    found = _answers(machine)
    if moment[:2] == ("ledger.PendingCommit.record", 3):
        assert found
    assert machine.run("sync", before=SMALL_COMMITS).code == 0
    assert all_of_it(machine) == all_of_it(history)
    assert machine.run("index", "status").code == 0


@pytest.mark.parametrize("moment", _moments(REBUILD, 3))
def test_while_an_index_is_made_anew_the_old_one_answers_whatever_happens(
    history: Machine, machine: Machine, moment: Moment
) -> None:
    assert machine.run("sync").code == 0
    before = _answers(machine)
    _killed_at(machine, moment, "index")
    assert _answers(machine) == before and before
    assert machine.run("index", "status").code == 0
    assert machine.run("sync").code == 0
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)


@pytest.mark.parametrize("moment", _moments(SWEEPING, 2))
def test_a_sync_that_is_killed_while_it_sweeps_up_is_completed_by_the_next(
    history: Machine, machine: Machine, moment: Moment
) -> None:
    memory = machine.root / "memory" / "MEMORY.md"
    kept = memory.read_text()
    memory.write_text(f"{kept}\n## Later\n\nNo more deploys.\n")
    assert machine.run("sync").code == 0
    memory.write_text(kept)
    _killed_at(machine, moment, "sync")
    assert _answers(machine)
    assert machine.run("sync").code == 0
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)


@pytest.mark.parametrize("words", [("sync",), ("index",)])
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 8))])
def test_kills_at_any_moment_lose_nothing(
    history: Machine, machine: Machine, words: tuple[str, ...], seed: int
) -> None:
    chance = random.Random(f"{seed} {words}")
    if words == ("index",):
        assert machine.run("sync").code == 0
    expected = _answers(history)
    killed = 0
    for delay in (0, *(chance.uniform(0, LONGEST_SECONDS) for _ in range(KILLS))):
        process = machine.start(*words, before=SMALL_COMMITS + AT_WORK)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.kill()
        killed += ended(process).code == -signal.SIGKILL
        found = _answers(machine)
        assert words == ("sync",) or found == expected
    assert killed
    assert machine.run("sync", before=SMALL_COMMITS).code == 0
    assert machine.run("index", "status").code == 0
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)
