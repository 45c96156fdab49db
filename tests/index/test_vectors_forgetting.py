"""What is forgotten or redacted has no vector in any file, whoever made it and whatever is made of it meanwhile."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.maintenance import purge
from recall_tui.index.maintenance.redact import redact_index
from recall_tui.index.opener import Index, open_index
from recall_tui.index.vectors import coverage as vectors
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors.build import build_vectors
from recall_tui.index.vectors.file import BatchRows, VectorFile, text_hash
from recall_tui.index.vectors.scan import VectorReader
from recall_tui.storage.files import atomic
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import tombstones
from recall_tui.storage.state.tombstones import Tombstone, Tombstones
from recall_tui.text.secrets import redact
from tests.conftest import NOON
from tests.embedders import HashedWords
from tests.makers import bench_at, session_id_of, transcript

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors

ONE, TWO = session_id_of(1), session_id_of(2)
WORD = "zanzibarquux"
TALK = [("user", f"Plan the {WORD} party"), ("assistant", f"The {WORD} is in the park.")]
OTHER = [("user", "Fix the token race"), ("assistant", "We use a lock around the refresh.")]
TEXTS = [f"[as of 2026-03-06]\n\n{text}" for _, text in TALK]
NAME = "hashed-words-64"
BEGUN = HashedWords(32, "hashed-words-32")


@pytest.fixture
def filled(environment: Environment, store: Store, index: Index) -> Index:
    """An index of sessions, and the vectors of one embedder beside those that another one only began to make."""
    # What was said last has its vectors first.
    os.utime(transcript(environment, 1, TALK), (4e9, 4e9))
    transcript(environment, 2, OTHER)
    refresh(index, store)
    build_vectors(index, store, HashedWords())
    transcript(environment, 3, [("user", "Water the plants")])
    refresh(index, store)
    build_vectors(index, store, BEGUN, most=4)
    assert set(vectors.embedder_names(index)) == {NAME, BEGUN.name}
    return index


def forgotten(store: Store, *sessions: str) -> None:
    """Mark sessions as forgotten, as a person does."""
    marks = Tombstones((Tombstone("x", NOON.date(), sessions),))
    atomic.write_file(tombstones.tombstones_path(store.state), tombstones.render_tombstones(marks).encode())


def traces_of(index: Index, texts: Sequence[str], dimensions: int = 64, name: str = NAME) -> list[str]:
    """The files that hold the row of one of the texts, or what it is known by."""
    needles = [text_hash(text).to_bytes(8, "little") for text in texts]
    rows = HashedWords(dimensions, name).embed(texts)
    for row in rows:
        largest = abs(row).max()
        needles.append(bytes((row * (127 / largest)).round().astype("int8")))
    found = []
    for path in index.vectors_path.rglob("*") if index.vectors_path.exists() else ():
        data = path.read_bytes() if path.is_file() else b""
        found += [f"{path.name}: {needle!r}" for needle in needles if needle in data]
    return found


def test_a_forgotten_session_has_no_row_in_any_file(filled: Index, store: Store) -> None:
    forgotten(store, ONE)
    assert purge.purge(filled, store, [ONE], [])
    assert traces_of(filled, TEXTS) == []
    rows = VectorReader(vectors.vector_folder(filled, NAME)).rows()
    assert rows is not None and len(rows.matrix) == 2
    assert build_vectors(filled, store, HashedWords()).rows == 1
    assert traces_of(filled, TEXTS) == []


def test_the_rows_of_every_embedder_go(filled: Index, store: Store) -> None:
    for embedder in (HashedWords(), BEGUN):
        assert len(traces_of(filled, TEXTS, embedder.dimensions, embedder.name)) > 4
    forgotten(store, ONE)
    assert purge.purge(filled, store, [ONE], [])
    assert set(vectors.embedder_names(filled)) == {NAME, BEGUN.name}
    for embedder in (HashedWords(), BEGUN):
        assert traces_of(filled, TEXTS, embedder.dimensions, embedder.name) == []


def test_rows_of_what_a_refresh_took_out_before_go_too(filled: Index, store: Store) -> None:
    forgotten(store, ONE)
    refresh(filled, store)
    assert traces_of(filled, TEXTS)
    assert purge.purge(filled, store, [ONE], [])
    assert traces_of(filled, TEXTS) == []


def test_what_is_forgotten_while_it_is_embedded_is_not_written(
    store: Store, index: Index, environment: Environment
) -> None:
    transcript(environment, 1, TALK)
    transcript(environment, 2, OTHER)
    refresh(index, store)

    class Meanwhile(HashedWords):
        def embed(self, texts: Sequence[str]) -> Vectors:
            forgotten(store, ONE)
            assert purge.purge(open_index(environment), store, [ONE], [])
            return super().embed(texts)

    build_vectors(index, store, Meanwhile())
    assert traces_of(index, TEXTS) == []
    assert traces_of(index, [f"[as of 2026-03-06]\n\n{OTHER[0][1]}"])


def test_rows_that_are_written_while_something_is_forgotten_go_too(
    filled: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = vector_file.open_to_read(vectors.vector_folder(filled, NAME))
    assert opened is not None
    forgotten(store, ONE)
    waits, held = Event(), vector_file.acquire

    def told(*where: Any) -> Any:
        waits.set()
        return held(*where)

    with opened:
        late = _batches_of(opened, _keys_of(filled, ONE))
        with opened.change():
            opened.drop([one.name for one in late])
        with ThreadPoolExecutor(1) as pool:
            with opened.change():
                monkeypatch.setattr(vector_file, "acquire", told)
                purged = pool.submit(purge.purge, filled, store, [ONE], [])
                assert waits.wait(60)
                opened.put(late)
            assert purged.result()
        assert late and not _batches_of(opened, {one.key for one in late})
    assert traces_of(filled, TEXTS) == []


def _keys_of(index: Index, session: str) -> set[str]:
    with index.facts() as facts:
        assert facts is not None
        return {one.key for _, one in facts.everything() if one.session == session}


def _batches_of(file: VectorFile, keys: set[str]) -> list[BatchRows]:
    """The rows of the sources as they could be written again."""
    matrix = file.rows_path.read_bytes()
    found = []
    for row in file.connection.execute("SELECT * FROM batches").fetchall():
        name, key, digest, start, count, passages, *columns = row
        if key in keys:
            width = file.dimensions
            numbers = matrix[start * width : (start + count) * width]
            found.append(BatchRows(name, key, digest, passages, *columns, numbers))
    return found


def test_forgetting_is_done_by_the_program_whatever_embedder_is_in_use(
    filled: Index, environment: Environment, store: Store
) -> None:
    bench = bench_at(environment, root=store.root)
    bench.eraser.forget(ONE)
    assert traces_of(filled, TEXTS) == []
    bench.sync()
    build_vectors(bench.index, bench.store, HashedWords())
    assert traces_of(filled, TEXTS) == []


def test_damaged_vectors_are_removed_when_something_is_forgotten(filled: Index, store: Store) -> None:
    folder = vectors.vector_folder(filled, NAME)
    (folder / "rows.db").write_bytes(b"no database " * 1000)
    forgotten(store, ONE)
    assert purge.purge(filled, store, [ONE], [])
    assert not folder.exists() and traces_of(filled, TEXTS) == []


def test_vectors_without_an_index_are_removed_when_something_is_forgotten(filled: Index, store: Store) -> None:
    for path in (filled.catalogue_path, filled.passages_path):
        path.rename(path.with_name(f"{path.name}-elsewhere"))
    assert purge.purge(filled, store, [ONE], [])
    assert not filled.vectors_path.exists()


@pytest.mark.long
def test_a_reader_that_keeps_something_is_told_of(filled: Index, store: Store) -> None:
    forgotten(store, ONE)
    opened = vector_file.open_to_read(vectors.vector_folder(filled, NAME))
    assert opened is not None
    with opened:
        opened.connection.execute("BEGIN")
        assert opened.kept()
        assert not purge.purge(filled, store, [ONE], [])
    assert purge.purge(filled, store, [ONE], [])
    assert traces_of(filled, TEXTS) == []


def test_a_redacted_text_has_no_row(
    store: Store, index: Index, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "AKIA" + "Q" * 16
    talk = [("user", f"The key is {secret} for now")]
    path = transcript(environment, 1, talk)
    with monkeypatch.context() as unaware:
        unaware.setattr("recall_tui.index.ingest.conversation_passages.redact", lambda text: text)
        refresh(index, store)
    build_vectors(index, store, HashedWords())
    text = f"[as of 2026-03-06]\n\n{talk[0][1]}"
    assert redact.find_secrets(text) and traces_of(index, [text])
    path.unlink()
    refresh(index, store)
    assert redact_index(index) == 1
    assert traces_of(index, [text]) == []
    assert build_vectors(index, store, HashedWords()).rows == 1
    assert traces_of(index, [text]) == []
