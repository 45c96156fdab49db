"""A batch of changes is one entry of the journal, whatever ends the command that made them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.batch import Batch
from recall_tui.storage.journal.commits import Journal
from tests.changes import change, folder, journal, replaced
from tests.makers import tree

__all__ = ["folder", "journal"]


def _batch() -> Batch:
    return Batch("Archived {count} sessions", "Archived sessions, interrupted")


def _commit(journal: Journal, batch: Batch, title: str, *edits: Edit) -> None:
    assert journal.commit(lambda: Plan(title, edits), batch=batch) is not None
    batch.count += 1


def _three_changes(journal: Journal, folder: Path, batch: Batch) -> None:
    rows, window = folder / "ARCHIVE.md", folder / "EPHEMERAL.md"
    for number in range(1, 4):
        text = atomic.read_text(rows)
        _commit(
            journal,
            batch,
            f"Archived {number}",
            Create(folder / "conversations" / f"{number}.md", f"session {number}\n" * 10_000),
            replaced(rows, f"{text}| {number} |\n") if text else Create(rows, f"| {number} |\n"),
            Append(window, f"entry {number}\n"),
        )


def test_one_undo_takes_back_the_whole_batch_and_redo_brings_it_again(journal: Journal, folder: Path) -> None:
    (folder / "EPHEMERAL.md").write_text("a person's words\n")
    before, batch = tree(folder), _batch()
    _three_changes(journal, folder, batch)
    journal.look_after(batch)
    after = tree(folder)
    (entry,) = journal.entries()
    assert entry.title == "Archived 3 sessions" and len(entry.paths) == 5
    journal.undo()
    assert tree(folder) == before
    journal.redo()
    assert tree(folder) == after
    assert not (journal.folder / "open-batch.json").exists()


def test_the_next_holder_of_the_lock_folds_what_a_killed_command_finished(journal: Journal, folder: Path) -> None:
    before = tree(folder)
    _three_changes(journal, folder, _batch())
    assert len(journal.entries()) == 3
    journal.look_after()
    (entry,) = journal.entries()
    assert entry.title == "Archived sessions, interrupted"
    journal.undo()
    assert tree(folder) == before


def test_undo_right_after_a_kill_takes_back_all_of_it(journal: Journal, folder: Path) -> None:
    before = tree(folder)
    _three_changes(journal, folder, _batch())
    journal.undo()
    assert tree(folder) == before


def test_a_command_that_goes_on_after_another_folded_its_changes_is_still_one_entry(
    journal: Journal, folder: Path
) -> None:
    batch, page = _batch(), folder / "page.md"
    _commit(journal, batch, "One", Create(page, "one\n"))
    _commit(journal, batch, "Two", replaced(page, "one\ntwo\n"))
    journal.look_after()
    _commit(journal, batch, "Three", replaced(page, "one\ntwo\nthree\n"))
    journal.look_after(batch)
    (entry,) = journal.entries()
    assert entry.title == "Archived 3 sessions"
    journal.undo()
    assert not page.exists()


def test_what_somebody_else_wrote_in_between_is_kept_by_undo(journal: Journal, folder: Path) -> None:
    batch, page = _batch(), folder / "page.md"
    page.write_text("first\n\n\n\n\nlast\n")
    _commit(journal, batch, "One", replaced(page, "first\none\n\n\n\n\nlast\n"))
    page.write_text("a person's line\nfirst\none\n\n\n\n\nlast\n")
    _commit(journal, batch, "Two", replaced(page, "a person's line\nfirst\none\n\n\n\n\ntwo\nlast\n"))
    journal.look_after(batch)
    assert len(journal.entries()) == 2
    journal.undo()
    journal.undo()
    assert page.read_text() == "a person's line\nfirst\n\n\n\n\nlast\n"


def test_a_change_of_somebody_else_is_no_part_of_the_batch(journal: Journal, folder: Path) -> None:
    batch = _batch()
    _commit(journal, batch, "One", Create(folder / "1.md", "1\n"))
    change(journal, "Theirs", Create(folder / "theirs.md", "theirs\n"))
    _commit(journal, batch, "Two", Create(folder / "2.md", "2\n"))
    journal.look_after(batch)
    assert [entry.title for entry in journal.entries()] == ["Archived 2 sessions", "Theirs"]
    journal.undo()
    assert sorted(tree(folder)) == ["theirs.md"]


def test_two_commands_at_once_are_two_entries(journal: Journal, folder: Path) -> None:
    ours, theirs = _batch(), _batch()
    for number in range(3):
        _commit(journal, ours, "Ours", Create(folder / f"ours-{number}.md", "1\n"))
        _commit(journal, theirs, "Theirs", Create(folder / f"theirs-{number}.md", "1\n"))
    journal.look_after(ours)
    journal.look_after(theirs)
    assert [len(entry.paths) for entry in journal.entries()] == [3, 3]
    journal.undo()
    assert sorted(tree(folder)) == ["ours-0.md", "ours-1.md", "ours-2.md"]


def test_a_file_that_was_made_and_removed_leaves_no_trace(journal: Journal, folder: Path) -> None:
    batch, page, other = _batch(), folder / "page.md", folder / "other.md"
    other.write_text("old\n")
    _commit(journal, batch, "One", Create(page, "one\n"), Append(other, "new\n"))
    _commit(journal, batch, "Two", Delete(page, atomic.file_digest(page)), replaced(other, "other\n"))
    journal.look_after(batch)
    (entry,) = journal.entries()
    assert entry.paths == (other,)
    journal.undo()
    assert other.read_text() == "old\n" and not page.exists()


def test_a_part_that_was_undone_meanwhile_stays_an_entry_of_its_own(journal: Journal, folder: Path) -> None:
    batch = _batch()
    _commit(journal, batch, "One", Create(folder / "1.md", "1\n"))
    journal.undo()
    _commit(journal, batch, "Two", Create(folder / "2.md", "2\n"))
    journal.look_after(batch)
    assert [entry.title for entry in journal.entries() if not entry.is_undone] == ["Two", "Undid: One"]


@pytest.mark.parametrize("cut", range(1, 5))
def test_a_kill_while_folding_is_healed_by_the_next(
    journal: Journal, folder: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    (folder / "EPHEMERAL.md").write_text("a person's words\n" * 4_000)
    before, batch = tree(folder), _batch()
    _three_changes(journal, folder, batch)
    unlink, calls = Path.unlink, 0

    def killed(path: Path, missing_ok: bool = False) -> None:
        nonlocal calls
        calls += path.parent == journal.folder
        if calls == cut:
            raise KeyboardInterrupt
        unlink(path, missing_ok)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            journal.look_after(batch)
    journal.look_after()
    assert [entry.title for entry in journal.entries()] == ["Archived 3 sessions"]
    journal.undo()
    assert tree(folder) == before


def test_large_earlier_content_is_kept_beside_the_entry(journal: Journal, folder: Path) -> None:
    batch, pages = _batch(), [folder / f"{number}.md" for number in range(12)]
    for page in pages:
        page.write_text(f"{page.name}\n" * 5_000)
    before = tree(folder)
    for page in pages:
        text = page.read_text()
        _commit(journal, batch, "One", Replace(page, atomic.file_digest(page), text + "more\n"))
        _commit(journal, batch, "Two", Replace(page, atomic.file_digest(page), "less\n"))
    journal.look_after(batch)
    assert len(journal.entries()) == 1
    journal.undo()
    assert tree(folder) == before
