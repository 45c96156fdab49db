"""What the machine refuses, such as room on the disk, costs nothing of what was indexed before."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.errors import BrokenFileError, RecallError
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index
from recall_tui.index.text import partitions
from recall_tui.storage.memory_context import Store
from tests.index.contents import all_of_it, counted_alone, opened
from tests.makers import transcript
from tests.processes import Machine
from tests.qa.bench import corpus

Archive = Callable[..., Path]
LITTLE_ROOM = """
import resource
import sys
from recall_tui.index.text import commit_batch
commit_batch.FIRST_COMMIT_SECONDS = 60.0
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, {bytes}))
"""
"""Statements that let no file of the process grow beyond so many bytes. Python would leave its own files cut off there,
and a process that is slow would make several small files of a large one."""


@pytest.fixture
def machine(store: Store, archive: Archive) -> Machine:
    """A memory whose index holds a session that is nowhere else, before a long history is there to be indexed."""
    archive(1, "alpha", "beta")
    vanishing = transcript(store.environment, 1, [("user", "where is the walrus?"), ("assistant", "It is gone.")])
    made = Machine(store.environment, store.root)
    assert made.run("sync").code == 0
    vanishing.unlink()
    corpus.write(store.environment.home, 600, 4, 1, corpus.made_up_language(1), lambda _: None)
    return made


def _finds_the_walrus(machine: Machine, room: int | None = None) -> bool:
    """Whether a search finds what is nowhere else; with so much room one that would bring the index up to date."""
    before = LITTLE_ROOM.format(bytes=room) if room else ""
    said = machine.run("search", "--ranked", "--json", *([] if room else ["--no-sync"]), "walrus", before=before)
    assert bool(room) == ("not up to date" in said.err)
    return said.code == 0 and len(said.json["hits"]) == 1


@pytest.mark.long
@pytest.mark.parametrize("room", [150_000, 1_000])
def test_a_full_disk_leaves_the_index_as_it_was(machine: Machine, room: int) -> None:
    for words in (("sync",), ("index",)):
        said = machine.run(*words, before=LITTLE_ROOM.format(bytes=room))
        assert said.code == 1 and said.out == b""
        assert "could not be written" in said.err and "is the disk full" in said.err
        assert _finds_the_walrus(machine) and _finds_the_walrus(machine, room)
    assert machine.run("recall", "walrus", before=LITTLE_ROOM.format(bytes=room)).code == 0
    assert machine.run("sync").code == 0
    index, store = opened(machine)
    assert index.coverage(store).gone == 1
    assert _finds_the_walrus(machine)
    assert not list(index.folder.glob("*.broken-*"))
    grown = all_of_it(machine)
    assert machine.run("index").code == 0
    assert all_of_it(machine) == grown
    counted_alone(machine)


@pytest.mark.long
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE, errno.EACCES, errno.ENOMEM])
@pytest.mark.parametrize("is_writing", [False, True])
def test_what_the_machine_refuses_is_no_damage(
    index: Index, store: Store, archive: Archive, code: int, is_writing: bool
) -> None:
    archive(1, "alpha")
    refresh(index, store)
    folder = index.passages_path
    refused = OSError(code, os.strerror(code))
    told = ValueError(f"An IO error occurred: '{refused.strerror} (os error {code})'")
    shown = ValueError(
        f'Failed to acquire Lockfile: IoError(Os {{ code: {code}, message: "{refused.strerror}" }}). None'
    )
    for error in (refused, told, shown):
        with pytest.raises(RecallError) as raised, partitions.translate_errors(folder, is_writing=is_writing):
            raise error
        assert not isinstance(raised.value, BrokenFileError)
        assert partitions.read_version(folder)


def test_an_index_that_cannot_be_opened_is_damaged_whoever_finds_out(
    index: Index, store: Store, archive: Archive
) -> None:
    archive(1, "alpha")
    refresh(index, store)
    for path in index.passages_path.rglob("*.store"):
        path.write_bytes(b"garbage")
    with pytest.raises(BrokenFileError), partitions.translate_errors(index.passages_path, is_writing=True):
        raise ValueError("a worker died")
    assert not partitions.read_version(index.passages_path)
    refresh(index, store)
    assert index.coverage(store).is_whole
