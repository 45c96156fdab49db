"""A program that has a file open and writes on while the file gives its place away loses nothing of what it wrote."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

import pytest

from recall_tui.domain import Append, Delete, Plan, Replace
from recall_tui.errors import LockedError
from recall_tui.storage.files import replaced_files
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.journal.commits import Journal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell who has a file open")

OLD = "# Memory\n\n- one\n- two\n- three\n"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """The folder of a memory's documents."""
    folder = tmp_path / "home" / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(OLD)
    return folder


@pytest.fixture
def journal(tmp_path: Path, base: Path, now: Callable[[], datetime]) -> Journal:
    """Its journal."""
    return Journal(tmp_path / "state", now, patience=0.2, base=base)


def add(path: Path, line: str = "- ours\n") -> Callable[[], Plan]:
    return lambda: Plan("add", (Append(path, line),))


def rest(path: Path) -> None:
    """Let the file have rested for a while, whoever has it open."""
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 60))


@contextmanager
def resting(path: Path, mode: str = "a") -> Iterator[IO[str]]:
    """A program that has the file open for writing, and pauses."""
    with path.open(mode) as file:
        rest(path)
        yield file


def names(folder: Path) -> list[str]:
    return sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*"))


def test_what_is_added_later_is_brought_in_and_can_be_taken_back(journal: Journal, base: Path) -> None:
    path = base / "MEMORY.md"
    with resting(path) as file:
        assert journal.commit(add(path))
        assert ".recall/.gitignore" in names(base)
        file.write("- theirs\n")
    journal.look_after()
    assert path.read_text() == f"{OLD}- ours\n- theirs\n"
    assert names(base) == ["MEMORY.md"]
    (entry, _) = journal.entries()
    assert entry.by == "hook" and "MEMORY.md" in entry.title
    journal.undo(entry.id)
    assert path.read_text() == f"{OLD}- ours\n"


def test_what_is_written_anew_is_taken_with_our_own_change_in_it(journal: Journal, base: Path) -> None:
    path = base / "MEMORY.md"
    with resting(path, "r+") as file:
        assert journal.commit(add(path))
        file.write(OLD.replace("- one", "- one and a half") + "- theirs\n")
        file.truncate()
    assert journal.commit(add(path, "- more\n"))
    assert path.read_text().startswith("# Memory\n\n- one and a half\n- two\n- three\n- ours\n- theirs\n")
    assert path.read_text().endswith("- more\n")
    assert names(base) == ["MEMORY.md"]


def test_a_program_that_never_closes_the_file_is_heard_when_it_pauses(journal: Journal, base: Path) -> None:
    path = base / "MEMORY.md"
    with resting(path) as file:
        assert journal.commit(add(path))
        (aside,) = (base / ".recall").glob("*.old")
        for word in ("- first\n", "- second\n"):
            file.write(word)
            file.flush()
            journal.look_after()
            assert word not in path.read_text()
            rest(aside)
            journal.look_after()
            assert word in path.read_text()
    journal.look_after()
    assert path.read_text() == f"{OLD}- ours\n- first\n- second\n"
    assert names(base) == ["MEMORY.md"]


def test_a_file_that_is_emptied_or_half_of_itself_is_never_taken_for_the_truth(journal: Journal, base: Path) -> None:
    path = base / "MEMORY.md"
    with resting(path, "r+") as file:
        assert journal.commit(add(path))
        file.truncate(0)
    journal.look_after()
    assert path.read_text() == f"{OLD}- ours\n" and names(base) == ["MEMORY.md"]
    with resting(path, "r+") as file:
        assert journal.commit(add(path))
        file.truncate(0)
        file.write("- all anew\n")
    journal.look_after()
    assert path.read_text() == f"{OLD}- ours\n- ours\n"
    assert (base / "MEMORY.saved-1.md").read_text() == "- all anew\n"


def test_lines_that_both_changed_are_kept_beside_the_file(journal: Journal, base: Path) -> None:
    path = base / "MEMORY.md"
    with resting(path, "r+") as file:
        ours = OLD.replace("- two", "- two of ours")
        assert journal.commit(lambda: Plan("two", (Replace(path, content_digest(path.read_bytes()), ours),)))
        file.write(OLD.replace("- two", "- two of theirs"))
    journal.look_after()
    assert path.read_text() == ours
    assert (base / "MEMORY.saved-1.md").read_text() == "- two of theirs\n"
    assert names(base) == ["MEMORY.md", "MEMORY.saved-1.md"]


def test_what_is_written_into_a_file_that_was_removed_is_kept(journal: Journal, base: Path) -> None:
    path = base / "MEMORY.md"
    with resting(path) as file:
        assert journal.commit(lambda: Plan("remove", (Delete(path, content_digest(path.read_bytes())),)))
        assert not path.exists()
        file.write("- theirs\n")
    journal.look_after()
    assert (base / "MEMORY.saved-1.md").read_text() == "- theirs\n"
    assert names(base) == ["MEMORY.saved-1.md"]


def test_of_a_replaced_file_no_word_is_kept_beside_it(journal: Journal, base: Path) -> None:
    path = base / "MEMORY.md"
    with resting(path):
        assert journal.commit(add(path))
        (record,) = (base / ".recall").glob("*.json")
        assert "three" not in record.read_text()
        assert record.stat().st_mode & 0o077 == 0 and (base / ".recall").stat().st_mode & 0o077 == 0


def test_a_file_of_elsewhere_is_looked_after_from_the_state(journal: Journal, base: Path, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / "CLAUDE.md"
    path.parent.mkdir()
    path.write_text(OLD)
    with resting(path) as file:
        assert journal.commit(add(path))
        file.write("- theirs\n")
    journal.look_after()
    assert path.read_text() == f"{OLD}- ours\n- theirs\n"
    assert names(path.parent) == ["CLAUDE.md"] and names(base) == ["MEMORY.md"]
    assert not (tmp_path / "state" / "replaced").exists()


def test_settings_that_would_not_be_read_any_more_are_not_brought_together(
    journal: Journal, base: Path, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  "a": 1\n}\n')
    with resting(path, "r+") as file:
        ours = '{\n  "a": 1,\n  "ours": 2\n}\n'
        assert journal.commit(lambda: Plan("ours", (Replace(path, content_digest(path.read_bytes()), ours),)))
        file.write('{\n  "theirs": 3,\n  "a": 1\n}\n')
    journal.look_after()
    assert json.loads(path.read_text())["ours"] == 2
    kept = [one for one in tmp_path.glob("settings*.json") if "theirs" in one.read_text()]
    assert kept and all(json.loads(one.read_text())["theirs"] == 3 for one in kept)


@pytest.mark.parametrize("shape", ["outside", "link", "record", "pipe"])
def test_what_came_with_a_memory_is_no_way_out_of_it(journal: Journal, base: Path, tmp_path: Path, shape: str) -> None:
    own = tmp_path / ".bashrc"
    own.write_text(OLD)
    folder = base / ".recall"
    folder.mkdir()
    aside = folder / "a.old"
    aside.write_text(f"{OLD}- evil\n")
    target, at = own, aside
    if shape == "link":
        target = base / "topic.md"
        target.symlink_to(own)
    if shape == "record":
        target, at = base / "MEMORY.md", own
    if shape == "pipe":
        target = base / "MEMORY.md"
        aside.unlink()
        os.mkfifo(aside)
    told = {"path": str(at), "target": str(target), "marks": replaced_files.line_hashes(OLD), "at": 0.0}
    (folder / "a.json").write_text(json.dumps(told))
    journal.look_after()
    assert own.read_text() == OLD and (base / "MEMORY.md").read_text() == OLD


def test_a_file_that_is_being_written_is_waited_for_and_no_longer_than_is_bearable(
    journal: Journal, base: Path
) -> None:
    path = base / "MEMORY.md"
    seen: list[str] = []

    def verb() -> Plan:
        seen.append(path.read_text())
        return Plan("add", (Append(path, "- ours\n"),))

    with path.open("w") as file:
        with pytest.raises(LockedError, match=r"MEMORY\.md is being written"):
            journal.commit(verb)
        file.write(OLD)
    assert journal.commit(verb)
    assert seen[-1] == OLD and path.read_text() == f"{OLD}- ours\n"


def test_a_page_that_is_made_of_a_half_written_file_is_not_made(journal: Journal, base: Path) -> None:
    from recall_tui.storage.files.atomic import read_text

    path = base / "MEMORY.md"

    def verb() -> Plan:
        return Plan("page", (Append(base / "page.md", read_text(path)),))

    with path.open("w") as file:
        file.write(OLD[:12])
        file.flush()
        with pytest.raises(LockedError):
            journal.commit(verb)
    assert not (base / "page.md").exists()
    assert journal.commit(verb)
