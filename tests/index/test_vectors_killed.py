"""Whoever is killed while vectors are made, or makes them at the same time, leaves what the next sync heals."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from recall_tui.index.vectors import coverage as vectors
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors.scan import VectorReader
from tests.index.contents import opened
from tests.offered import with_embedder
from tests.processes import Machine, ended, killing

pytestmark = pytest.mark.long

NAME = "hashed-words-64"
IMPORTS = """
from recall_tui.index.vectors import build as vector_building, file as vector_file, coverage as vectors
vector_building.GROUP_TEXTS, vector_building.EMBED_BATCH_TEXTS = 40, 20
"""
SEARCH = ("search", "--ranked", "--no-sync", "--json", "test", "error")
Moment = tuple[str, int, str]
FIRST: tuple[Moment, ...] = (
    ("vector_file._append", 2, "after"),
    ("vector_file.VectorFile.put", 3, "before"),
    ("vector_file.VectorFile.put", 1, "after"),
    ("vector_file.make_folder", 1, "after"),
    ("vector_file.open_to_write", 1, "after"),
    ("vector_building._note_use", 1, "before"),
)
REWRITING: tuple[Moment, ...] = (
    ("vector_file.VectorFile.rewrite", 1, "before"),
    ("vector_file._append", 2, "after"),
    ("vector_file.VectorFile.clear", 2, "before"),
    ("vector_file.VectorFile.drop", 1, "after"),
)


@pytest.fixture
def machine(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine whose person has an embedder, for everything that was said or written."""
    places = with_embedder(machine.environment, monkeypatch)
    return replace(machine, environment=places._replace(env={**places.env, "RECALL_EMBEDDINGS_DIALOGUE_ONLY": "false"}))


def rows_in(machine: Machine) -> dict[str, list[bytes]]:
    """The rows of every passage, of vectors that must be whole and with nothing beside them."""
    index, store = opened(machine)
    covered = vectors.measure_coverage(index, store, NAME, "all")
    assert covered.is_whole and not covered.trouble and covered.rows
    folder = vectors.vector_folder(index, NAME)
    rows = VectorReader(folder).rows()
    file = vector_file.open_to_read(folder)
    assert rows is not None and file is not None
    with file:
        assert [file.rows_path] == list(folder.glob("rows.[0-9]*"))
    found: dict[str, list[bytes]] = {}
    for row in range(len(rows.matrix)):
        if rows.scales[row]:
            found.setdefault(rows.identifier(row), []).append(rows.matrix[row].tobytes())
    return found


@contextmanager
def changed(machine: Machine) -> Iterator[Path]:
    """The memory with another section and another archive, until the end of the block."""
    memory = machine.root / "memory" / "MEMORY.md"
    archive = machine.root / "memory" / "conversations" / "conversation-001.md"
    kept = memory.read_text()
    memory.write_text(f"{kept}\n## Later\n\nNo more deploys on Fridays, says Ann.\n")
    archive.write_text("# Conversation 001\n\n---\n\n### User\n\nWhen are deploys?\n")
    try:
        yield memory
    finally:
        memory.write_text(kept)
        archive.unlink()


@pytest.mark.parametrize("moment", FIRST, ids=lambda one: " ".join(map(str, one)))
def test_making_vectors_that_is_killed_is_completed_by_the_next_sync(machine: Machine, moment: Moment) -> None:
    killed = machine.run("sync", before=killing(IMPORTS, *moment))
    assert killed.code == -signal.SIGKILL
    assert machine.run(*SEARCH).code == 0
    assert machine.run("sync", before=IMPORTS).code == 0
    healed = rows_in(machine)
    vectors.remove_all(opened(machine)[0])
    assert machine.run("sync").code == 0
    assert rows_in(machine) == healed


@pytest.mark.parametrize("moment", REWRITING, ids=lambda one: " ".join(map(str, one)))
def test_clearing_dead_rows_away_that_is_killed_is_completed_by_the_next_sync(machine: Machine, moment: Moment) -> None:
    assert machine.run("sync").code == 0
    before = rows_in(machine)
    with changed(machine):
        assert machine.run("sync").code == 0
        assert rows_in(machine) != before
    assert machine.run("sync", before=killing(IMPORTS, *moment)).code == -signal.SIGKILL
    assert machine.run(*SEARCH).code == 0
    assert machine.run("sync").code == 0
    assert rows_in(machine) == before


def test_two_syncs_at_once_make_each_row_once(machine: Machine) -> None:
    started = [machine.start("sync", "--json", before=IMPORTS) for _ in range(3)]
    done = [ended(process) for process in started]
    assert [one.code for one in done] == [0] * 3
    assert machine.run("sync").code == 0
    healed = rows_in(machine)
    vectors.remove_all(opened(machine)[0])
    assert machine.run("sync").code == 0
    assert rows_in(machine) == healed


def test_whoever_searches_while_vectors_are_made_is_answered(machine: Machine) -> None:
    for _ in range(2):
        making = machine.start("sync", before=IMPORTS)
        while making.poll() is None:
            assert machine.run(*SEARCH).code in (0, 1)
        assert ended(making).code == 0
        vectors.remove_all(opened(machine)[0])
