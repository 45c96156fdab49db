"""An editor that saves at the very moment of a change loses nothing, wherever in it that moment falls."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.domain import Append, Create, Delete, Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.storage.files import compare_and_swap, temporary_files
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.files.compare_and_swap import write
from recall_tui.storage.journal.commits import Journal

OLD, OURS, THEIRS, LATER = "old\n", "ours\n", "theirs\n", "later\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the file is."""
    (tmp_path / "memory").mkdir()
    return tmp_path / "memory"


@pytest.fixture
def path(folder: Path) -> Path:
    """A file as it was read."""
    (folder / "MEMORY.md").write_text(OLD)
    return folder / "MEMORY.md"


@pytest.fixture
def journal(tmp_path: Path, now: Callable[[], datetime]) -> Journal:
    """The journal of a memory."""
    return Journal(tmp_path / "state", now)


def save(path: Path, text: str) -> None:
    """Save as editors do: a new file takes the old one's place."""
    new = path.with_name("4913")
    new.write_text(text)
    new.replace(path)


def saving(monkeypatch: pytest.MonkeyPatch, path: Path, *texts: str, name: str = "_swap") -> None:
    """Have an editor save one text right before each of the next calls of a function."""
    inner, left = getattr(compare_and_swap, name), list(texts)

    def outer(*given: Path) -> object:
        if left:
            save(path, left.pop(0))
        return inner(*given)

    monkeypatch.setattr(compare_and_swap, name, outer)


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_file_that_is_as_it_was_read_is_replaced(path: Path) -> None:
    write(path, OURS.encode(), was=content_digest(OLD))
    assert path.read_text() == OURS
    assert names(path.parent) == [path.name]


def test_a_save_before_the_renaming_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saving(monkeypatch, path, THEIRS)
    with pytest.raises(ConflictError):
        write(path, OURS.encode(), was=content_digest(OLD))
    assert path.read_text() == THEIRS
    assert names(path.parent) == [path.name]


def test_of_two_saves_in_that_moment_the_later_stays_and_the_earlier_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving(monkeypatch, path, THEIRS, LATER)
    with pytest.raises(ConflictError):
        write(path, OURS.encode(), was=content_digest(OLD))
    assert path.read_text() == LATER
    assert (path.parent / "MEMORY.saved-1.md").read_text() == THEIRS
    assert names(path.parent) == [path.name, "MEMORY.saved-1.md"]


def test_a_save_upon_ours_before_it_is_taken_back_is_as_good(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner, left = compare_and_swap._swap, [(THEIRS, LATER)]

    def outer(one: Path, other: Path) -> bool:
        before, after = left.pop() if left else ("", "")
        if before:
            save(path, before)
        done = inner(one, other)
        if after:
            save(path, after)
        return done

    monkeypatch.setattr(compare_and_swap, "_swap", outer)
    with pytest.raises(ConflictError):
        write(path, OURS.encode(), was=content_digest(OLD))
    assert path.read_text() == LATER
    assert (path.parent / "MEMORY.saved-1.md").read_text() == THEIRS


def test_where_files_cannot_change_places_a_save_before_the_last_look_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_and_swap, "_swap", lambda *_: False)
    write(path, OURS.encode(), was=content_digest(OLD))
    assert path.read_text() == OURS
    save(path, THEIRS)
    with pytest.raises(ConflictError):
        write(path, OLD.encode(), was=content_digest(OURS))
    assert path.read_text() == THEIRS
    assert names(path.parent) == [path.name]


def test_a_file_that_comes_or_goes_meanwhile_is_left_so(path: Path) -> None:
    with pytest.raises(ConflictError):
        write(path, OURS.encode(), was="")
    assert path.read_text() == OLD
    path.unlink()
    with pytest.raises(ConflictError):
        write(path, OURS.encode(), was=content_digest(OLD))
    assert names(path.parent) == []


def test_what_was_saved_is_not_removed(path: Path) -> None:
    save(path, THEIRS)
    with pytest.raises(ConflictError):
        compare_and_swap.delete_if(path, content_digest(OLD))
    assert path.read_text() == THEIRS
    compare_and_swap.delete_if(path, content_digest(THEIRS))
    assert names(path.parent) == []


@pytest.mark.parametrize(
    ("standing", "aside", "left"),
    [
        (OURS, OLD, {"MEMORY.md": OURS}),
        (OLD, OURS, {"MEMORY.md": OLD}),
        (OURS, THEIRS, {"MEMORY.md": THEIRS}),
        (None, OLD, {"MEMORY.md": OLD}),
        (None, THEIRS, {"MEMORY.md": THEIRS}),
        (LATER, THEIRS, {"MEMORY.md": LATER, "MEMORY.saved-1.md": THEIRS}),
        (THEIRS, THEIRS, {"MEMORY.md": THEIRS}),
    ],
)
def test_what_a_killed_process_had_in_its_hands_comes_back(
    path: Path, standing: str | None, aside: str, left: dict[str, str]
) -> None:
    path.unlink()
    if standing is not None:
        path.write_text(standing)
    temporary_files.displaced_path(path).write_text(aside)
    compare_and_swap.recover(path, content_digest(OLD), content_digest(OURS))
    assert {one.name: one.read_text() for one in path.parent.iterdir()} == left


def test_a_change_that_the_system_refuses_leaves_nothing_beside_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Path, target: Path) -> bool:
        target.unlink()
        target.mkdir()
        return False

    monkeypatch.setattr(compare_and_swap, "_swap", refused)
    with pytest.raises(IsADirectoryError):
        write(path, OURS.encode(), was=content_digest(OLD))
    assert names(path.parent) == [path.name]


def test_a_file_that_cannot_be_looked_at_any_more_has_its_place_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = compare_and_swap._swap
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)

    def last(one: Path, other: Path) -> bool:
        done = inner(one, other)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, most[1]))
        return done

    monkeypatch.setattr(compare_and_swap, "_swap", last)
    try:
        with pytest.raises(OSError, match="Too many open files"):
            write(path, OURS.encode(), was=content_digest(OLD))
        with pytest.raises(OSError, match="Too many open files"):
            compare_and_swap.delete_if(path, content_digest(OLD))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, most)
    assert path.read_text() == OLD and names(path.parent) == [path.name]


def test_what_stands_aside_for_no_change_is_seen_and_none_of_it_is_lost(journal: Journal, path: Path) -> None:
    other = path.with_name("gone.md")
    asides = [temporary_files.displaced_path(one) for one in (path, other)]
    for one, text in zip(asides, (OLD, THEIRS), strict=True):
        one.write_text(text)
    assert set(compare_and_swap.list_displaced(path.parent)) == set(asides)
    assert journal.sweep([path.parent]) == 2
    kept = f"{asides[1].name[1:].removesuffix('.old')}.saved-1.old"
    assert {one.name: one.read_text() for one in path.parent.iterdir()} == {path.name: OLD, kept: THEIRS}
    path.write_text(LATER)
    temporary_files.displaced_path(path).write_text(THEIRS)
    assert journal.sweep([path.parent]) == 1
    assert path.with_name("MEMORY.saved-1.md").read_text() == THEIRS and path.read_text() == LATER


def test_what_stands_aside_and_is_in_the_journal_is_not_kept_once_more(journal: Journal, path: Path) -> None:
    for was, text in ((OLD, OURS), (OURS, LATER)):
        journal.commit(lambda was=was, text=text: Plan("title", (Replace(path, content_digest(was), text),)))
    for text in (OLD, OURS):
        temporary_files.displaced_path(path).write_text(text)
    assert journal.sweep([path.parent]) == 2
    assert names(path.parent) == [path.name] and path.read_text() == LATER


def test_a_verb_looks_once_more_when_an_editor_saved_meanwhile(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving(monkeypatch, path, THEIRS)

    def add() -> Plan:
        text = path.read_text()
        return Plan("add", (Replace(path, content_digest(text), text + OURS),))

    assert journal.commit(add) is not None
    assert path.read_text() == THEIRS + OURS
    journal.undo()
    assert path.read_text() == THEIRS


@pytest.mark.parametrize("moment", ["replace_if", "_swap"])
def test_a_change_that_is_refused_takes_no_line_out_of_what_was_saved_instead(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    saving(monkeypatch, path, OLD + THEIRS + OURS, name=moment)

    def add() -> Plan:
        text = path.read_text()
        return Plan("add", (Replace(path, content_digest(text), text + OURS),) if OURS not in text else ())

    assert journal.commit(add) is None
    assert path.read_text() == OLD + THEIRS + OURS and names(path.parent) == [path.name]


def test_what_is_added_to_a_file_is_added_to_what_was_saved_meanwhile(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving(monkeypatch, path, THEIRS)
    assert journal.commit(lambda: Plan("add", (Append(path, OURS),))) is not None
    assert path.read_text() == THEIRS + OURS
    journal.undo()
    assert path.read_text() == THEIRS


def test_a_change_that_is_given_up_leaves_what_was_saved_over_it(
    journal: Journal, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, made, gone = folder / "other.md", folder / "made.md", folder / "gone.md"
    other.write_text(OLD)
    gone.write_text(OLD)
    inner = compare_and_swap.replace_if

    def outer(new: Path, target: Path, was: str) -> None:
        if target == other:
            for one, text in ((path, OURS + THEIRS), (made, THEIRS), (gone, LATER), (other, THEIRS)):
                save(one, text)
        inner(new, target, was)

    monkeypatch.setattr(compare_and_swap, "replace_if", outer)
    edits = (
        Append(path, OURS),
        Create(made, OURS),
        Delete(gone, content_digest(OLD)),
        Replace(other, content_digest(OLD), OURS),
    )
    with pytest.raises(ConflictError):
        journal.commit(lambda: Plan("all", edits))
    assert {one.name: one.read_text() for one in folder.iterdir()} == {
        "MEMORY.md": THEIRS,
        "made.md": THEIRS,
        "gone.md": LATER,
        "other.md": THEIRS,
    }
    assert journal.is_clean()


def test_where_the_old_file_cannot_be_removed_nothing_is_changed_and_nothing_is_kept_beside(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck: list[Path] = []
    inner = Path.unlink

    def refused(one: Path, missing_ok: bool = False) -> None:
        if one.suffix == ".old" and stuck in ([], [one]):
            stuck[:] = [one]
            raise PermissionError(13, "Permission denied")
        inner(one, missing_ok=missing_ok)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refused)
        with pytest.raises(OSError, match="Permission denied"):
            journal.commit(lambda: Plan("add", (Append(path, OURS),)))
    assert path.read_text() == OLD
    assert journal.sweep([path.parent]) == 1
    assert names(path.parent) == ["MEMORY.md"]
