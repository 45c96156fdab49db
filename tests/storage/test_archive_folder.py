"""Archives are found by name in every place of the layout, and opened only when they must be."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.domain import ArchiveEntry, IndexRow, LayoutName, SessionDigest
from recall_tui.errors import NotFoundError
from recall_tui.storage.archives.file import render_head
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.archives.index_file import parse_rows, rebuild_text
from recall_tui.storage.archives.summary_file import file_name, render_summary
from recall_tui.storage.layout import make_layout

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def put(folder: Path, prefix: str, number: int, session: str = "", days: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{prefix}-{number:03d}.md"
    entry = ArchiveEntry(number, path, session, DAY + timedelta(days=days), 2)
    path.write_text(render_head(entry, SessionDigest("")), encoding="utf-8")
    return path


def folder_of(root: Path, name: LayoutName = "entity") -> ArchiveFolder:
    return ArchiveFolder(make_layout(root, name))


def test_a_missing_folder_holds_nothing(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    assert (folder.entries(), folder.count(), folder.size()) == ((), 0, 0)
    assert folder.newest() is None


def test_each_archive_can_be_looked_at_without_holding_all(tmp_path: Path) -> None:
    place = tmp_path / "memory/conversations"
    for number in (3, 1, 2):
        put(place, "conversation", number, f"session-{number}")
    folder = folder_of(tmp_path)
    assert sorted(folder.each(), key=lambda entry: entry.number) == list(folder.entries())
    assert not folder_of(tmp_path / "none").count()
    assert list(folder_of(tmp_path / "none").each()) == []


def test_numbers_are_sorted_as_numbers(tmp_path: Path) -> None:
    place = tmp_path / "memory/conversations"
    for number in (1000, 101, 7, 999):
        put(place, "conversation", number)
    for name in (
        "conversation-x.md",
        "conversation-12.txt",
        "notes.md",
        "conversation-20260306123456.md",
        "conversation-",
    ):
        (place / name).write_text("mine")
    folder = folder_of(tmp_path)
    assert [entry.number for entry in folder.entries()] == [7, 101, 999, 1000]
    assert folder.count() == 4
    assert folder.size() == sum(
        path.stat().st_size for path in place.glob("conversation-[0-9]*[0-9].md") if len(path.stem) < 20
    )


def test_a_folder_with_an_archives_name_is_none(tmp_path: Path) -> None:
    (tmp_path / "memory/conversations/conversation-005.md").mkdir(parents=True)
    (tmp_path / "memory/conversations/conversation-006.md").symlink_to("nowhere")
    folder = folder_of(tmp_path)
    assert (folder.count(), folder.entries()) == (0, ())


def test_every_place_of_the_user_layout_is_read(tmp_path: Path) -> None:
    put(tmp_path / "memories", "archive-log", 4)
    put(tmp_path / "conversations", "conversation", 2)
    put(tmp_path / "memory/conversations", "conversation", 3)
    folder = folder_of(tmp_path, "user")
    assert [entry.name for entry in folder.entries()] == ["conversation-002", "conversation-003", "archive-log-004"]


def test_the_newest_is_the_session_that_ended_last(tmp_path: Path) -> None:
    for number, days in ((1, 3), (2, 8), (3, 1)):
        put(tmp_path / "memory/conversations", "conversation", number, days=days)
    newest = folder_of(tmp_path).newest()
    assert newest is not None
    assert newest.number == 2


def test_a_session_is_found_by_its_row_and_verified(tmp_path: Path) -> None:
    place = tmp_path / "memory/conversations"
    for number, session in ((1, "a"), (2, "b"), (3, "a")):
        put(place, "conversation", number, session)
    folder = folder_of(tmp_path)
    rows = parse_rows(rebuild_text("", folder.entries()))
    assert [entry.number for entry in folder.by_session("a", rows)] == [1, 3]
    assert [entry.number for entry in folder.by_session("a", rows[:1])] == [1, 3]
    assert [entry.number for entry in folder.by_session("a", ())] == [1, 3]
    assert folder.by_session("b", (IndexRow(1, "", "b"), *rows[1:])) == folder.by_session("b", rows)
    assert folder.by_session("", rows) == ()


def test_files_with_a_row_of_another_session_are_not_opened(tmp_path: Path) -> None:
    place = tmp_path / "memory/conversations"
    put(place, "conversation", 1, "a")
    rows = (IndexRow(1, "", "other"),)
    assert folder_of(tmp_path).by_session("a", rows) == ()


def test_an_older_logs_row_does_not_hide_a_conversation_of_its_number(tmp_path: Path) -> None:
    put(tmp_path / "memories", "archive-log", 1)
    put(tmp_path / "conversations", "conversation", 1, "a")
    rows = (IndexRow(1, "2026-02-24", trigger="precompact"),)
    assert [entry.name for entry in folder_of(tmp_path, "user").by_session("a", rows)] == ["conversation-001"]


@pytest.mark.parametrize("reference", [14, "14", "014", "conversation-014", "conversation-14", "conversation-014.md"])
def test_an_archive_is_found_by_number_or_name(tmp_path: Path, reference: int | str) -> None:
    put(tmp_path / "memory/conversations", "conversation", 14)
    assert folder_of(tmp_path).get(reference).name == "conversation-014"


@pytest.mark.parametrize("reference", [15, "", "archive-log-014", "../../conversation-014", "x", "-14", "9" * 50])
def test_what_is_not_there_is_not_found(tmp_path: Path, reference: int | str) -> None:
    put(tmp_path / "memory/conversations", "conversation", 14)
    with pytest.raises(NotFoundError):
        folder_of(tmp_path).get(reference)


def test_of_two_with_one_number_the_newer_is_meant(tmp_path: Path) -> None:
    put(tmp_path / "memories", "archive-log", 1, days=0)
    put(tmp_path / "conversations", "conversation", 1, days=5)
    folder = folder_of(tmp_path, "user")
    assert folder.get(1).name == "conversation-001"
    assert folder.get("archive-log-001").name == "archive-log-001"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = put(tmp_path / "memory/conversations", "conversation", 1, "a")
    folder = folder_of(tmp_path)
    assert folder.entries()[0].session_id == "a"
    assert folder.entries()[0] is folder.entries()[0]
    put(path.parent, "conversation", 1, "b")
    os.utime(path, ns=(1, 1))
    assert folder.entries()[0].session_id == "b"


def test_summaries_stand_in_for_archives_in_a_project(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "project")
    assert layout.summaries is not None
    layout.summaries.mkdir(parents=True)
    for number, session in ((1, "aaaa"), (2, "bbbb")):
        path = layout.summaries / file_name(session)
        path.write_text(
            render_summary(ArchiveEntry(number, path, session, DAY, 3, title=f"T{number}"), SessionDigest("Short"))
        )
    (layout.summaries / "cccc.md").write_text("# Mine\n\n## Context\n\nWords\n")
    folder = ArchiveFolder(layout)
    assert [(entry.number, entry.session_id) for entry in folder.entries()] == [(0, "cccc"), (1, "aaaa"), (2, "bbbb")]
    assert folder.count() == 3
    assert folder.get(2).session_id == "bbbb"
    assert folder.get("cccc").title == "Mine"
    assert [entry.number for entry in folder.by_session("aaaa", ())] == [1]
