"""The index proves what it covers: whatever is lost, altered, new or unreadable is named."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from recall_tui.domain import ReadError
from recall_tui.errors import LockedError
from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.maintenance import verify as proofs
from recall_tui.index.maintenance.disk_state import read_disk_state
from recall_tui.index.maintenance.verify import CoverageGap, VerifyResult, verify_index
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text.batching import BatchWriter
from recall_tui.index.text.passage import PARTITIONS, SPEECH, TOOLS, TRANSCRIPTS_KEY, WHOLE, DocumentHead, Passage
from recall_tui.index.text.tantivy_documents import SourceFields
from recall_tui.index.text.writer import PassageWriter
from recall_tui.memory import Memory
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.memory_context import Store
from tests.damage import lose
from tests.makers import session_id_of, transcript

Archive = Callable[..., Path]
TALK = [("user", "Fix the token refresh race"), ("Read", "src/auth/token.py"), ("assistant", "A lock guards it now.")]


@pytest.fixture
def said(index: Index, store: Store, archive: Archive) -> Path:
    """A transcript; with it an archive and MEMORY.md are indexed."""
    path = transcript(store.environment, 1, TALK)
    transcript(store.environment, 2, [("user", "Another question"), ("assistant", "Its answer")])
    archive(1, "jwt", "because")
    store.layout.memory_file.write_text("# Memory\n\n## Auth\n\n- JWT keys rotate weekly\n")
    refresh(index, store)
    return path


def _key(number: int) -> str:
    return source_key(TRANSCRIPTS_KEY, f"claude\0{session_id_of(number)}")


def _is_clean(proof: VerifyResult) -> bool:
    found = (proof.failures, proof.faults, proof.lost, proof.altered, proof.strays)
    return not any(found) and proof.on_disk.is_current and proof.coverage.is_whole


def _passages(body: str, count: int) -> list[Passage]:
    return [Passage(DocumentHead(), f"{body} {number}", "p", (number + 1, number + 1)) for number in range(count)]


def _file(index: Index, key: str, passages: list[Passage], memory: str = TRANSCRIPTS_KEY, document: str = "x") -> None:
    """Put passages into the text index, of which the catalogue never hears."""
    with closing(PassageWriter(index.passages_path)) as writer:
        filing = BatchWriter(writer, SourceFields(key, memory, document, "transcript"), {}, has_whole=False)
        for passage in passages:
            filing.add(passage)
        filing.close()
        writer.commit()


def test_a_sound_index_is_proven_source_by_source(index: Index, store: Store, said: Path) -> None:
    proof = verify_index(index, store)
    assert _is_clean(proof)
    assert (proof.on_disk.count, proof.read_again, proof.batches) == (4, 4, 8)
    assert proof.bytes_read > said.stat().st_size


def test_an_index_that_was_never_made_has_everything_before_it(index: Index, store: Store) -> None:
    path = transcript(store.environment, 1, TALK)
    proof = verify_index(index, store)
    assert (proof.on_disk.new, proof.read_again, proof.coverage.sources) == ([str(path)], 0, 0)
    assert not index.folder.exists()


@pytest.mark.long
@pytest.mark.parametrize("shelf", PARTITIONS)
@pytest.mark.parametrize("mend", [refresh, rebuild])
def test_a_lost_passage_is_missed_on_every_shelf_and_comes_back(
    index: Index, store: Store, said: Path, shelf: str, mend: Callable[[Index, Store], object]
) -> None:
    batch = f"{_key(1)}:w0" if shelf == WHOLE else f"{_key(1)}:0"
    lose(index, *({SPEECH: ("id", f"{_key(1)}.0"), TOOLS: ("batch", batch), WHOLE: ("batch", batch)}[shelf]), shelf)
    covered = index.coverage(store)
    assert not covered.is_whole and "should hold" in covered.trouble
    proof = verify_index(index, store)
    assert proof.lost == (CoverageGap(str(said), "1 of its 4 passages are missing"),)
    mend(index, store)
    assert _is_clean(verify_index(index, store))


def test_a_loss_that_the_counts_hide_is_found_batch_by_batch(index: Index, store: Store, said: Path) -> None:
    lose(index, "id", f"{_key(1)}.0")
    _file(index, "0123456789abcdef", _passages("stray", 1))
    assert index.coverage(store).is_whole
    proof = verify_index(index, store)
    assert [gap.path for gap in proof.lost] == [str(said)] and proof.strays == 1
    rebuild(index, store)
    assert _is_clean(verify_index(index, store))


def test_passages_too_many_are_found(index: Index, store: Store, said: Path) -> None:
    _file(index, _key(2), _passages("more", 5))
    (gap,) = verify_index(index, store).lost
    assert gap.reason == "it has 3 passages too many"


def test_the_losses_of_another_memory_are_not_this_ones(index: Index, store: Store, said: Path) -> None:
    other = Memory(store.layout._replace(root=store.root.parent / "other"), store.environment, store.now)
    lose(index, "memory", memory_key(store))
    proof = verify_index(index, other)
    assert proof.lost == () and not verify_index(index, store).coverage.is_whole


def test_text_that_is_not_what_the_file_gave_is_found(index: Index, store: Store, said: Path) -> None:
    lose(index, "batch", f"{_key(2)}:0")
    _file(index, _key(2), _passages("not what was said", 2), document=str(said.with_stem(session_id_of(2))))
    assert index.coverage(store).is_whole
    (gap,) = verify_index(index, store).altered
    assert gap.path.endswith(f"{session_id_of(2)}.jsonl") and "differs from the file" in gap.reason


@pytest.mark.long
@pytest.mark.parametrize("old", [b"token refresh", b"A lock guards"])
def test_a_file_that_changed_under_the_same_size_and_time_is_found(
    index: Index, store: Store, said: Path, old: bytes
) -> None:
    status = said.stat()
    said.write_bytes(said.read_bytes().replace(old, old.swapcase()))
    os.utime(said, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert refresh(index, store).changed == 0
    (gap,) = verify_index(index, store).altered
    assert gap.path == str(said) and "another" in gap.reason
    rebuild(index, store)
    assert _is_clean(verify_index(index, store))


def test_markdown_that_changed_under_the_same_size_and_time_is_found(index: Index, store: Store, said: Path) -> None:
    path = store.layout.memory_file
    status = path.stat()
    path.write_text(path.read_text().replace("JWT", "SSH"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert [gap.path for gap in verify_index(index, store).altered] == ["memory/MEMORY.md"]


def test_what_is_new_or_changed_on_disk_is_named_and_not_read(index: Index, store: Store, said: Path) -> None:
    new = transcript(store.environment, 3, TALK)
    store.layout.memory_file.write_text("# Memory\n\nrewritten\n")
    proof = verify_index(index, store)
    assert (proof.on_disk.new, proof.on_disk.stale) == ([str(new)], ["memory/MEMORY.md"])
    assert proof.read_again == 3 and proof.altered == ()
    refresh(index, store)
    assert _is_clean(verify_index(index, store))


def test_a_source_of_which_a_part_is_indexed_is_stale(index: Index, store: Store) -> None:
    path = transcript(store.environment, 1, [("user", f"question {number}") for number in range(600)])
    calls = iter(range(9))
    assert refresh(index, store, is_cancelled=lambda: next(calls) > 0).is_cancelled
    proof = verify_index(index, store)
    assert proof.on_disk.stale == [str(path)] and proof.lost == () and 0 < proof.coverage.passages < 600
    assert proof.coverage.agrees and proof.coverage.refreshed_at == ""


@pytest.mark.parametrize("harm", ["folder", "link"])
def test_what_stands_in_the_place_of_a_transcript_and_cannot_be_read_has_failed(
    index: Index, store: Store, said: Path, harm: str
) -> None:
    _put_in_place(said, harm)
    new = said.with_name("5e551011-0000-4000-8000-000000000009.jsonl")
    _put_in_place(new, harm)
    assert refresh(index, store).failed == 2
    proof = verify_index(index, store)
    reason = "Is a directory" if harm == "folder" else "No such file or directory"
    assert {(one.path, one.failed) for one in proof.failures} == {(str(said), reason), (str(new), reason)}
    assert proof.on_disk.is_current and proof.coverage.agrees
    assert proof.coverage.passages == 8, "the earlier statement stays"
    _put_in_place(said, "")
    _put_in_place(new, "")
    transcript(store.environment, 1, TALK)
    refresh(index, store)
    assert _is_clean(verify_index(index, store))


@pytest.mark.parametrize("harm", ["folder", "link"])
def test_what_stands_in_the_place_of_a_document_and_cannot_be_read_has_failed(
    index: Index, store: Store, said: Path, harm: str
) -> None:
    _put_in_place(store.layout.memory_file, harm)
    _put_in_place(store.root / "memory" / "new.md", harm)
    assert refresh(index, store).failed == 2
    assert {one.path for one in index.failures(store)} == {"memory/MEMORY.md", "memory/new.md"}
    assert all(one.failed for one in index.failures(store))


def _put_in_place(path: Path, harm: str) -> None:
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    if harm == "folder":
        path.mkdir()
    elif harm == "link":
        path.symlink_to(path.with_name("nowhere"))


@pytest.mark.long
def test_another_copy_of_a_session_stands_in_for_one_that_cannot_be_read(
    index: Index, store: Store, said: Path
) -> None:
    copy = said.parent.with_name("-home-u-copy") / said.name
    copy.parent.mkdir()
    said.rename(copy)
    _put_in_place(said, "link")
    assert refresh(index, store).failed == 0
    assert index.coverage(store).passages == 8


def test_every_line_that_cannot_be_read_is_named(index: Index, store: Store, said: Path) -> None:
    lines = said.read_text().splitlines(keepends=True)
    said.write_text("".join([lines[0], "{broken\n", *lines[1:], "[1]\n"]))
    (other,) = said.parent.glob(f"{session_id_of(2)}*")
    other.write_text("no transcript at all\n" * 3)
    refresh(index, store)
    proof = verify_index(index, store)
    assert set(proof.faults) == {
        (str(said), ReadError(2, "not JSON")),
        (str(said), ReadError(5, "not an object")),
        (str(other), ReadError(0, "not a transcript that can be recognised")),
    }
    assert proof.coverage.is_whole and proof.altered == ()


def test_a_transcript_without_a_message_tells_its_broken_lines(index: Index, store: Store, said: Path) -> None:
    said.write_text('{"type": "summary", "summary": "x", "leafUuid": "y"}\n{broken\n')
    refresh(index, store)
    assert verify_index(index, store).faults == ((str(said), ReadError(2, "not JSON")),)


def test_of_a_large_history_a_part_is_read_another_each_day(index: Index, store: Store) -> None:
    for number in range(12):
        transcript(store.environment, number, TALK)
    refresh(index, store)
    size = verify_index(index, store).bytes_read
    read = [verify_index(index, store, most=size // 4, seed=seed) for seed in range(3)]
    assert {proof.read_again for proof in read} == {3}
    steps: list[tuple[int, int]] = []
    assert verify_index(index, store, lambda *step: steps.append(step), most=1).read_again == len(steps) == 1
    assert steps[-1][0] == steps[-1][1]


def test_while_another_process_writes_the_counts_need_not_agree(index: Index, store: Store, said: Path) -> None:
    lose(index, "id", f"{_key(1)}.0")
    with acquire(index.lock_path, "test", 0.0):
        covered = index.coverage(store)
    assert covered.is_busy and not covered.trouble and not covered.is_whole
    assert index.coverage(store).trouble


def test_a_process_that_goes_on_writing_is_named(
    index: Index, store: Store, said: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proofs, "LOCK_TIMEOUT_SECONDS", 0.0)
    with acquire(index.lock_path, "a long index", 0.0), pytest.raises(LockedError, match="a long index"):
        verify_index(index, store)


def test_nothing_is_changed_by_a_proof(index: Index, store: Store, said: Path) -> None:
    def state() -> dict[str, bytes]:
        files = (path for path in index.folder.rglob("*") if path.is_file() and "catalogue" not in path.name)
        return {str(path): path.read_bytes() for path in files}

    before = state()
    verify_index(index, store)
    read_disk_state(index, store)
    assert state() == before


def test_when_it_was_brought_up_to_date_is_kept_for_each_memory(index: Index, store: Store, said: Path) -> None:
    other = Memory(store.layout._replace(root=store.root.parent / "other"), store.environment, store.now)
    assert index.coverage(store).refreshed_at == "2026-03-06T12:00:00Z"
    assert index.coverage(other).refreshed_at == ""
    assert index.coverage(store).bytes > 1000
