"""A program that writes a file from a text that it read before a change does not take the change out unknowingly."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.domain import Append, Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.storage.files import compare_and_swap
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.journal import lost_updates
from recall_tui.storage.journal.commits import Journal

OLD = "# Memory\n\n- one\n- two\n- three\n"
CHANGES = {
    "append": lambda path: Append(path, "- ours\n"),
    "replace": lambda path: Replace(path, content_digest(OLD), OLD.replace("- two\n", "- ours\n- two\n")),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of a memory."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text(OLD)
    return tmp_path / "memory" / "MEMORY.md"


@pytest.fixture
def journal(tmp_path: Path, path: Path, now: Callable[[], datetime]) -> Journal:
    """Its journal."""
    return Journal(tmp_path / "state", now, base=path.parent)


def changed(journal: Journal, path: Path, kind: str) -> None:
    assert journal.commit(lambda: Plan("change", (CHANGES[kind](path),)))


def next_change(journal: Journal, path: Path) -> None:
    assert journal.commit(lambda: Plan("next", (Append(path.with_name("other.md"), "- next\n"),)))


@pytest.mark.parametrize("is_renamed", [False, True])
@pytest.mark.parametrize("kind", CHANGES)
def test_a_stale_text_is_brought_together_with_what_it_wrote_over(
    journal: Journal, path: Path, kind: str, is_renamed: bool
) -> None:
    changed(journal, path, kind)
    to = path.with_name("sync") if is_renamed else path
    to.write_text(f"{OLD}- theirs\n")
    os.utime(to, (0, 0))
    to.replace(path)
    next_change(journal, path)
    assert sorted(path.read_text().splitlines()) == sorted(f"{OLD}- theirs\n- ours\n".splitlines())
    assert [entry.title for entry in journal.entries()][1] == lost_updates.RESTORE_TITLE


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize(
    "text",
    [OLD, "# Another\n", f"{OLD}- ours\n- theirs\n", "", OLD.replace("- one", "- ours\n- four")],
    ids=["taken back", "another", "knowing", "emptied", "moved"],
)
def test_who_knew_the_change_is_right(journal: Journal, path: Path, kind: str, text: str) -> None:
    changed(journal, path, kind)
    path.write_text(text)
    next_change(journal, path)
    assert path.read_text() == text


def test_what_a_person_was_shown_is_made_and_what_was_written_over_is_put_back_after_it(
    journal: Journal, path: Path
) -> None:
    changed(journal, path, "append")
    path.write_text(f"{OLD}- theirs\n")
    shown = Plan("shown", (Replace(path, content_digest(path.read_bytes()), f"# Title\n{OLD}- theirs\n"),))
    assert journal.commit(lambda: shown, seen=shown)
    assert path.read_text() == f"# Title\n{OLD}- theirs\n- ours\n"
    assert [entry.title for entry in journal.entries()][:2] == [lost_updates.RESTORE_TITLE, "shown"]


def test_a_file_that_is_half_written_when_the_next_change_begins_is_brought_together_too(
    journal: Journal, path: Path
) -> None:
    changed(journal, path, "append")
    program = path.open("wb", buffering=0)

    def verb() -> Plan:
        if not program.closed:
            program.write(f"{OLD}- theirs\n".encode())
            program.close()
        return Plan("next", (Append(path, "- next\n"),))

    assert journal.commit(verb)
    assert path.read_text() == f"{OLD}- theirs\n- next\n- ours\n"


def test_what_cannot_be_put_back_before_a_change_is_put_back_after_it(
    tmp_path: Path, path: Path, now: Callable[[], datetime]
) -> None:
    refusals: list[Path] = []

    def expects(target: Path) -> None:
        if refusals:
            raise ConflictError(f"{refusals.pop()} was changed since it was read")

    journal = Journal(tmp_path / "state", now, base=path.parent, expects=expects)
    changed(journal, path, "append")
    path.write_text(f"{OLD}- theirs\n")
    refusals.append(path)
    assert journal.commit(lambda: Plan("next", (Append(path, "- next\n"),)))
    assert path.read_text() == f"{OLD}- theirs\n- next\n- ours\n"


def test_a_file_that_is_written_over_while_another_is_put_back_is_looked_at_again(journal: Journal, path: Path) -> None:
    other = path.with_name("topic.md")
    other.write_text(OLD)
    for one in (other, path):
        changed(journal, one, "append")
    path.write_text(f"{OLD}- theirs\n")
    with other.open("wb", buffering=0) as program:
        next_change(journal, path)
        assert "ours" in path.read_text()
        program.write(f"{OLD}- theirs\n".encode())
    next_change(journal, path)
    assert other.read_text() == f"{OLD}- theirs\n- ours\n"


def test_what_is_taken_out_for_ever_is_not_put_back_after_it(journal: Journal, path: Path) -> None:
    changed(journal, path, "append")
    path.write_text(f"{OLD}- theirs\n")
    edit = Replace(path, content_digest(path.read_bytes()), f"{OLD}- [redacted]\n")
    shown = Plan("redact", (edit,), no_way_back="it was a secret")
    assert journal.commit(lambda: shown, seen=shown)
    assert path.read_text() == f"{OLD}- [redacted]\n"


def test_what_was_taken_out_later_stays_out(journal: Journal, path: Path) -> None:
    changed(journal, path, "append")
    journal.undo()
    path.write_text(f"{OLD}- theirs\n")
    next_change(journal, path)
    assert path.read_text() == f"{OLD}- theirs\n"


def test_what_was_taken_out_for_ever_stays_out(journal: Journal, path: Path) -> None:
    changed(journal, path, "append")
    text = f"{OLD}- [redacted]\n"
    edit = Replace(path, content_digest(path.read_bytes()), text)
    assert journal.commit(lambda: Plan("redact", (edit,), no_way_back="it was a secret"))
    path.write_text(f"{OLD}- [redacted]\n- theirs\n")
    next_change(journal, path)
    assert "ours" not in path.read_text()


def test_a_file_that_is_written_later_is_as_its_writer_wants_it(journal: Journal, path: Path) -> None:
    changed(journal, path, "append")
    for record in journal.folder.iterdir():
        os.utime(record, (0, record.stat().st_mtime - lost_updates.OVERWRITE_WINDOW_SECONDS - 1))
    path.write_text(f"{OLD}- theirs\n")
    next_change(journal, path)
    assert path.read_text() == f"{OLD}- theirs\n"


def test_what_is_written_over_before_the_command_ends_is_put_back_by_it(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = compare_and_swap.replace_if

    def outer(made: Path, target: Path, was: str) -> None:
        inner(made, target, was)
        if target == path and "theirs" not in path.read_text():
            path.write_text(f"{OLD}- theirs\n")

    monkeypatch.setattr(compare_and_swap, "replace_if", outer)
    changed(journal, path, "append")
    assert path.read_text() == f"{OLD}- theirs\n- ours\n"
