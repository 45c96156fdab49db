"""The index follows the files, whatever happens to it or to a refresh on the way."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.index.ingest.markdown_passages import markdown_passages
from recall_tui.index.ingest.refresh import RefreshResult, rebuild, refresh
from recall_tui.index.opener import Index, memory_key, open_index
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text.batching import BatchWriter
from recall_tui.index.text.tantivy_documents import SourceFields
from recall_tui.index.text.writer import PassageWriter
from recall_tui.memory import Memory
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store

Archive = Callable[..., Path]


def _passages(index: Index, store: Store) -> list[tuple[str, str, tuple[int, int], str]]:
    reader = index.reader()
    assert reader is not None
    found = [reader.stored(at) for _, at in reader.top(reader.term("memory", memory_key(store)), 10_000)]
    return sorted((one.id, one.document, one.lines, one.body) for one in found)


def _counts(done: RefreshResult) -> tuple[int, int, int, int]:
    return done.added, done.changed, done.removed, done.failed


def test_new_changed_and_deleted_files_are_followed(index: Index, store: Store, archive: Archive) -> None:
    first, second = archive(1, "jwt"), archive(2, "redis")
    assert _counts(refresh(index, store)) == (2, 0, 0, 0)
    assert _counts(refresh(index, store)) == (0, 0, 0, 0)
    archive(1, "jwt or sessions")
    second.unlink()
    assert _counts(refresh(index, store)) == (0, 1, 1, 0)
    assert [body for *_, body in _passages(index, store) if "redis" in body] == []
    assert {document for _, document, *_ in _passages(index, store)} == {store.relative(first)}


def test_a_file_that_was_only_touched_is_not_indexed_again(index: Index, store: Store, archive: Archive) -> None:
    path = archive(1, "jwt")
    refresh(index, store)
    os.utime(path, ns=(1, 1))
    done = refresh(index, store)
    assert (_counts(done), done.passages) == ((0, 0, 0, 0), 0)


def test_coverage_is_counted_in_both_files(index: Index, store: Store, archive: Archive) -> None:
    assert index.coverage(store).sources == 0
    archive(1, "jwt")
    store.layout.memory_file.write_text("## A\n\nx\n\n## B\n\ny\n")
    refresh(index, store)
    covered = index.coverage(store)
    assert (covered.sources, covered.indexed, covered.passages, covered.stored) == (2, 2, 3, 3)
    assert covered.is_whole


def test_a_source_that_cannot_be_read_is_counted_and_stops_nothing(
    index: Index, store: Store, archive: Archive
) -> None:
    archive(1, "jwt")
    memory = Path("/proc/self/mem")
    if not memory.exists():
        pytest.skip("this system has no file that cannot be read even by its owner")
    loop = store.root / "memory" / "loop.md"
    loop.write_text("words")
    refresh(index, store)
    loop.unlink()
    loop.symlink_to(memory)
    archive(2, "redis")
    done = refresh(index, store)
    assert (done.added, done.failed) == (1, 1)
    assert [known.path for known in index.failures(store)] == ["memory/loop.md"]
    assert index.failures(store)[0].failed
    assert not any(document == "memory/loop.md" for _, document, *_ in _passages(index, store))
    loop.unlink()
    loop.write_text("words again")
    assert refresh(index, store).failed == 0


def test_secrets_are_not_indexed_and_lines_keep_their_numbers(index: Index, store: Store) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEabcdefghijklmnop\n" * 4 + "-----END RSA PRIVATE KEY-----"
    store.layout.memory_file.write_text(f"# Memory\n\n## Key\n\n{key}\n\n## After\n\nwords\n")
    refresh(index, store)
    found = _passages(index, store)
    assert not any("MIIE" in body for *_, body in found)
    assert any("[redacted:" in body for *_, body in found)
    assert found[-1][2] == (12, 15) and found[-1][3].startswith("## After")


def test_a_pipe_is_not_waited_for(index: Index, store: Store) -> None:
    os.mkfifo(store.root / "memory" / "pipe.md")
    assert refresh(index, store).added == 0


def test_bytes_that_are_no_text_are_indexed_as_far_as_they_go(index: Index, store: Store) -> None:
    (store.root / "memory" / "odd.md").write_bytes(b"# Odd\xff\n\nsome \x00 words \xc3\x28\n")
    assert refresh(index, store).failed == 0
    assert any(body.encode("utf-8", "surrogateescape").startswith(b"# Odd\xff") for *_, body in _passages(index, store))


def test_an_archive_whose_project_is_no_text_stops_nothing(index: Index, store: Store, archive: Archive) -> None:
    archive(1, "hello zebra", "hello", project="x \\ud800 y", session_id="s\\udc9b")
    archive(2, "hello gnu", "hello")
    assert _counts(refresh(index, store)) == (2, 0, 0, 0)
    assert _counts(refresh(index, store)) == (0, 0, 0, 0)


def test_a_file_whose_name_is_no_text_is_indexed(index: Index, store: Store) -> None:
    Path(os.fsdecode(os.fsencode(store.root) + b"/memory/caf\xe9.md")).write_text("words")
    assert refresh(index, store).added == 1
    assert _counts(refresh(index, store)) == (0, 0, 0, 0)


def test_every_file_of_the_index_is_private(index: Index, store: Store, archive: Archive) -> None:
    archive(1, "jwt")
    refresh(index, store)
    files = [path for path in index.folder.rglob("*") if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (index.folder, index.passages_path)} == {0o700}


def test_a_kill_between_text_and_catalogue_is_healed(index: Index, store: Store, archive: Archive) -> None:
    archive(1, "jwt")
    refresh(index, store)
    expected = _passages(index, store)
    path = archive(2, "redis")
    key = source_key(memory_key(store), store.relative(path))
    with closing(PassageWriter(index.passages_path)) as writer:
        filing = BatchWriter(writer, SourceFields(key, memory_key(store), store.relative(path), "conversation"), {})
        for one in markdown_passages(path, path.read_text(), "conversation"):
            filing.add(one)
        filing.close()
        writer.commit()
    assert not index.coverage(store).is_whole
    done = refresh(index, store)
    assert (done.added, done.notes) == (1, ())
    assert index.coverage(store).is_whole
    assert len(_passages(index, store)) == len(expected) + 1


def test_a_kill_after_a_deletion_is_healed(index: Index, store: Store, archive: Archive) -> None:
    path = archive(1, "jwt")
    archive(2, "redis")
    refresh(index, store)
    with closing(PassageWriter(index.passages_path)) as writer:
        writer.remove(source_key(memory_key(store), store.relative(path)))
        writer.commit()
    path.unlink()
    refresh(index, store)
    assert index.coverage(store).is_whole
    assert len(_passages(index, store)) == 1


def test_a_deletion_that_a_kill_left_half_written_is_no_obstacle(
    index: Index, store: Store, archive: Archive, tmp_path: Path
) -> None:
    path = archive(1, "jwt")
    archive(2, "redis")
    refresh(index, store)
    shutil.copytree(index.folder, tmp_path / "before")

    def removed() -> list[Path]:
        with closing(PassageWriter(index.passages_path)) as writer:
            writer.remove(source_key(memory_key(store), store.relative(path)))
            writer.commit()
        return [one.relative_to(index.folder) for one in index.folder.rglob("*.del")]

    made = removed()
    assert made
    shutil.rmtree(index.folder)
    shutil.copytree(tmp_path / "before", index.folder)
    for one in made:
        (index.folder / one).write_bytes(b"half")
    assert removed() == made
    assert all((index.folder / one).read_bytes() != b"half" for one in made)


@pytest.mark.long
def test_passages_that_got_lost_come_back(index: Index, store: Store, archive: Archive) -> None:
    archive(1, "jwt")
    refresh(index, store)
    with closing(PassageWriter(index.passages_path)) as writer:
        writer.remove_memory(memory_key(store))
        writer.commit()
    done = refresh(index, store)
    assert "disagreed" in done.notes[0]
    assert index.coverage(store).is_whole


@pytest.mark.long
@pytest.mark.parametrize("ending", [".store", ".term", ".idx", "meta.json", "recall-format"])
def test_a_damaged_text_index_is_made_anew(index: Index, store: Store, archive: Archive, ending: str) -> None:
    archive(1, "jwt")
    refresh(index, store)
    expected = _passages(index, store)
    for path in index.passages_path.rglob("*"):
        if path.name.endswith(ending):
            path.write_bytes(b"garbage")
    again = open_index(store.environment)
    refresh(again, store)
    assert _passages(again, store) == expected


def test_a_damaged_catalogue_is_set_aside_and_everything_indexed_again(
    index: Index, store: Store, archive: Archive
) -> None:
    archive(1, "jwt")
    refresh(index, store)
    expected = _passages(index, store)
    index.catalogue_path.write_bytes(b"garbage" * 1000)
    done = refresh(index, store)
    assert "set aside" in done.notes[0]
    assert _passages(index, store) == expected


@pytest.mark.long
@pytest.mark.parametrize("batches", ['{"a": ["bb"', '["a"]', '{"a": 3}', '{"a": ["bb", null]}'])
def test_a_catalogue_whose_batches_make_no_sense_is_set_aside_too(
    index: Index, store: Store, archive: Archive, batches: str
) -> None:
    archive(1, "jwt")
    refresh(index, store)
    expected = _passages(index, store)
    with closing(sqlite3.connect(index.catalogue_path)) as connection, connection:
        connection.execute("UPDATE sources SET batches = ?, size = 1, hash = ''", (batches,))
    done = refresh(index, store)
    assert "set aside" in done.notes[0]
    assert _passages(index, store) == expected


def test_memories_share_the_index_and_not_their_passages(
    index: Index, store: Store, archive: Archive, environment: Environment, tmp_path: Path
) -> None:
    archive(1, "jwt")
    root = tmp_path / "other"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("redis")
    other = Memory(make_layout(root, "entity"), environment, store.now)
    refresh(index, store)
    refresh(index, other)
    assert [document for _, document, *_ in _passages(index, other)] == ["memory/MEMORY.md"]
    rebuild(index, other)
    assert index.coverage(store).stored == 1


@pytest.mark.long
def test_a_reader_in_use_sees_what_it_saw_whatever_is_committed(index: Index, store: Store, archive: Archive) -> None:
    paths = []
    for number in range(1, 4):
        paths.append(archive(number, "jwt"))
        refresh(index, store)
    reader = index.reader()
    assert reader is not None
    found = reader.top(reader.term("memory", memory_key(store)), 100)
    before = [reader.stored(at).id for _, at in found]
    for path in paths[:2]:
        path.unlink()
    refresh(index, store)
    newer = index.reader()
    assert newer is not None and newer.count_of_memory(memory_key(store)) < len(before)
    assert [reader.stored(at).id for _, at in found] == before


def test_a_refresh_while_another_writes_is_skipped_and_says_so(index: Index, store: Store, archive: Archive) -> None:
    archive(1, "jwt")
    with acquire(index.lock_path, "test", 0.0):
        assert refresh(index, store).is_skipped
    assert refresh(index, store).added == 1


def _refresh_in_process(root: str, home: str, state: str) -> None:
    environment = Environment(home=Path(home), cwd=Path(root), env={"RECALL_STATE": state})
    store = Memory(make_layout(Path(root), "entity"), environment, lambda: datetime(2026, 3, 6, tzinfo=UTC))
    refresh(open_index(environment), store, patience=30.0)


@pytest.mark.long
def test_two_processes_at_once_double_nothing(index: Index, store: Store, archive: Archive) -> None:
    for number in range(1, 31):
        archive(number, f"turn {number}")
    context = multiprocessing.get_context("spawn")
    arguments = (str(store.root), str(store.environment.home), str(store.environment.state))
    workers = [context.Process(target=_refresh_in_process, args=arguments) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert index.coverage(store).stored == 30
    assert index.coverage(store).is_whole
