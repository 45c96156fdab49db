"""From a transcript to archive, row and window: once, brought up to date, and never shortened."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.domain import WindowEntry
from recall_tui.environment import Environment
from recall_tui.features.capture import promotion
from recall_tui.features.context import consume
from recall_tui.storage.archives.file import read_entry
from recall_tui.storage.documents import window_file
from recall_tui.storage.layout import LAYOUT_NAMES, detect_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, records, session_id_of, transcript, tree, write_transcript

TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("Edit", "/home/u/api/src/token_refresh.py"),
    ("assistant", "We decided to use a lock around the refresh. Next step: write a test for expiry."),
    ("user", "Good, and document it"),
    ("assistant", "Documented the lock in README.md and all tests pass."),
]
MORE = [
    ("user", "Now release 1.2.3"),
    ("assistant", "Released version 1.2.3 of the auth module to staging; the token refresh race is fixed there."),
]


def test_a_transcript_becomes_an_archive_a_row_and_a_window_entry(environment: Environment) -> None:
    bench = bench_at(environment)
    done = bench.capture(transcript(environment, 1, TALK))
    assert (done.status, done.number, done.messages) == ("archived", 1, 4)
    entry = read_entry(Path(done.archive))
    assert entry is not None
    assert (entry.session_id, entry.messages, entry.duration, entry.source) == (session_id_of(1), 4, "4m", "session")
    assert (entry.date, entry.cwd, entry.project, entry.branch) == (
        NOON + timedelta(minutes=4),
        "/home/u/api",
        "api",
        "main",
    )
    assert "token_refresh" in entry.topics and not {"edit", "bash"} & set(entry.topics)
    text = Path(done.archive).read_text()
    assert "We decided to use a lock around the refresh." in text.split("# Conversation")[0]
    assert "### User" in text and "> **Edit**" in text and "## Tags" in text
    assert [(row.number, row.session_id, row.messages) for row in bench.rows] == [(1, session_id_of(1), 4)]
    window = bench.window.entries
    assert [(item.session_id, item.archive) for item in window] == [(session_id_of(1), "conversation-001.md")]
    assert "token refresh race" in window[0].summary and "\n" not in window[0].summary


def test_a_long_title_shows_that_it_was_cut_and_colours_are_no_topic(environment: Environment) -> None:
    bench = bench_at(environment)
    done = bench.capture(
        transcript(environment, 1, [("user", f"\x1b[31mrefresh\x1b[0m tokens {'again ' * 40}"), TALK[2]])
    )
    entry = read_entry(Path(done.archive))
    assert entry is not None and len(entry.title) <= 120 and entry.title.endswith("…")
    assert "refresh" in entry.topics and not any("31m" in topic for topic in entry.topics)


def test_archiving_again_changes_no_byte(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    before = tree(bench.store.root)
    assert bench.capture(path).status == "unchanged"
    assert tree(bench.store.root) == before
    assert list(bench.unarchived()) == []


def test_a_grown_transcript_replaces_its_archive_and_a_shorter_one_never_does(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    grown = bench.capture(transcript(environment, 1, [*TALK, *MORE]))
    assert (grown.status, grown.number, grown.messages) == ("updated", 1, 6)
    assert len(bench.rows) == 1 and bench.rows[0].messages == 6
    assert [entry.messages for entry in bench.window.entries] == [6]
    assert "Released version 1.2.3" in Path(grown.archive).read_text()
    before = tree(bench.store.root)
    assert bench.capture(transcript(environment, 1, TALK)).status == "unchanged"
    assert tree(bench.store.root) == before


def test_a_checkpoint_has_no_window_entry_and_becomes_the_final_archive_under_its_number(
    environment: Environment,
) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    assert bench.capture(path, source="checkpoint").number == 1
    assert bench.window.entries == ()
    final = bench.capture(path)
    assert (final.status, final.number) == ("updated", 1)
    assert [entry.archive for entry in bench.window.entries] == ["conversation-001.md"]
    assert bench.archive.get(1).source == "session"


def test_after_a_checkpoint_and_a_crash_the_batch_captures_the_rest(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK), source="checkpoint")
    path = transcript(environment, 1, [*TALK, *MORE])
    assert list(bench.unarchived()) == [path]
    bench.capture(path)
    assert "Released version 1.2.3" in bench.archive.get(1).path.read_text()


def test_transcripts_of_one_session_are_merged_by_record(environment: Environment) -> None:
    bench = bench_at(environment)
    rows = records(session_id_of(1), [*TALK, *MORE])
    first = write_transcript(environment.home / "a.jsonl", rows[:5])
    second = write_transcript(environment.home / "b.jsonl", rows[3:])
    bench.capture(first)
    done = bench.capture(second)
    text = Path(done.archive).read_text()
    assert done.status == "updated" and done.messages == 6
    assert text.count("Fix the token refresh race") >= 1 and text.count("### Assistant") == 3
    assert "Released version 1.2.3" in text
    before = tree(bench.store.root)
    assert bench.capture(first).status == "unchanged" and bench.capture(second).status == "unchanged"
    assert tree(bench.store.root) == before


def test_what_only_a_vanished_transcript_held_stays(environment: Environment) -> None:
    bench = bench_at(environment)
    rows = records(session_id_of(1), [*TALK, *MORE, *MORE, *MORE])
    first = write_transcript(environment.home / "a.jsonl", rows[:5])
    bench.capture(first)
    first.unlink()
    done = bench.capture(write_transcript(environment.home / "b.jsonl", rows[5:]))
    text = Path(done.archive).read_text()
    assert "We decided to use a lock" in text and "Released version 1.2.3" in text


def test_old_sessions_do_not_flood_the_window(environment: Environment) -> None:
    bench = bench_at(environment)
    for number in (9, 3, 7, 1, 8, 2, 6):
        bench.capture(transcript(environment, number, TALK, start=NOON + timedelta(days=number)))
    assert [entry.session_id for entry in bench.window.entries] == [session_id_of(n) for n in (3, 6, 7, 8, 9)]
    assert [row.number for row in bench.rows] == list(range(1, 8))


def test_secrets_are_redacted_everywhere(environment: Environment) -> None:
    bench = bench_at(environment)
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
    bench.capture(
        transcript(environment, 1, [("user", f"use the token {secret} now"), ("assistant", f"I will use {secret}.")])
    )
    assert not [name for name, data in tree(bench.store.root).items() if secret.encode() in data]
    assert not [name for name, data in tree(bench.store.state).items() if secret.encode() in data]
    assert "[redacted:" in bench.archive.get(1).path.read_text()


@pytest.mark.parametrize("turns", [[], [("Edit", "/a/b.py")]])
def test_a_session_without_messages_is_skipped_and_nothing_is_written(
    environment: Environment, turns: list[tuple[str, str]]
) -> None:
    bench = bench_at(environment)
    before = tree(bench.store.root)
    done = bench.capture(transcript(environment, 1, turns))
    assert done.status == "skipped" and done.reason
    assert tree(bench.store.root) == before
    assert not bench.store.spool.exists() or not list(bench.store.spool.iterdir())


def test_undo_takes_the_whole_archive_back(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    before = tree(bench.store.root)
    bench.capture(transcript(environment, 2, MORE))
    assert bench.undo()
    assert tree(bench.store.root) == before


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_every_layout_captures_idempotently_and_stays_the_layout_it_is(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    paths = [transcript(environment, number, TALK, start=NOON + timedelta(days=number)) for number in (1, 2)]
    assert [bench.capture(path).status for path in paths] == ["archived", "archived"]
    assert [row.session_id for row in bench.rows] == [session_id_of(1), session_id_of(2)]
    before = tree(bench.store.root)
    assert {bench.capture(path).status for path in paths} == {"unchanged"}
    assert tree(bench.store.root) == before
    assert "token refresh race" in consume.window_text(bench.store)
    found = detect_layout(bench.store.root)
    assert found is not None and found[0] == name
    grown = bench.capture(transcript(environment, 2, [*TALK, *MORE], start=NOON + timedelta(days=2)))
    assert grown.status == ("archived" if name == "user" else "updated")
    assert "1.2.3" in consume.window_text(bench.store)


def test_user_layout_writes_a_log_for_each_stretch_and_never_touches_an_older_one(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.capture(transcript(environment, 1, TALK), source="checkpoint")
    first = bench.layout.root / "memories/archive-log-001.md"
    before = first.read_bytes()
    assert bench.layout.window.read_text() == ""
    bench.capture(transcript(environment, 1, [*TALK, *MORE]))
    second = (bench.layout.root / "memories/archive-log-002.md").read_text()
    assert first.read_bytes() == before
    assert "Released version 1.2.3" in second and "We decided" not in second
    assert "1.2.3" in bench.layout.window.read_text()
    assert bench.capture(transcript(environment, 1, [*TALK, *MORE])).status in ("unchanged", "skipped")


def window_written(bench: Workbench, when: datetime, text: str = "") -> None:
    """The window as it was left at that moment."""
    bench.layout.window.write_text(text, encoding="utf-8")
    os.utime(bench.layout.window, (when.timestamp(), when.timestamp()))


def test_user_layout_fills_the_window_for_a_session_that_ends_right_after_its_checkpoint(
    environment: Environment,
) -> None:
    bench = bench_at(environment, "user")
    path = transcript(environment, 1, TALK)
    bench.capture(path, source="checkpoint")
    window_written(bench, NOON - timedelta(days=1))
    bench.capture(path)
    assert "token refresh race" in bench.layout.window.read_text() and len(bench.rows) == 1
    assert bench.capture(path).status == "unchanged"


@pytest.mark.parametrize("days", [True, False])
def test_user_layout_brings_nothing_back_that_was_emptied_after_the_session(
    environment: Environment, days: bool
) -> None:
    bench = bench_at(environment, "user")
    with bench.layout.config.open("a") as config:
        config.write(f"[capture]\ndays = {str(days).lower()}\n")
    path = transcript(environment, 1, TALK)
    bench.capture(path, source="checkpoint")
    window_written(bench, NOON + timedelta(days=1))
    assert bench.capture(path).status == "updated", "it had only been checkpointed"
    bench.apply(consume.clear_window, bench.layout.window.read_text().strip())
    assert bench.capture(path).status == "unchanged", "it was read and emptied"
    path.write_text(path.read_text() + '{"type": "last-prompt"}\n')
    assert bench.capture(path).status == "unchanged" and bench.layout.window.read_text() == ""


def test_user_layout_adds_a_session_that_ends_right_after_its_checkpoint_to_a_list_of_sessions(
    environment: Environment,
) -> None:
    bench = bench_at(environment, "user")
    path = transcript(environment, 2, MORE, start=NOON + timedelta(hours=2))
    bench.capture(path, source="checkpoint")
    entry = WindowEntry(session_id_of(1), NOON, "5m", 4, "archive-log-000.md", "the one before")
    window_written(bench, NOON + timedelta(hours=1), window_file.add_entry("", entry, 5))
    bench.capture(path)
    assert [one.session_id for one in bench.window.entries] == [session_id_of(1), session_id_of(2)]


def test_user_layout_promotes_what_a_person_wrote_before_it_replaces_the_window(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.layout.window.write_text("Remember: the demo is on Friday.\n")
    bench.capture(transcript(environment, 1, TALK))
    logs = [path.read_text() for path in sorted((bench.layout.root / "memories").glob("*.md"))]
    assert len(logs) == 2 and "the demo is on Friday" in logs[0] and "token refresh" in logs[1]
    assert "token refresh race" in bench.layout.window.read_text()
    assert "the demo" not in bench.layout.window.read_text()


def test_user_layout_keeps_the_summary_of_the_session_that_ended_last(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.capture(transcript(environment, 2, MORE, start=NOON - timedelta(days=1)))
    bench.capture(transcript(environment, 1, TALK, start=NOON - timedelta(days=3)))
    assert "1.2.3" in bench.layout.window.read_text()
    assert len(bench.rows) == 2


def test_project_layout_leaves_a_summary_alone_that_a_person_edited(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    done = bench.capture(transcript(environment, 1, TALK))
    page = Path(done.archive)
    assert page.name == f"{session_id_of(1)}.md" and not page.read_text().startswith("---")
    page.write_text(page.read_text().replace("token", "TOKEN"))
    before = tree(bench.store.root)
    assert bench.capture(transcript(environment, 1, [*TALK, *MORE])).status == "unchanged"
    assert tree(bench.store.root) == before


def test_promote_archives_the_window_and_empties_it_and_a_second_time_does_nothing(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.window.write_text("## Notes\n\nShip on Friday.\n")
    entry = bench.apply(promotion.promote)
    assert entry is not None
    assert "Ship on Friday." in bench.archive.get(1).path.read_text()
    assert bench.layout.window.read_text() == "" and bench.rows[0].number == 1
    assert bench.apply(promotion.promote) is None
    assert bench.undo()
    assert "Ship on Friday." in bench.layout.window.read_text()


def test_clearing_takes_only_what_was_handed_over(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.window.write_text("one\n")
    handed = consume.window_text(bench.store)
    bench.layout.window.write_text("one\ntwo\n")
    assert bench.apply(consume.clear_window, handed) is None
    assert bench.apply(consume.clear_window, consume.window_text(bench.store)) is not None
    assert bench.layout.window.read_text() == ""


def test_hostile_session_ids_stay_inside_the_memory(environment: Environment) -> None:
    for name in ("entity", "project", "claude-project"):
        bench = bench_at(environment, name, environment.home / name / ".claude/projects/-p")
        rows = records("../../../evil|\n---", TALK)
        bench.capture(write_transcript(environment.home / f"{name}.jsonl", rows))
        assert len(bench.rows) == 1
    outside = [path for path in environment.home.parent.rglob("*evil*") if not path.is_relative_to(environment.state)]
    assert all(path.is_relative_to(environment.home) and ".claude/projects/-p" in str(path) for path in outside)


def test_broken_lines_are_counted_and_the_rest_is_archived(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{broken", json.dumps([1]), *lines[1:], lines[-1][:20]]))
    done = bench.capture(path)
    assert (done.status, done.messages, done.faults) == ("archived", 4, 3)
