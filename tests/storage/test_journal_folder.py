"""The journal's folder: many thousands of changes are not looked through at each, and nobody's are overlooked."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.domain import Append
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.folder import RETENTION_BYTES, JournalFolder
from tests.changes import change
from tests.conftest import NOON


def added(journal: Journal, folder: Path, line: str) -> int:
    """A change of one line; its number."""
    return change(journal, line, Append(folder / "page.md", f"{line}\n"))


def test_a_folder_that_nobody_else_changed_is_not_listed_again(
    journal: Journal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(journal, folder, "one")

    def listed(_: JournalFolder) -> list[str]:
        raise AssertionError("listed")

    monkeypatch.setattr(JournalFolder, "names", listed)
    assert added(journal, folder, "two") == 2


@pytest.mark.parametrize("is_pending", [False, True])
def test_what_others_do_within_one_tick_of_the_clock_is_seen(journal: Journal, folder: Path, is_pending: bool) -> None:
    added(journal, folder, "one")
    then = journal.folder.stat()
    added(Journal(journal.state, journal.now), folder, "two")
    if is_pending:
        record = journal.folder / "000002.json"
        record.rename(record.with_name("000002.pending.json"))
    os.utime(journal.folder, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert added(journal, folder, "three") == 3
    assert [entry.title for entry in journal.entries()] == ["three", "two", "one"]
    assert not journal.folder.joinpath("000002.pending.json").exists()


def test_contents_that_a_killed_process_left_go_with_the_next_change(journal: Journal, folder: Path) -> None:
    added(journal, folder, "one")
    left = journal.folder / "000002.0.new"
    left.write_text("never recorded")
    added(journal, folder, "two")
    assert not left.exists()


def test_many_changes_are_pruned_more_rarely(tmp_path: Path) -> None:
    files = JournalFolder(tmp_path)
    for count, due in ((0, 16), (1_000, 16), (2_000, 32), (20_000, 512)):
        files.leave(count, count)
        assert [number for number in range(1, 1 + due) if files.is_due(number)][-1] == due
        assert sum(map(files.is_due, range(1, 1_025))) == 1_024 // due


def test_what_is_too_much_goes_oldest_first(tmp_path: Path) -> None:
    files = JournalFolder(tmp_path)
    for number in (1, 2, 3):
        with (tmp_path / f"{number:06d}.0.old").open("wb") as file:
            file.truncate(RETENTION_BYTES * 2 // 5)
        (tmp_path / f"{number:06d}.json").write_text("{}")
    files.prune(NOON, NOON - timedelta(days=30))
    assert files.numbers() == [3]
