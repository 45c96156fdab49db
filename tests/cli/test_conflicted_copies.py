"""Second copies that a sync service left, and archives that were emptied: seen, and mended by a plan that is shown."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.context.consume import clear_window
from recall_tui.storage.state.backup_ring import BackupRing
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript, tree

Recall = Callable[..., Any]
HERE = [("user", "Why the parser HEREWORD?"), ("assistant", "Because of the grammar.")]


def filled(environment: Environment, name: str = "entity") -> tuple[Workbench, Path]:
    """A memory with two archives, and the second of them."""
    bench = bench_at(environment, name)
    bench.capture(transcript(environment, 1, [("user", "FIRSTWORD?"), ("assistant", "Yes.")]))
    bench.capture(transcript(environment, 2, HERE))
    return bench, sorted(bench.layout.archives[0].folder.glob("*-002.md"))[0]


def conflicted(archive: Path, *, of_another: bool = True, more: str = "") -> Path:
    copy = archive.with_name(f"{archive.stem} (conflicted copy of laptop 2026-11-24).md")
    text = archive.read_text()
    if of_another:
        text = text.replace(session_id_of(2), session_id_of(3)).replace("HEREWORD", "THEREWORD")
    copy.write_text(text + more)
    return copy


@pytest.mark.long
@pytest.mark.parametrize("layout", ["entity", "user", "hierarchical"])
def test_an_archive_of_another_session_is_seen_and_gets_a_number_of_its_own(
    layout: str, recall: Recall, environment: Environment
) -> None:
    bench, archive = filled(environment, layout)
    copy = conflicted(archive)
    root = ("--root", bench.layout.root)
    assert "THEREWORD" in recall(*root, "search", "--lines", "THEREWORD").out
    answer = recall(*root, "search", "--ranked", "THEREWORD", "--json").json
    if layout == "hierarchical":
        # The sessions are of another project than the memory, which ranked search leaves out.
        assert (answer["total"], answer["hits"]) == (0, [])
    else:
        assert answer["hits"][0]["document"].endswith(copy.name)
    assert "second copy of" in recall(*root, "list", "all").out
    said = recall(*root, "doctor")
    assert said.code == 1 and copy.name in said.out
    recall(*root, "doctor", "--fix")
    assert not copy.exists() and "THEREWORD" not in archive.read_text()
    (own,) = archive.parent.glob("*-003.md")
    assert "THEREWORD" in own.read_text() and "003" in own.read_text()
    assert session_id_of(3) in bench.layout.rows.read_text()
    said = recall(*root, "doctor")
    problems = [line for line in said.out.splitlines() if not line.startswith("no problem")]
    assert not [line for line in problems if "copies" in line or "rows" in line or "archive " in line]


def test_a_copy_of_the_same_session_is_brought_into_its_archive(recall: Recall, environment: Environment) -> None:
    _, archive = filled(environment)
    copy = conflicted(archive, of_another=False, more="\nA note from the laptop.\n")
    archive.write_text(archive.read_text() + "\nA note from here.\n")
    count = archive.read_text().count("HEREWORD")
    recall("doctor", "--fix")
    text = archive.read_text()
    assert not copy.exists() and text.count("HEREWORD") == count
    assert "A note from the laptop." in text and "A note from here." in text
    before = tree(archive.parent)
    assert recall("doctor").code == 0
    recall("undo")
    assert copy.exists() and tree(archive.parent) != before


def test_what_two_machines_wrote_into_one_file_is_brought_together(recall: Recall, environment: Environment) -> None:
    bench, _ = filled(environment)
    layout = bench.layout
    layout.memory_file.write_text("# Memory\n\n- both\n- here\n")
    laptop = layout.memory_file.with_name("MEMORY.sync-conflict-20260101-120000-ABCDEFG.md")
    laptop.write_text("# Memory\n\n- both\n- there\n")
    settings = layout.config.with_name(".recall-echo (conflicted copy).toml")
    layout.rows.with_name("ARCHIVE (1).md").write_text(layout.rows.read_text() + "\nA person's line.\n")
    left = layout.memory_file.with_name("MEMORY.md.orig")
    left.write_text("<<<<<<< HEAD\n")
    recall("doctor", "--fix")
    assert layout.memory_file.read_text() == "# Memory\n\n- both\n- here\n- there\n"
    assert not laptop.exists() and not settings.exists()
    assert "A person's line." in layout.rows.read_text()
    said = recall("doctor")
    assert said.code == 1 and "MEMORY.md.orig was left beside MEMORY.md" in said.out and left.exists()


def test_a_persons_words_in_an_entry_of_a_copied_window_are_kept(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, HERE))
    window = bench.layout.window
    copy = window.with_name("EPHEMERAL.sync-conflict-20261120-101010-ABCDEFG.md")
    copy.write_text(window.read_text().replace("**Summary**: ", "**Summary**: CHANGEDWORD ") + "REMARKWORD below\n")
    recall("--root", bench.layout.root, "doctor", "--fix")
    text = window.read_text()
    assert not copy.exists() and "CHANGEDWORD" in text and "REMARKWORD" in text
    assert text.count("\n## Session ") + text.startswith("## Session ") == 1
    bench.capture(transcript(environment, 1, [*HERE, *HERE]))
    assert "CHANGEDWORD" in window.read_text() and "REMARKWORD" in window.read_text()


def test_an_entry_that_only_a_copied_window_has_comes_in_as_it_stands(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, [("user", "FIRSTWORD?"), ("assistant", "Yes.")]))
    window = bench.layout.window
    other = window.read_text().replace(session_id_of(1), session_id_of(3)).replace("~", "~ NOTEWORD ")
    copy = window.with_name("EPHEMERAL.sync-conflict-20261120-101010-ABCDEFG.md")
    copy.write_text(other)
    recall("--root", bench.layout.root, "doctor", "--fix")
    assert other.strip() in window.read_text() and session_id_of(1) in window.read_text()


def test_undo_of_an_emptied_window_keeps_a_persons_words_of_a_session_that_went_on(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, HERE))
    window = bench.layout.window
    window.write_text(window.read_text().replace("**Summary**: ", "**Summary**: CHANGEDWORD ") + "REMARKWORD below\n")
    emptied = bench.apply(clear_window, window.read_text().strip())
    assert emptied is not None
    bench.capture(transcript(environment, 1, [*HERE, *HERE]))
    bench.undo(emptied.id)
    text = window.read_text()
    assert "CHANGEDWORD" in text and "REMARKWORD" in text
    assert text.count("\n## Session ") + text.startswith("## Session ") == 1


@pytest.mark.parametrize("left", [0, 300])
def test_an_archive_that_was_emptied_or_cut_is_found_with_the_way_back(
    left: int, recall: Recall, environment: Environment
) -> None:
    bench, archive = filled(environment)
    whole = archive.read_bytes()
    archive.write_bytes(whole[:left])
    said = recall("doctor")
    assert said.code == 1 and f"archive --session {session_id_of(2)}" in said.out
    assert ("is empty" if not left else "was cut") in said.out
    transcript(environment, 2, HERE).unlink()
    assert "neither a backup nor a transcript has it" in recall("doctor").out
    archive.write_bytes(whole)
    shutil.rmtree(BackupRing(bench.store.state).folder)
    recall("remember", "something")
    archive.write_bytes(whole[:left])
    words = "doctor --restore 2026-03-06 memory/conversations/conversation-002.md"
    assert words in recall("doctor").out
    assert recall(*words.split(), "--yes").code == 0
    assert archive.read_bytes() == whole and bench.layout.rows.exists()


def test_an_emptied_archive_goes_once_its_session_is_archived_again(recall: Recall, environment: Environment) -> None:
    _, archive = filled(environment)
    archive.write_bytes(b"")
    assert recall("archive", "--session", session_id_of(2)).code == 0
    assert "its session is in conversation-003.md" in recall("doctor").out
    recall("doctor", "--fix")
    assert not archive.exists()
    assert recall("doctor").code == 0


def test_rows_that_a_person_wrote_are_never_dropped_but_on_request(recall: Recall, environment: Environment) -> None:
    bench, archive = filled(environment)
    rows = bench.layout.rows
    rows.write_text(rows.read_text() + "| 009 | 2026-03-01 | by hand | of the old laptop | 4 | 9m |\n")
    archive.unlink()
    said = recall("doctor")
    assert said.code == 1 and "has rows without an archive" in said.out
    said = recall("doctor", "--fix")
    assert said.code == 1 and "of the old laptop" in rows.read_text()
    assert "keeps rows whose archive is missing: 002, 009" in said.out
    assert "| 002 missing |" in rows.read_text() and "| 009 missing |" in rows.read_text()
    assert recall("doctor", "--drop-rows").code == 2
    recall("doctor", "--fix", "--drop-rows")
    assert "of the old laptop" not in rows.read_text()
    recall("undo")
    assert "of the old laptop" in rows.read_text()
