"""What is known of the archives is what a fresh look at them says, and a look costs only what changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.domain import ArchiveEntry, LayoutName, SessionDigest
from recall_tui.errors import RecallError
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.archive_cache import ArchiveRegister
from recall_tui.storage.archives.file import render_head
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.archives.row_cache import IndexedRows
from recall_tui.storage.layout import Layout, make_layout

DAY = datetime(2026, 3, 1, tzinfo=UTC)
BELOW = "\n## What the numbers mean\n\nOlder ones came from the other machine.\n"


def entry_at(path: Path, session: str = "", days: int = 0) -> ArchiveEntry:
    number = int(path.stem.rpartition("-")[2])
    return ArchiveEntry(number, path, session, DAY + timedelta(days=days), 2, topics=("tokens", f"topic-{number}"))


def put(folder: Path, name: str, session: str = "", days: int = 0) -> ArchiveEntry:
    folder.mkdir(parents=True, exist_ok=True)
    entry = entry_at(folder / f"{name}.md", session, days)
    entry.path.write_text(render_head(entry, SessionDigest("")), encoding="utf-8")
    return entry


def add_row(layout: Layout, entry: ArchiveEntry) -> None:
    text = layout.rows.read_text(encoding="utf-8") if layout.rows.exists() else ""
    layout.rows.parent.mkdir(parents=True, exist_ok=True)
    layout.rows.write_text(index_file.add_row(text, entry), encoding="utf-8")


def layout_of(root: Path, name: LayoutName = "entity") -> Layout:
    return make_layout(root, name)


def agree(register: ArchiveRegister, layout: Layout, *sessions: str) -> None:
    """The register says what the folder says."""
    rows = index_file.parse_rows(layout.rows.read_text(encoding="utf-8") if layout.rows.exists() else "")
    register.look()
    folder = ArchiveFolder(layout)
    for session in sessions:
        assert register.by_session(session) == folder.by_session(session, rows)
    numbers = (entry.number for entry in (*rows, *folder.entries()))
    assert register.next_number() == max(numbers, default=0) + 1


@contextmanager
def looked_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The folders that are listed meanwhile."""
    seen: list[str] = []
    scandir = os.scandir
    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", lambda path: (seen.append(str(path)), scandir(path))[1])
        yield seen


def test_an_empty_memory_has_nothing(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    register = ArchiveRegister(layout)
    agree(register, layout, "a")
    assert (register.next_number(), register.by_session("a"), register.by_session("")) == (1, (), ())
    assert register.new_path(1) == tmp_path / "memory/conversations/conversation-001.md"


def test_gaps_stay_and_other_files_take_no_number(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    folder = layout.archives[0].folder
    for number in (1000, 101, 7, 999):
        put(folder, f"conversation-{number:03d}")
    for name in ("conversation-x.md", "conversation-12.txt", "notes.md", "conversation-20260306123456.md"):
        (folder / name).write_text("mine")
    register = ArchiveRegister(layout)
    register.look()
    assert register.next_number() == 1001


def test_a_folder_with_an_archives_name_takes_its_number(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    (layout.archives[0].folder / "conversation-005.md").mkdir(parents=True)
    (layout.archives[0].folder / "conversation-006.md").symlink_to("nowhere")
    register = ArchiveRegister(layout)
    register.look()
    assert (register.next_number(), register.by_session("a")) == (7, ())


def test_a_new_archive_goes_beside_the_newest(tmp_path: Path) -> None:
    register = ArchiveRegister(layout_of(tmp_path, "user"))
    register.look()
    assert register.new_path(1) == tmp_path / "memories/archive-log-001.md"
    put(tmp_path / "memories", "archive-log-040", days=1)
    register.look()
    assert register.new_path(41).parent == tmp_path / "memories"
    put(tmp_path / "conversations", "conversation-003", days=9)
    register.look()
    assert register.new_path(41) == tmp_path / "conversations/conversation-041.md"
    assert register.next_number() == 41


def test_a_layout_without_numbered_archives_has_no_place_for_one(tmp_path: Path) -> None:
    register = ArchiveRegister(layout_of(tmp_path, "project"))
    register.look()
    with pytest.raises(RecallError):
        register.new_path(3)


def test_what_others_put_there_is_seen_at_the_next_look(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    folder = layout.archives[0].folder
    register = ArchiveRegister(layout)
    agree(register, layout, "a")
    add_row(layout, put(folder, "conversation-001", "a"))
    agree(register, layout, "a", "b")
    put(folder, "conversation-009", "b")
    agree(register, layout, "a", "b")
    (folder / "conversation-001.md").unlink()
    agree(register, layout, "a", "b")
    layout.rows.unlink()
    agree(register, layout, "a", "b")


def test_a_row_whose_archive_another_process_made_is_found_though_the_folder_was_noted_since(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    folder = layout.archives[0].folder
    register = ArchiveRegister(layout)
    register.look()
    mine, other = put(folder, "conversation-001", "a"), put(folder, "conversation-002", "b")
    register.made(mine.path)
    add_row(layout, mine)
    add_row(layout, other)
    agree(register, layout, "a", "b")


def test_a_session_that_has_moved_to_another_file_is_known_by_what_the_file_says(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    folder = layout.archives[0].folder
    put(folder, "conversation-001", "a")
    register = ArchiveRegister(layout)
    agree(register, layout, "a", "b")
    put(folder, "conversation-001", "b")
    agree(register, layout, "a", "b")


def test_logs_of_the_oldest_generation_and_conversations_share_numbers(tmp_path: Path) -> None:
    layout = layout_of(tmp_path, "user")
    logs, talks = layout.archives[0].folder, layout.archives[1].folder
    put(logs, "archive-log-001", "old", days=-9)
    layout.rows.write_text("| # | Date | Trigger |\n|---|---|---|\n| 1 | 2026-02-20 | precompact |\n", encoding="utf-8")
    put(talks, "conversation-001", "new", days=3)
    register = ArchiveRegister(layout)
    agree(register, layout, "old", "new")
    add_row(layout, put(talks, "conversation-002", "newer", days=5))
    agree(register, layout, "old", "new", "newer")


def test_a_folder_is_listed_once_however_many_archives_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = layout_of(tmp_path)
    folder = layout.archives[0].folder
    register = ArchiveRegister(layout)
    add_row(layout, put(folder, "conversation-001", "session-1"))
    with looked_at(monkeypatch) as seen:
        for number in range(2, 40):
            rows = register.look(is_exact=True)
            assert register.by_session(f"session-{number}") == ()
            assert register.next_number() == number
            entry = put(folder, register.new_path(number).stem, f"session-{number}")
            layout.rows.write_text(rows.added(rows.text, entry), encoding="utf-8")
            register.made(entry.path)
    assert seen == [str(folder)]
    agree(register, layout, *(f"session-{number}" for number in range(1, 41)))


@pytest.mark.parametrize("below", ["", BELOW], ids=["table last", "words below"])
def test_known_rows_say_what_reading_all_says(tmp_path: Path, below: str) -> None:
    text, known = "", IndexedRows()
    for number in (1, 2, 5, 3, 9, 2):
        entry = entry_at(tmp_path / f"conversation-{number:03d}.md", f"session-{number % 3}")
        new = known.added(text, entry)
        assert new == index_file.add_row(text, entry)
        text = new if number != 5 else new + below
        known.read(text.encode())
        rows = index_file.parse_rows(text)
        assert (known.text, known.count, known.highest) == (text, len(rows), max(row.number for row in rows))
        for row in rows:
            mine = [(one.number, one.messages) for one in rows if one.session_id == row.session_id]
            assert known.of_session(row.session_id) == mine
            assert known.has(row.number)
    known.read((fresh := index_file.render_header()).encode())
    assert (known.text, known.count, known.highest, known.has(9)) == (fresh, 0, 0, False)


def test_of_a_text_that_grew_only_what_is_new_is_read() -> None:
    known = IndexedRows()
    text = index_file.render_header()
    assert known.read(text.encode()) == []
    for number in (1, 2, 3):
        text += index_file.render_row(entry_at(Path(f"conversation-{number:03d}.md"), "a"))
        assert known.read(text.encode()) == [number]
    assert known.read(text[:-1].encode()) is None, "another text"
    assert known.read(text.encode()) is None, "its last line may have gone on"


def test_a_rare_topic_continues_than_a_common_one() -> None:
    known = IndexedRows()
    known.read(
        index_file.rebuild_text("", [entry_at(Path(f"conversation-{number:03d}.md")) for number in (1, 2, 3)]).encode()
    )
    assert known.rarity("never") > known.rarity("topic-2") > known.rarity("tokens") == 1.0


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file here that cannot be read by anybody")
def test_an_archive_that_may_not_be_opened_is_not_taken_for_none(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)._replace(follows_links=True)
    entry = put(layout.archives[0].folder, "conversation-001", "a")
    add_row(layout, entry)
    register = ArchiveRegister(layout)
    register.look()
    register.expect_readable("a")
    entry.path.unlink()
    entry.path.symlink_to("/proc/self/mem")  # reading its first byte is an input/output error
    register.look()
    register.expect_readable("b")
    with pytest.raises(OSError, match="conversation-001"):
        register.expect_readable("a")


def test_a_link_that_leads_out_is_no_archive_and_its_name_is_taken(tmp_path: Path) -> None:
    layout = layout_of(tmp_path / "memory")
    outside = put(tmp_path, "conversation-009", "theirs")
    put(layout.archives[0].folder, "conversation-001", "a")
    (layout.archives[0].folder / "conversation-005.md").symlink_to(outside.path)
    register = ArchiveRegister(layout)
    register.look()
    assert register.by_session("theirs") == ()
    assert register.next_number() == 6
