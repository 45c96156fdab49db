"""The journal: whole changes, taken back and made again, also after a kill at any step."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.errors import ConflictError, LockedError, NotFoundError
from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.inverse import revert
from recall_tui.storage.journal.record import FileChange, JournalRecord
from tests.changes import change, replaced
from tests.conftest import NOON
from tests.makers import tree


def test_a_plan_without_edits_changes_nothing(journal: Journal) -> None:
    assert journal.commit(lambda: Plan("nothing")) is None
    assert journal.entries() == ()


def test_all_kinds_of_edit_are_made_and_taken_back_to_the_same_bytes(journal: Journal, folder: Path) -> None:
    kept, gone, made, grown = (folder / name for name in ("kept.md", "gone.md", "made.md", "grown.md"))
    kept.write_bytes(b"caf\xe9 not utf-8\r\nline two\r\n")
    gone.write_bytes(b"\x00\xff bytes")
    grown.write_bytes(b"one\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    change(
        journal,
        "all",
        replaced(kept, "new\n"),
        Delete(gone, atomic.file_digest(gone)),
        Create(made, "made\n"),
        Append(grown, "two\n"),
    )
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert after == {"kept.md": b"new\r\n", "made.md": b"made\n", "grown.md": b"one\ntwo\n"}
    undone = journal.undo()
    assert undone is not None and undone.title == "Undid: all"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    redone = journal.redo()
    assert redone is not None and redone.title == "Redid: all"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == after


def test_undo_and_redo_walk_back_and_forth_and_stop_at_a_new_change(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    for text in "abc":
        change(journal, text, replaced(page, text) if page.exists() else Create(page, text))
    assert journal.undo() and journal.undo()
    assert page.read_text() == "a"
    assert journal.redo()
    assert page.read_text() == "b"
    assert journal.redo()
    assert page.read_text() == "c"
    assert journal.redo() is None
    assert journal.undo()
    change(journal, "d", replaced(page, "d"))
    assert journal.redo() is None
    assert journal.undo() and journal.undo() and journal.undo()
    assert not page.exists()
    assert journal.undo() is None


def test_undo_takes_a_persons_change_and_never_a_hooks(journal: Journal, folder: Path) -> None:
    change(journal, "mine", Create(folder / "mine.md", "x"))
    journal.commit(lambda: Plan("theirs", (Create(folder / "theirs.md", "x"),)), by="hook")
    undone = journal.undo()
    assert undone is not None and "mine" in undone.title
    assert (folder / "theirs.md").exists()


def test_an_older_change_is_undone_by_number_around_later_ones(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("".join(f"line {n}\n" for n in range(30)))
    first = change(journal, "first", replaced(page, page.read_text().replace("line 3\n", "line three\n")))
    change(journal, "second", replaced(page, page.read_text().replace("line 25\n", "")))
    assert journal.undo(first)
    assert "line 3\n" in page.read_text() and "line 25\n" not in page.read_text()
    with pytest.raises(ConflictError):
        journal.undo(first)
    with pytest.raises(NotFoundError):
        journal.undo(99)


def test_undo_says_when_a_person_rewrote_all_that_a_change_made(journal: Journal, folder: Path) -> None:
    made = folder / "made.md"
    change(journal, "made", Create(made, "text\n"))
    made.write_text("text and more\n")
    with pytest.raises(ConflictError, match=r"nothing of change 1 is left.*made\.md, line 1: changed since"):
        journal.undo()
    assert made.read_text() == "text and more\n"


def test_a_row_appended_is_taken_back_though_others_followed(journal: Journal, folder: Path) -> None:
    rows = folder / "ARCHIVE.md"
    first = change(journal, "row 1", Append(rows, "| 1 |\n"))
    change(journal, "row 2", Append(rows, "| 2 |\n"))
    journal.undo(first)
    assert rows.read_text() == "| 2 |\n"


def test_a_file_changed_since_it_was_read_is_a_conflict_and_nothing_is_written(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("old")
    stale = replaced(page, "new")
    page.write_text("newer")
    with pytest.raises(ConflictError):
        change(journal, "stale", Create(folder / "other.md", "x"), stale)
    assert page.read_text() == "newer" and not (folder / "other.md").exists()
    assert journal.entries() == () and journal.is_clean()


def test_a_plan_that_was_seen_is_made_only_if_it_is_still_the_same(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"

    def verb() -> Plan:
        return Plan("grow", (Append(page, f"{len(atomic.read_text(page))}\n"),))

    seen = verb()
    assert journal.commit(verb, seen=seen) is not None
    with pytest.raises(ConflictError):
        journal.commit(verb, seen=seen)
    assert page.read_text() == "0\n"


def test_a_spooled_body_becomes_the_file_and_large_old_contents_come_back(journal: Journal, folder: Path) -> None:
    spool = folder.parent / "spooled"
    spool.write_bytes(b"body \xff " * 20_000)
    big = folder / "big.md"
    change(journal, "create", Create(big, "head\n", spool))
    first = big.read_bytes()
    assert first == b"head\n" + b"body \xff " * 20_000
    assert not spool.exists()
    change(journal, "replace", replaced(big, "small\n"))
    assert journal.undo()
    assert big.read_bytes() == first
    assert journal.undo()
    assert not big.exists()
    assert journal.redo()
    assert big.read_bytes() == first


def test_undo_and_a_refused_undo_leave_nothing_but_records_behind(journal: Journal, folder: Path) -> None:
    big, page = folder / "big.md", folder / "page.md"
    big.write_text("long\n" * 20_000)
    page.write_text("old\n")
    change(journal, "both", replaced(page, "x\n"), replaced(big, "small\n"))
    page.write_text("a person's\n")
    with pytest.raises(ConflictError):
        journal.undo()
    assert journal.is_clean() and big.read_text() == "small\n"
    page.write_text("x\n")
    assert journal.undo()
    assert big.read_text() == "long\n" * 20_000
    kept = {path.name for path in journal.folder.iterdir()}
    assert kept <= {"000001.json", "000001.1.old.zst", "000002.json"}


def test_new_files_are_private_and_an_existing_file_keeps_its_mode_and_its_link(journal: Journal, folder: Path) -> None:
    real = folder.parent / "real.md"
    real.write_text("x")
    real.chmod(0o644)
    link = folder / "link.md"
    link.symlink_to(real)
    change(journal, "both", Create(folder / "deep" / "new.md", "x"), replaced(link, "y"))
    assert stat.S_IMODE((folder / "deep" / "new.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "deep").stat().st_mode) == 0o700
    assert link.is_symlink() and real.read_text() == "y" and stat.S_IMODE(real.stat().st_mode) == 0o644


def test_the_lock_names_its_holder(journal: Journal) -> None:
    busy = Journal(journal.state, journal.now, patience=0.05)
    with acquire(journal.state / "lock", "archive"), pytest.raises(LockedError, match=rf"{os.getpid()}.*archive"):
        busy.commit(lambda: Plan("x"))


KILLED = """
    import os, signal, sys
    from datetime import datetime, timezone
    from pathlib import Path
    from recall_tui.domain import Append, Create, Delete, Plan, Replace
    from recall_tui.storage.files import atomic
    from recall_tui.storage.journal.commits import Journal

    left = int(sys.argv[2])
    def counted(call):
        def wrapped(*args, **kw):
            global left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kw)
        return wrapped
    for name in ("fsync", "link", "unlink", "replace", "rename", "open", "write", "mkdir"):
        setattr(os, name, counted(getattr(os, name)))
    folder = Path(sys.argv[1])
    spool = folder.parent / "spool"
    spool.write_text("body\\n" * 10)
    old = folder / "old.md"
    journal = Journal(folder.parent / "state", lambda: datetime(2026, 3, 6, tzinfo=timezone.utc))
    journal.commit(lambda: Plan("all", (
        Create(folder / "new.md", "head\\n", spool), Append(folder / "rows.md", "row\\n"),
        Replace(old, atomic.file_digest(old), "replaced\\n"))))
"""


@pytest.mark.long
def test_a_kill_at_any_step_leaves_all_of_a_change_or_none_of_it(tmp_path: Path, now: Callable[[], datetime]) -> None:
    outcomes = set()
    for step in range(200):
        folder = tmp_path / str(step) / "memory"
        folder.mkdir(parents=True)
        (folder / "old.md").write_text("old\n")
        script = textwrap.dedent(KILLED)
        done = subprocess.run([sys.executable, "-c", script, str(folder), str(step)], check=False)
        journal = Journal(folder.parent / "state", now)
        assert journal.recover() == () and journal.is_clean()
        kept = tree(journal.folder)
        assert all(f"{name.partition('.')[0]}.json" in kept for name in kept)
        files = {path.name: path.read_text() for path in folder.iterdir()}
        outcomes.add(len(files))
        assert files in (
            {"old.md": "old\n"},
            {"old.md": "replaced\n", "rows.md": "row\n", "new.md": "head\n" + "body\n" * 10},
        )
        if len(files) > 1:
            assert journal.undo()
            assert {path.name: path.read_text() for path in folder.iterdir()} == {"old.md": "old\n"}
        if done.returncode == 0:
            assert step > 10
            break
        assert done.returncode == -signal.SIGKILL
    else:
        pytest.fail("it never got through")
    assert outcomes == {1, 3}


def test_a_change_does_not_look_through_the_folder_of_its_file(
    journal: Journal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[Path] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: (listed.append(Path(path)), scandir(path))[1])
    change(journal, "New", Create(folder / "new.md", "one\n"))
    # Newer Pythons list what is globbed by the same function: folders of the state may be among them.
    assert journal.folder in listed and all(one.parent == journal.folder.parent for one in listed)
    assert folder not in listed


def test_old_changes_are_dropped_and_the_newest_stays(folder: Path, tmp_path: Path) -> None:
    clock = [NOON]
    journal = Journal(tmp_path / "state", lambda: clock[0])
    for number in range(64):
        change(journal, str(number), Append(folder / "page.md", f"{number}\n"))
        clock[0] += timedelta(days=1)
    assert [entry.title for entry in journal.entries()] == [str(number) for number in range(63, 32, -1)]


def test_a_clock_that_was_ahead_for_some_changes_drops_none(folder: Path, tmp_path: Path) -> None:
    clock = [NOON]
    journal = Journal(tmp_path / "state", lambda: clock[0])
    ahead = NOON.replace(year=2036)
    for number, moment in enumerate((NOON, *[ahead] * 16, NOON + timedelta(days=1), *[ahead] * 16, NOON)):
        clock[0] = moment
        change(journal, str(number), Append(folder / "page.md", f"{number}\n"))
    entries = journal.entries()
    assert len(entries) == 35
    assert [entry.at for entry in entries] == [NOON] * 17 + [NOON + timedelta(days=1)] * 17 + [NOON]
    assert sum(entry.stamp == ahead for entry in entries) == 32


def test_changes_of_a_clock_that_was_ahead_go_with_those_around_them(folder: Path, tmp_path: Path) -> None:
    clock = [NOON.replace(year=2036)]
    journal = Journal(tmp_path / "state", lambda: clock[0])
    change(journal, "ahead", Append(folder / "page.md", "ahead\n"))
    for number in range(64):
        clock[0] = NOON + timedelta(days=number)
        change(journal, str(number), Append(folder / "page.md", f"{number}\n"))
    assert [entry.title for entry in journal.entries()] == [str(number) for number in range(63, 31, -1)]


texts = st.text(alphabet=st.characters(codec="utf-8"), max_size=30)
steps_of_a_day = st.tuples(st.sampled_from("abc"), st.sampled_from(["put", "grow", "drop"]), texts)


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(st.lists(steps_of_a_day, max_size=8))
def test_undoing_everything_gives_the_first_bytes_again(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str]]
) -> None:
    home = tmp_path_factory.mktemp("undo")
    journal = Journal(home / "state", lambda: NOON)
    pages = home / "pages"
    pages.mkdir()
    (pages / "a").write_bytes(b"first\r\n\xff")
    states = [{path.name: path.read_bytes() for path in pages.iterdir()}]
    for name, what, text in steps:
        page = pages / name
        edit: Edit
        if what == "grow":
            edit = Append(page, text)
        elif what == "drop" and page.exists():
            edit = Delete(page, atomic.file_digest(page))
        elif page.exists():
            edit = replaced(page, text)
        else:
            edit = Create(page, text)
        if isinstance(edit, Replace) and page.read_bytes() == text.encode():
            continue  # what changes nothing is no change
        change(journal, what, edit)
        states.append({path.name: path.read_bytes() for path in pages.iterdir()})
    for expected in reversed(states[:-1]):
        assert journal.undo()
        assert {path.name: path.read_bytes() for path in pages.iterdir()} == expected
    for expected in states[1:]:
        assert journal.redo()
        assert {path.name: path.read_bytes() for path in pages.iterdir()} == expected


def test_a_record_that_nests_without_end_is_taken_for_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    path.write_text('{"a":' * 100_000, encoding="utf-8")
    assert JournalRecord.read(path) is None


def test_a_verb_that_saw_a_file_change_plans_again(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("one\n")
    saved = ["two\n"]

    def verb() -> Plan:
        text = atomic.read_text(page)
        if saved:
            page.write_text(text + saved.pop())
        return Plan("all in capitals", (Replace(page, atomic.file_digest(page), text.upper()),))

    assert journal.commit(verb)
    assert page.read_text() == "ONE\nTWO\n"


def test_a_file_that_changes_at_every_look_is_never_written_over(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("one\n")

    def verb() -> Plan:
        text = atomic.read_text(page)
        page.write_text(f"{text}more\n")
        return Plan("all in capitals", (Replace(page, atomic.file_digest(page), text.upper()),))

    with pytest.raises(ConflictError, match=r"page\.md was changed"):
        journal.commit(verb)
    assert page.read_text() == "one\n" + "more\n" * 5
    assert journal.entries() == ()


def test_a_change_that_fails_further_on_leaves_nothing_of_itself(journal: Journal, folder: Path) -> None:
    (folder / "old.md").write_text("old\n")
    (folder / "no-folder").write_text("")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    edits: tuple[Edit, ...] = (
        Create(folder / "new.md", "new\n"),
        Append(folder / "old.md", "more\n"),
        Delete(folder / "no-folder", atomic.content_digest("")),
        Create(folder / "old.md" / "below.md", "x"),
    )
    with pytest.raises(ConflictError, match=r"old\.md"):
        journal.commit(lambda: Plan("cannot be", edits))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert journal.is_clean() and journal.entries() == ()


def test_a_change_taken_back_at_once_leaves_what_was_written_meanwhile(folder: Path) -> None:
    path = folder / "rows.md"
    path.write_text("one\n")
    change = FileChange.of(Append(path, "two\n"), folder, "1.0")
    change.apply(folder)
    path.write_text(path.read_text() + "a person's\n")
    revert((change,), folder, OSError("no room for the next"))
    assert path.read_text() == "one\na person's\n"


def test_a_line_is_added_again_after_a_kill_though_the_same_one_stands_there(journal: Journal, folder: Path) -> None:
    path = folder / "log.md"
    path.write_text("- again\n")
    journal.commit(lambda: Plan("first", (Create(folder / "a.md", "a"),)))
    edit = Append(path, "- again\n")
    record = JournalRecord(
        2, "again", journal.now(), "person", (FileChange.of(edit, journal.folder, "2.0"),), 0, "again"
    )
    (journal.folder / "000002.pending.json").write_bytes(record.to_bytes())
    assert journal.recover() == ()
    assert path.read_text() == "- again\n" * 2
    (journal.folder / "000002.pending.json").write_bytes(record.to_bytes())
    assert journal.recover() == ()
    assert path.read_text() == "- again\n" * 2


def test_what_a_kill_left_in_the_journals_folder_is_removed(journal: Journal, folder: Path) -> None:
    journal.commit(lambda: Plan("one", (Create(folder / "a.md", "a"),)))
    for where in (journal.folder, folder):
        (where / ".recall-0123456789ab.tmp").write_text("half")
    assert not journal.is_clean()
    journal.recover()
    assert journal.is_clean()
    assert [path.name for path in journal.leftovers()] == [".recall-0123456789ab.tmp"]
    assert journal.sweep([folder]) == 1 and not list(journal.leftovers())
