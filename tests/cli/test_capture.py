"""`init` and the ways into memory, as a person or a hook calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.capture.archive_update import NOTES_REASON
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.makers import bench_at, session_id_of, transcript, tree
from tests.models import FakeModel

Recall = Callable[..., Any]
TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("assistant", "We decided to use a lock around the refresh."),
]


def test_init_says_what_it_made_and_then_what_it_kept(recall: Recall, environment: Environment) -> None:
    first = recall("init")
    assert first.code == 0
    assert "✓ created memory/MEMORY.md" in first.out
    assert "recall-tui status" in first.err
    before = tree(environment.cwd)
    again = recall("init")
    assert again.code == 0
    assert "~ kept    memory/MEMORY.md" in again.out and "created" not in again.out
    assert tree(environment.cwd) == before


def test_init_keeps_what_a_person_wrote(recall: Recall, tmp_path: Path) -> None:
    memory = tmp_path / "agent" / "memory" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("mine\n")
    said = recall("init", tmp_path / "agent", "--json").json
    assert said["kept"] == ["memory/MEMORY.md"]
    assert "memory/EPHEMERAL.md" in said["created"] and said["failed"] == []
    assert memory.read_text() == "mine\n"


def test_init_goes_to_the_agents_home_when_there_is_one(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    said = recall("init", "--json").json
    assert (said["root"], said["layout"]) == (str(environment.claude), "user")


def test_init_makes_the_layout_that_is_named(recall: Recall, tmp_path: Path) -> None:
    said = recall("init", tmp_path / "p", "--layout", "project", "--json").json
    assert said["layout"] == "project"
    assert (tmp_path / "p" / "_memory" / "MEMORY.md").is_file()


def test_init_refuses_a_layout_that_does_not_exist(recall: Recall, tmp_path: Path) -> None:
    said = recall("init", tmp_path / "p", "--layout", "atlas")
    assert said.code == 2 and "claude-project" in said.err
    assert not (tmp_path / "p").exists()


def test_init_shows_and_makes_nothing_on_a_dry_run(recall: Recall, environment: Environment) -> None:
    said = recall("init", "--dry-run")
    assert said.code == 0
    assert "MEMORY.md" in said.out and said.out.startswith("---")
    assert tree(environment.cwd) == {}


def test_init_says_what_failed_and_exits_1(recall: Recall, tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "memory").write_text("a file where the folder must be")
    said = recall("init", tmp_path / "agent")
    assert said.code == 1
    assert "✗ failed" in said.out
    assert "run init again" in said.err


def test_archiving_names_the_archive_and_archiving_again_says_why_not(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    path = transcript(environment, 1, TALK)
    first = recall("archive", path)
    assert first.code == 0
    assert first.out.startswith("archived") and "conversation-001.md" in first.out
    again = recall("archive", path)
    assert again.code == 0 and again.out.startswith("unchanged")


def test_archiving_is_one_json_document(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("archive", transcript(environment, 1, TALK), transcript(environment, 2, TALK), "--json").json
    assert said["counts"] == {"archived": 2}
    assert [row["session_id"] for row in said["captured"]] == [session_id_of(1), session_id_of(2)]
    assert [row["number"] for row in said["captured"]] == [1, 2]


def test_a_transcript_that_cannot_be_read_does_not_stop_the_others(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("archive", "nowhere.jsonl", transcript(environment, 1, TALK))
    assert said.code == 1
    assert "nowhere.jsonl" in said.err
    assert "conversation-001.md" in said.out


def test_another_format_is_skipped_with_its_reason(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    bench_at(environment)
    other = tmp_path / "notes.jsonl"
    other.write_text('{"hello": "world"}\n')
    said = recall("archive", other)
    assert said.out.startswith("skipped") and "(" in said.out
    assert not list((environment.cwd / "memory" / "conversations").iterdir())


def test_a_session_is_archived_by_its_id(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    transcript(environment, 3, TALK)
    assert "conversation-001.md" in recall("archive", "--session", session_id_of(3)).out
    unknown = recall("archive", "--session", "no-such-session")
    assert unknown.code == 1 and "no-such-session" in unknown.err


def test_all_unarchived_are_archived_once(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    for number in (1, 2):
        transcript(environment, number, TALK)
    assert recall("archive", "--all-unarchived", "--json").json["counts"] == {"archived": 2}
    nothing = recall("archive", "--all-unarchived")
    assert (nothing.code, nothing.out) == (0, "")
    assert "nothing to archive" in nothing.err


@pytest.mark.parametrize(
    "words", [["archive"], ["archive", "a.jsonl", "--all-unarchived"], ["archive", "a.jsonl", "--since", "2d"]]
)
def test_archive_needs_one_thing_to_archive(words: list[str], recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    assert recall(*words).code == 2


def test_a_time_that_is_none_is_a_usage_error(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("archive", "--all-unarchived", "--since", "soon")
    assert said.code == 2 and "yesterday" in said.err


def test_a_hook_archives_the_session_that_ended(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    event = {"session_id": session_id_of(1), "transcript_path": str(transcript(environment, 1, TALK))}
    assert "conversation-001.md" in recall("archive-session", stdin=json.dumps(event)).out
    assert [entry.session_id for entry in bench.window.entries] == [session_id_of(1)]
    assert bench.journal.entries()[0].by == "hook"


@pytest.mark.parametrize("stdin", ["", "not json", "[]", "{}", '{"transcript_path": 7}', b"\xff\xfe", "[" * 100_000])
def test_what_is_no_hook_event_fails_with_what_is_expected(
    stdin: str | bytes, recall: Recall, environment: Environment
) -> None:
    before = tree(bench_at(environment).store.root)
    said = recall("archive-session", stdin=stdin)
    assert said.code == 1 and "transcript_path" in said.err
    assert tree(environment.cwd) == before


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_no_title_of_another_session_gets_into_the_memory(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    path = transcript(environment, 1, TALK)
    foreign = {"type": "summary", "summary": "Zeppelin rebuild", "leafUuid": session_id_of(99)}
    path.write_text(json.dumps(foreign) + "\n" + path.read_text())
    root = f"--root={bench.store.root}"
    assert recall(root, "archive", path).code == 0
    assert not [
        one for one, text in tree(bench.store.root).items() if b"Zeppelin" in text and not one.endswith(path.name)
    ]
    assert "Zeppelin" not in recall(root, "search", "token refresh", "--json").out


def test_a_checkpoint_has_no_window_entry(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    assert "conversation-001.md" in recall("checkpoint", transcript(environment, 1, TALK)).out
    assert bench.window.entries == ()
    assert [entry.source for entry in bench.archive.entries()] == ["checkpoint"]


def test_promote_archives_the_window_and_then_has_nothing_to_do(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.window.write_text("We chose JWT.\n")
    assert "Promoted" in recall("promote", "--context", "auth").out
    assert bench.layout.window.read_text() == ""
    again = recall("promote")
    assert (again.code, again.out) == (0, "")
    assert "nothing to promote" in again.err


def test_a_model_tells_the_archive_of_a_named_session_and_of_no_others(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment)
    first, second = transcript(environment, 1, TALK), transcript(environment, 2, TALK)
    model = FakeModel(tmp_path / "model", {"summary": "A lock around the refresh was decided on.", "topics": []})
    environment.env.update(model.env)  # type: ignore[attr-defined]
    (row,) = recall("archive", first, "--json").json["captured"]
    assert row["told_by"].startswith("command/")
    assert "A lock around the refresh was decided on." in bench.archive.get(1).path.read_text()
    assert recall("archive", first).code == 0 and len(model.asked) == 1
    assert recall("archive", "--all-unarchived").code == 0 and len(model.asked) == 1
    assert "A lock around the refresh was decided on." not in bench.archive.get(2).path.read_text()
    model.answers("I cannot")
    said = recall("archive", second)
    assert said.code == 0 and "quoted from the conversation: " in said.err


def test_a_note_in_an_archive_stays_and_the_command_says_so(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    root = f"--root={bench.store.root}"
    turns = [("user", "Which port?"), ("assistant", "The port is 6379.")]
    recall(root, "archive", transcript(environment, 1, turns))
    page = bench.archive.get(1).path
    page.write_text(page.read_text() + "\nMINE: it is 6380 now.\n")
    grown = transcript(environment, 1, [*turns, ("user", "And the host?"), ("assistant", "It is called heron.")])
    said = recall(root, "archive", grown).out
    assert "updated" in said and NOTES_REASON in said
    assert "MINE: it is 6380 now." in page.read_text() and "called heron" in page.read_text()
    assert NOTES_REASON in recall(root, "undo", "--list").out
    assert recall(root, "undo").code == 0
    assert "MINE: it is 6380 now." in page.read_text() and "called heron" not in page.read_text()


def test_a_transcript_may_be_named_by_a_way_that_leads_up(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, [("user", "why jwt?"), ("assistant", "Because it is stateless.")])
    named = f"../{path.relative_to(environment.cwd.parent)}"
    assert recall("archive", named).code == 0
    assert len(bench.archive.entries()) == 1


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_archive_all_is_one_change_and_one_undo(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    before = {name: data for name, data in tree(bench.store.root).items() if not name.endswith(".jsonl")}
    for number in (1, 2, 3):
        transcript(environment, number, TALK)
    root = ("--root", bench.store.root)
    said = recall("archive", "--all-unarchived", "--all-projects", *root)
    assert said.code == 0 and "3 archived" in said.err
    mine = [one["title"] for one in recall("journal", "--json", *root).json["changes"] if one["by"] == "person"]
    assert [title for title in mine if "rchived" in title] == ["Archived 3 sessions"]
    assert recall("undo", *root).code == 0
    assert {name: data for name, data in tree(bench.store.root).items() if not name.endswith(".jsonl")} == before
